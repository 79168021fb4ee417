import { z } from 'zod';
import { dayRange, id, idText, integerText, listOf, utcDay } from './common.ts';
import { operationsOf } from './operation.ts';
import { depth } from './rankings.ts';

const keywordIdParam = z.strictObject({ keywordId: idText });
const place = z.int().min(1).max(200);

export const serpItem = z
  .strictObject({
    position: place,
    storeAppId: z.string(),
    name: z.string().nullable(),
    developer: z.string().nullable(),
    iconUrl: z.string().nullable(),
    rating: z.number().nullable(),
    ratingCount: z.int().nullable(),
    appId: id.nullable(),
    isOwn: z.boolean(),
    isCompetitor: z.boolean(),
  })
  .meta({ id: 'SerpItem' });

const moved = z.strictObject({ ...serpItem.shape, position: place.nullable(), from: place.nullable(), to: place.nullable() });

export const serp = operationsOf({
  'GET /keywords/{keywordId}/serp': {
    summary: 'The kept results of a day',
    rateClass: 'read',
    readOnlyToken: true,
    params: keywordIdParam,
    query: z.strictObject({ date: utcDay.optional(), limit: integerText(1, 200).default(50) }),
    responses: {
      200: z.strictObject({ date: utcDay, depth, resultCount: z.int(), kept: z.int(), items: z.array(serpItem) }),
    },
  },
  'GET /keywords/{keywordId}/serp/dates': {
    summary: 'The days with kept results',
    rateClass: 'read',
    readOnlyToken: true,
    params: keywordIdParam,
    query: z.strictObject(dayRange),
    responses: { 200: listOf(z.strictObject({ date: utcDay, depth, resultCount: z.int(), kept: z.int() })) },
  },
  'GET /keywords/{keywordId}/serp/diff': {
    summary: 'Who entered, left and moved between two days',
    rateClass: 'read',
    readOnlyToken: true,
    params: keywordIdParam,
    query: z.strictObject({ a: utcDay, b: utcDay, top: integerText(1, 200).default(10) }),
    responses: {
      200: z.strictObject({
        a: utcDay,
        b: utcDay,
        top: z.int().meta({ description: 'Smaller than asked for when one of the days knows fewer places.' }),
        entered: z.array(moved),
        left: z.array(moved),
        moved: z.array(moved),
        unchanged: z.int(),
      }),
    },
  },
});
