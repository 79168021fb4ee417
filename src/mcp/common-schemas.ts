import { z } from 'zod';
import { storeNames } from '#stores/profiles.ts';

// Members that several results share. Each word appears in every tool listing, so there are few.

export const appId = z.int();
export const device = z.string();
export const storeName = z.enum(storeNames);

/** The members of a list response besides its rows. */
export const page = { total: z.int().nullable(), nextCursor: z.string().nullable() };

/** A position always comes with the examined depth; both null means not checked. */
export const positionAtDepth = { position: z.int().nullable(), depth: z.int().nullable() };

/** A position of a day that was checked: its depth is never null. */
export const checkedDailyRank = z.object({ position: z.int().nullable(), depth: z.int() });

/** Responses that contain store text have this member. */
export const notice = z.string();
