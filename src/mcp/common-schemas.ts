import { z } from 'zod';
import { storeNames } from '#stores/profiles.ts';

// Schemas that several tools share. Each word appears in every tool listing, so there are few;
// limits that the API checks are not repeated.

export const appId = z.int();
export const country = z.string().regex(/^[a-z]{2}$/);
/** One of the store's; the server's instructions name them. */
export const device = z.string();
export const day = z.string().regex(/^\d{4}-\d\d-\d\d$/);
export const storeName = z.enum(storeNames);
/** `nextCursor` of the previous page. */
export const cursor = z.string();
export const limit = z.int().min(1).max(50);
/** The page size for rows with long texts. */
export const shortLimit = z.int().min(1).max(25);
export const keywordIds = (most: number) => z.array(z.int()).min(1).max(most);

/** The members of a list response besides its rows. */
export const page = { total: z.int().nullable(), nextCursor: z.string().nullable() };

/** A position always comes with the examined depth; both null means not checked. */
export const positionAtDepth = { position: z.int().nullable(), depth: z.int().nullable() };

/** A position of a day that was checked: its depth is never null. */
export const checkedDailyRank = z.object({ position: z.int().nullable(), depth: z.int() });

/** Responses that contain store text have this member. */
export const notice = z.string();
