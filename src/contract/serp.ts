import { z } from 'zod';
import {
  country,
  dayRange,
  device,
  id,
  idParam,
  idText,
  integerText,
  listOf,
  paging,
  utcDay,
  wholePaging,
  cursor,
} from './common.ts';
import { locatedWords } from './located-words.ts';
import { operationsOf } from './operation.ts';
import { depth, isComparable, provider } from './rankings.ts';

const keywordIdParam = z.strictObject({ keywordId: idText });
const position = z.int().min(1).max(200);

export const adPositions = z
  .array(z.int().min(1))
  .nullable()
  .meta({
    id: 'AdPositions',
    description:
      'For each ad the position of the result that follows it; null where the provider shows ' +
      'none. Ads have no position.',
  });

export const serpItem = z
  .strictObject({
    position: position,
    storeAppId: z.string(),
    name: z.string().nullable(),
    developer: z.string().nullable(),
    iconUrl: z.string().nullable(),
    rating: z.number().nullable().meta({
      description: 'As the country’s storefront showed it until the day; null when unknown.',
    }),
    ratingCount: z.int().nullable().meta({
      description:
        'In the country, like the rating; 0 for an App Store app of the first ten without any.',
    }),
    appId: id.nullable().meta({ description: 'This workspace’s app with the listing.' }),
    isOwn: z.boolean().meta({ description: 'The app of this keyword.' }),
    isCompetitor: z.boolean().meta({ description: 'A competitor of that app.' }),
  })
  .meta({ id: 'SerpItem' });

export const storedResults = z
  .strictObject({
    date: utcDay,
    depth,
    resultCount: z.int(),
    kept: z.int(),
    provider,
    ads: adPositions,
    items: z.array(serpItem),
  })
  .meta({ id: 'StoredResults' });

const moved = z.strictObject({
  ...serpItem.shape,
  position: position.nullable(),
  from: position.nullable(),
  to: position.nullable(),
});

const { position: _position, ...serpListing } = serpItem.shape;
const top = integerText(1, 200).default(10);

const entrant = z
  .strictObject({
    date: utcDay,
    keywordId: id,
    phrase: z.string(),
    words: locatedWords,
    country,
    device,
    ...serpItem.shape,
    comparedDays: z.int().min(1).max(7).meta({
      description: 'Checked days before on which it was absent from the stored results.',
    }),
  })
  .meta({ id: 'SerpEntrant' });

const leader = z
  .strictObject({
    ...serpListing,
    competitorId: id.nullable(),
    keywords: z.int().min(1).meta({ description: 'Results with it in the first positions.' }),
    share: z.number().min(0).max(1).meta({ description: 'The share of all counted results.' }),
    averagePosition: z.number().min(1),
    best: position,
  })
  .meta({ id: 'SerpLeader' });

export const serp = operationsOf({
  'GET /keywords/{keywordId}/serp': {
    summary: 'Get stored search results of a day',
    description:
      'Returns the stored results of one day: the newest stored day unless `date` is ' + 'given.',
    rateClass: 'read',
    readOnlyToken: true,
    params: keywordIdParam,
    query: z.strictObject({ date: utcDay.optional(), limit: integerText(1, 200).default(50) }),
    responses: { 200: storedResults },
  },
  'GET /keywords/{keywordId}/serp/dates': {
    summary: 'List days with stored search results',
    description: 'Lists the days for which results are stored, with the number of results.',
    rateClass: 'read',
    readOnlyToken: true,
    params: keywordIdParam,
    query: z.strictObject({ ...wholePaging, ...dayRange }),
    pages: 'cut',
    responses: {
      200: listOf(
        z.strictObject({ date: utcDay, depth, resultCount: z.int(), kept: z.int(), provider }),
      ),
    },
  },
  'GET /keywords/{keywordId}/serp/diff': {
    summary: 'Compare search results of two days',
    description:
      'Compares the stored results of two days and returns the apps that entered, left or ' +
      'moved. Results of two providers are not compared.',
    rateClass: 'read',
    readOnlyToken: true,
    params: keywordIdParam,
    query: z.strictObject({ a: utcDay, b: utcDay, top: integerText(1, 200).default(10) }),
    responses: {
      200: z.strictObject({
        a: utcDay,
        b: utcDay,
        isComparable,
        top: z.int().meta({
          description:
            'Smaller than requested when one of the days has fewer results; 0 when the days are ' +
            'not comparable.',
        }),
        entered: z.array(moved),
        left: z.array(moved),
        moved: z.array(moved),
        unchanged: z.int(),
      }),
    },
  },
  'GET /apps/{id}/serp/entrants': {
    summary: 'List entrants',
    description:
      'Lists apps that entered the first positions of the app’s markets and were absent ' +
      'from their stored results on the last 7 checked days of the 14 days before.',
    rateClass: 'read',
    readOnlyToken: true,
    params: idParam,
    query: z.strictObject({
      ...paging,
      ...dayRange,
      country: country.optional(),
      device: device.optional(),
      top,
    }),
    responses: { 200: listOf(entrant) },
  },
  'GET /apps/{id}/serp/leaders': {
    summary: 'List leaders',
    description:
      'Lists the apps that hold the first positions of the app’s markets, the largest ' +
      'share first, at most 200.',
    rateClass: 'read',
    readOnlyToken: true,
    params: idParam,
    query: z.strictObject({
      country: country.optional(),
      device: device.optional(),
      top,
      limit: integerText(1, 200).default(50),
      cursor: cursor.optional(),
    }),
    pages: 'cut',
    responses: {
      200: z.strictObject({
        country: country.nullable(),
        device: device.nullable(),
        top: z.int(),
        serps: z.int().meta({
          description: 'Counted markets: each by its latest stored results, at most 3 days old.',
        }),
        shallow: z.int().meta({ description: 'The part of them with fewer results than `top`.' }),
        ...listOf(leader).shape,
      }),
    },
  },
});
