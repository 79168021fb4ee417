import { z } from 'zod';

// Shapes that several tools share. Each word here stands in every listing of the tools, so there are few; limits that
// the API holds itself are not repeated.

export const appId = z.int();
export const country = z.string().regex(/^[a-z]{2}$/);
export const day = z.string().regex(/^\d{4}-\d\d-\d\d$/);
export const storeName = z.enum(['ios', 'android']);
/** `nextCursor` of the page before, as the text of every page says. */
export const cursor = z.string();
export const limit = z.int().min(1).max(50);
/** Of rows with long texts. */
export const shortLimit = z.int().min(1).max(25);
export const keywordIds = (most: number) => z.array(z.int()).min(1).max(most);

/** What a list answers besides its rows. */
export const page = { total: z.int().nullable(), nextCursor: z.string().nullable() };

/** A position never goes without the depth that was examined; both null: not checked. */
export const cell = { position: z.int().nullable(), depth: z.int().nullable() };

/** The same of a day that was checked. */
export const checkedCell = z.object({ position: z.int().nullable(), depth: z.int() });

/** Store text travels in answers that have this member. */
export const notice = z.string();
