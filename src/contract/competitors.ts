import { z } from 'zod';
import { snapshot } from './apps.ts';
import {
  bigInteger,
  country,
  dayRange,
  deleted,
  id,
  idParam,
  idText,
  instant,
  integerText,
  jobReference,
  listOf,
  note,
  paging,
  storeName,
  textOf,
  utcDay,
} from './common.ts';
import { operationsOf } from './operation.ts';
import { checkedCell, depth, position } from './rankings.ts';

const competitorParams = z.strictObject({ id: idText, cid: idText });
const relationship = textOf(60, z.string().trim().min(1));
const storeAppId = z.string().trim().min(1).max(200);

const overlap = z
  .strictObject({
    compared: z
      .int()
      .meta({
        description:
          'Keywords on which both were looked for deep enough to be compared; by the newest day, at most 3 days old.',
      }),
    both: z.int(),
    wins: z.int().meta({ description: 'Of `both`, with the app ahead.' }),
    losses: z.int(),
    onlyOwn: z.int(),
    onlyCompetitor: z.int(),
  })
  .meta({ id: 'Overlap' });

/** Facts of the listing in the app's primary country; null is "the store does not say", or not read yet. */
export const competitor = z
  .strictObject({
    id,
    appId: id,
    store: storeName,
    storeAppId: z.string(),
    name: z.string(),
    developer: z.string().nullable(),
    iconUrl: z.string().nullable(),
    storeUrl: z.string(),
    category: z.string().nullable(),
    price: z.number().nullable(),
    currency: z.string().nullable(),
    free: z.boolean().nullable(),
    rating: z.number().nullable(),
    ratingCount: z.int().nullable(),
    installs: bigInteger.nullable(),
    version: z.string().nullable(),
    releasedAt: instant.nullable(),
    updatedAt: instant.nullable(),
    relationship: z.string().nullable(),
    note: z.string().nullable(),
    trackedAppId: id
      .nullable()
      .meta({ description: 'The app of this workspace, when the listing is tracked as one too.' }),
    createdAt: instant,
    lastSnapshotAt: instant.nullable(),
    overlap,
  })
  .meta({ id: 'Competitor' });

const place = z.strictObject({ position, depth });

const suggestion = z
  .strictObject({
    storeAppId: z.string(),
    name: z.string().nullable(),
    developer: z.string().nullable(),
    iconUrl: z.string().nullable(),
    rating: z.number().nullable(),
    ratingCount: z.int().nullable(),
    trackedAppId: id.nullable(),
    keywords: z
      .int()
      .min(1)
      .meta({ description: 'The app’s keywords with it in the first 10 places.' }),
    share: z.number().min(0).max(1).meta({ description: 'Of all keywords looked at.' }),
    ahead: z.int().meta({ description: 'Keywords on which it stands before the app.' }),
    averagePosition: z.number().min(1),
    evidence: z.array(
      z.strictObject({
        keywordId: id,
        phrase: z.string(),
        country,
        date: utcDay,
        position: z.int().min(1),
        own: place,
      }),
    ),
  })
  .meta({ id: 'CompetitorSuggestion' });

const gap = z
  .strictObject({
    keywordId: id,
    phrase: z.string(),
    country,
    competitorId: id,
    competitorName: z.string(),
    kind: z
      .enum(['pure', 'behind'])
      .meta({
        description:
          'pure: it stands where the app was looked for and not found. behind: both stand, it higher.',
      }),
    urgency: z.int().min(0).max(100),
    evidence: z.strictObject({
      date: utcDay,
      own: place,
      competitor: place,
      placesBehind: z.int().nullable(),
      traffic: z.int().min(0).max(100).nullable(),
    }),
    explanation: z.string(),
  })
  .meta({ id: 'KeywordGap' });

const compared = z.strictObject({
  competitorId: id.nullable().meta({ description: 'Null for the app itself.' }),
  storeAppId: z.string(),
  name: z.string(),
  iconUrl: z.string().nullable(),
  snapshot: snapshot
    .nullable()
    .meta({ description: 'Null when it was not read in this country yet.' }),
});

export const competitors = operationsOf({
  'GET /apps/{id}/competitors': {
    summary: 'The competitors of an app, and how it does against each',
    rateClass: 'read',
    readOnlyToken: true,
    params: idParam,
    query: z.strictObject({
      country: country
        .optional()
        .meta({ description: 'Counts the overlap there alone; in all countries without a word.' }),
    }),
    responses: { 200: listOf(competitor) },
  },
  'POST /apps/{id}/competitors': {
    summary: 'Compare the app with another of its store; that one is not added to the apps',
    rateClass: 'store',
    readOnlyToken: false,
    idempotent: true,
    enqueues: true,
    params: idParam,
    body: z.union([
      z.strictObject({ url: z.string().min(1).max(2_000), relationship: relationship.optional() }),
      z.strictObject({ storeAppId, relationship: relationship.optional() }),
    ]),
    responses: {
      201: z.strictObject({ competitor, job: jobReference }),
      200: z.strictObject({ competitor, job: jobReference.nullable() }),
    },
  },
  'PATCH /apps/{id}/competitors/{cid}': {
    summary: 'Change what is noted of a competitor',
    rateClass: 'write',
    readOnlyToken: false,
    params: competitorParams,
    body: z.strictObject({
      relationship: relationship.nullable().optional(),
      note: note.nullable().optional(),
    }),
    responses: { 200: competitor },
  },
  'DELETE /apps/{id}/competitors/{cid}': {
    summary: 'Put a competitor away; added again, it comes back under its id',
    rateClass: 'write',
    readOnlyToken: false,
    params: competitorParams,
    responses: { 200: deleted },
  },
  'GET /apps/{id}/competitors/suggestions': {
    summary: 'Who stands in the app’s markets most, from kept results; asks no store',
    rateClass: 'read',
    readOnlyToken: true,
    params: idParam,
    query: z.strictObject({ country: country.optional(), limit: integerText(1, 50).default(20) }),
    responses: { 200: listOf(suggestion) },
  },
  'GET /apps/{id}/competitors/{cid}/rankings': {
    summary: 'Where a competitor stands on the app’s keywords, newest day first',
    rateClass: 'read',
    readOnlyToken: true,
    params: competitorParams,
    query: z.strictObject({
      ...paging,
      ...dayRange,
      country: country.optional(),
      keywordId: idText.optional(),
    }),
    responses: { 200: listOf(checkedCell) },
  },
  'GET /apps/{id}/gaps': {
    summary:
      'Keywords on which competitors stand and the app does not, or stands behind them; most urgent first',
    rateClass: 'read',
    readOnlyToken: true,
    params: idParam,
    query: z.strictObject({
      ...paging,
      country: country.optional(),
      kind: z.enum(['pure', 'behind']).optional(),
    }),
    responses: { 200: listOf(gap) },
  },
  'GET /apps/{id}/compare': {
    summary: 'The app’s listing beside those of competitors',
    rateClass: 'read',
    readOnlyToken: true,
    params: idParam,
    query: z.strictObject({
      with: z
        .string()
        .regex(
          /^[1-9]\d{0,9}(,[1-9]\d{0,9}){0,9}$/,
          'up to 10 ids of competitors, separated by commas',
        )
        .optional()
        .meta({
          description:
            'Up to 10 ids of competitors, separated by commas; the first 10 without a word.',
        }),
      country: country.optional(),
    }),
    responses: {
      200: z.strictObject({
        country,
        items: z.array(compared),
        differing: z
          .array(z.string())
          .meta({ description: 'Fields that are not the same in all that were read.' }),
      }),
    },
  },
});
