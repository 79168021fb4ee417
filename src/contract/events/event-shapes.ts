import { z } from 'zod';
import { country, id, storeName } from '../common.ts';

export const keywordFields = { keywordId: id, phrase: z.string(), country };

export const eventListing = z.strictObject({
  store: storeName,
  storeAppId: z.string(),
  name: z.string().nullable(),
  developer: z.string().nullable(),
});

/** The keyword and the listing of the samples. */
export const sampleKeyword = { keywordId: 481, phrase: 'habit tracker', country: 'us' };
export const sampleListing = {
  store: 'ios' as const,
  storeAppId: '1500000007',
  name: 'Lumen Habits',
  developer: 'Lumen Labs',
};
