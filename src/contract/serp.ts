import { z } from 'zod';
import {
  country,
  dayRange,
  id,
  idParam,
  idText,
  integerText,
  listOf,
  paging,
  utcDay,
} from './common.ts';
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
    appId: id
      .nullable()
      .meta({ description: 'This workspace’s app of the listing, whichever it is.' }),
    isOwn: z.boolean().meta({ description: 'It is the app whose keyword this is.' }),
    isCompetitor: z.boolean().meta({ description: 'That app has it as a competitor.' }),
  })
  .meta({ id: 'SerpItem' });

export const keptResults = z
  .strictObject({
    date: utcDay,
    depth,
    resultCount: z.int(),
    kept: z.int(),
    items: z.array(serpItem),
  })
  .meta({ id: 'KeptResults' });

const moved = z.strictObject({
  ...serpItem.shape,
  position: place.nullable(),
  from: place.nullable(),
  to: place.nullable(),
});

const { position: _position, ...serpListing } = serpItem.shape;
const top = integerText(1, 200).default(10);

const entrant = z
  .strictObject({
    date: utcDay,
    keywordId: id,
    phrase: z.string(),
    country,
    ...serpItem.shape,
    comparedDays: z
      .int()
      .min(1)
      .max(7)
      .meta({
        description: 'Checked days before on which it stood nowhere among the kept places.',
      }),
  })
  .meta({ id: 'SerpEntrant' });

const leader = z
  .strictObject({
    ...serpListing,
    competitorId: id.nullable(),
    keywords: z
      .int()
      .min(1)
      .meta({ description: 'Answers in which it stands within the first places.' }),
    share: z.number().min(0).max(1).meta({ description: 'Of all answers counted.' }),
    averagePosition: z.number().min(1),
    best: place,
  })
  .meta({ id: 'SerpLeader' });

export const serp = operationsOf({
  'GET /keywords/{keywordId}/serp': {
    summary: 'The kept results of a day',
    rateClass: 'read',
    readOnlyToken: true,
    params: keywordIdParam,
    query: z.strictObject({ date: utcDay.optional(), limit: integerText(1, 200).default(50) }),
    responses: { 200: keptResults },
  },
  'GET /keywords/{keywordId}/serp/dates': {
    summary: 'The days with kept results',
    rateClass: 'read',
    readOnlyToken: true,
    params: keywordIdParam,
    query: z.strictObject(dayRange),
    responses: {
      200: listOf(z.strictObject({ date: utcDay, depth, resultCount: z.int(), kept: z.int() })),
    },
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
        top: z
          .int()
          .meta({ description: 'Smaller than asked for when one of the days knows fewer places.' }),
        entered: z.array(moved),
        left: z.array(moved),
        moved: z.array(moved),
        unchanged: z.int(),
      }),
    },
  },
  'GET /apps/{id}/serp/entrants': {
    summary:
      'Who came into the first places of the app’s markets and stood nowhere in them on the last 7 checked days',
    rateClass: 'read',
    readOnlyToken: true,
    params: idParam,
    query: z.strictObject({ ...paging, ...dayRange, country: country.optional(), top }),
    responses: { 200: listOf(entrant) },
  },
  'GET /apps/{id}/serp/leaders': {
    summary: 'Who holds the first places of the app’s markets',
    rateClass: 'read',
    readOnlyToken: true,
    params: idParam,
    query: z.strictObject({
      country: country.optional(),
      top,
      limit: integerText(1, 200).default(50),
    }),
    responses: {
      200: z.strictObject({
        country: country.nullable(),
        top: z.int(),
        serps: z
          .int()
          .meta({
            description: 'Markets counted: each by its newest kept answer, at most 3 days old.',
          }),
        shallow: z
          .int()
          .meta({ description: 'Of these, answers that know fewer places than `top`.' }),
        ...listOf(leader).shape,
      }),
    },
  },
});
