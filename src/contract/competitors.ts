import { z } from 'zod';
import { snapshot } from './apps.ts';
import { categoryRank, chartName } from './charts.ts';
import {
  bigInteger,
  country,
  dayRange,
  deleted,
  device,
  flagText,
  id,
  idListText,
  idParam,
  idText,
  instant,
  integerText,
  itemEtag,
  jobReference,
  listOf,
  note,
  paging,
  storeName,
  textOf,
  utcDay,
  wholePaging,
  cursor,
} from './common.ts';
import { locatedWords } from './located-words.ts';
import { operationsOf } from './operation.ts';
import { checkedDailyRank, depth, position, resultCount } from './rankings.ts';
import { visibilityBasis, visibilityDay, visibilityQuery } from './visibility.ts';

const competitorParams = z.strictObject({ id: idText, cid: idText });
const relationship = textOf(60, z.string().trim().min(1));
const storeAppId = z.string().trim().min(1).max(200);

const overlap = z
  .strictObject({
    compared: z.int().meta({
      description:
        'Keywords for which both were examined deep enough for a comparison; by the latest ' +
        'day, at most 3 days old.',
    }),
    both: z.int(),
    wins: z.int().meta({ description: 'The part of `both` with the app ahead.' }),
    losses: z.int(),
    onlyOwn: z.int(),
    onlyCompetitor: z.int(),
  })
  .meta({ id: 'Overlap' });

/** The members that people edit. */
export const editableOfCompetitor = ['relationship', 'note'];

/**
 * Facts of the listing in the app's primary country; null means that the store does not provide the
 * value, or that it was not read yet.
 */
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
    trackedAppId: id.nullable().meta({
      description: 'The app of this workspace, when the listing is tracked as an app too.',
    }),
    createdAt: instant,
    lastSnapshotAt: instant.nullable(),
    overlap: overlap.nullable().meta({ description: 'Null with `overlap=false`.' }),
    etag: itemEtag,
  })
  .meta({ id: 'Competitor' });

const positionAtDepth = z.strictObject({ position, depth, resultCount });

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
      .meta({ description: 'The app’s keywords for which it is in the top 10.' }),
    share: z.number().min(0).max(1).meta({ description: 'The share of all examined keywords.' }),
    ahead: z.int().meta({ description: 'Keywords for which it ranks above the app.' }),
    averagePosition: z.number().min(1),
    evidence: z.array(
      z.strictObject({
        keywordId: id,
        phrase: z.string(),
        country,
        device,
        date: utcDay,
        position: z.int().min(1),
        own: positionAtDepth,
      }),
    ),
  })
  .meta({ id: 'CompetitorSuggestion' });

const gap = z
  .strictObject({
    keywordId: id,
    phrase: z.string(),
    words: locatedWords,
    country,
    device,
    competitorId: id,
    competitorName: z.string(),
    kind: z.enum(['pure', 'behind']).meta({
      description:
        'pure: it ranks where the app was not found. behind: both rank, and it ranks higher.',
    }),
    urgency: z.int().min(0).max(100),
    evidence: z.strictObject({
      date: utcDay,
      own: positionAtDepth,
      competitor: positionAtDepth,
      positionsBehind: z.int().nullable(),
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

const competitorVisibilityDay = visibilityDay
  .omit({ added: true })
  .extend({
    index: visibilityDay.shape.index.meta({
      description: 'Over the keywords whose position of the competitor is known that day.',
    }),
    ownIndex: visibilityDay.shape.index.meta({
      description: 'The index of the app over the same keywords of that day.',
    }),
  })
  .meta({ id: 'CompetitorVisibilityDay' });

export const competitors = operationsOf({
  'GET /apps/{id}/competitors': {
    summary: 'List competitors',
    description: 'Lists the competitors of an app, with a comparison of the app against each.',
    rateClass: 'read',
    readOnlyToken: true,
    params: idParam,
    query: z.strictObject({
      ...wholePaging,
      country: country.optional().meta({
        description: 'Counts only the overlap in this country; in all countries by default.',
      }),
      device: device.optional().meta({
        description: 'Counts only the overlap on this device; on all devices by default.',
      }),
      overlap: flagText.optional().meta({
        description:
          '`false` leaves out the comparison, which takes long with thousands of keywords and ' +
          'hundreds of competitors.',
      }),
    }),
    pages: 'cut',
    responses: { 200: listOf(competitor) },
  },
  'POST /apps/{id}/competitors': {
    summary: 'Create a competitor',
    description:
      'Adds a competitor, which is an app of the same store. It is not added to the apps.',
    rateClass: 'store',
    readOnlyToken: false,
    idempotent: true,
    enqueues: true,
    params: idParam,
    body: z.union([
      z.strictObject({ url: z.string().min(1).max(2_000), relationship: relationship.optional() }),
      z.strictObject({ storeAppId, relationship: relationship.optional() }),
    ]),
    example: { storeAppId: '1500000002' },
    responses: {
      201: z.strictObject({ competitor, job: jobReference }),
      200: z.strictObject({ competitor, job: jobReference.nullable() }),
    },
  },
  'PATCH /apps/{id}/competitors/{cid}': {
    summary: 'Update a competitor',
    description: 'Changes the relationship or the note of a competitor.',
    rateClass: 'write',
    readOnlyToken: false,
    versioned: editableOfCompetitor,
    params: competitorParams,
    body: z.strictObject({
      relationship: relationship.nullable().optional(),
      note: note.nullable().optional(),
    }),
    example: { relationship: 'direct' },
    responses: { 200: competitor },
  },
  'DELETE /apps/{id}/competitors/{cid}': {
    summary: 'Delete a competitor',
    description:
      'Removes a competitor. When it is added again, it has the same id and its history.',
    rateClass: 'write',
    readOnlyToken: false,
    params: competitorParams,
    responses: { 200: deleted },
  },
  'GET /apps/{id}/competitors/suggestions': {
    summary: 'List competitor suggestions',
    description:
      'Lists the apps that appear most often in the app’s markets, at most 50, from stored ' +
      'results. No store is queried.',
    rateClass: 'read',
    readOnlyToken: true,
    params: idParam,
    query: z.strictObject({
      country: country.optional(),
      device: device.optional(),
      limit: integerText(1, 50).default(20),
      cursor: cursor.optional(),
    }),
    pages: 'cut',
    responses: { 200: listOf(suggestion) },
  },
  'GET /apps/{id}/competitors/{cid}/rankings': {
    summary: 'List a competitor’s rankings',
    description: 'Lists the positions of a competitor on the app’s keywords, the newest day first.',
    rateClass: 'read',
    readOnlyToken: true,
    params: competitorParams,
    query: z.strictObject({
      ...paging,
      ...dayRange,
      country: country.optional(),
      device: device.optional(),
      keywordIds: idListText.optional(),
    }),
    responses: { 200: listOf(checkedDailyRank) },
  },
  'GET /apps/{id}/competitors/{cid}/visibility': {
    summary: 'Get a competitor’s visibility',
    description:
      'Returns the visibility of a competitor day by day, on the keywords of the app and with ' +
      'the same weights. A day counts a keyword when the app was checked for it and the position ' +
      'of the competitor is known.',
    rateClass: 'read',
    heavy: true,
    readOnlyToken: true,
    params: competitorParams,
    query: z.strictObject(visibilityQuery),
    pages: 'cut',
    responses: {
      200: z.strictObject({ ...visibilityBasis, ...listOf(competitorVisibilityDay).shape }),
    },
  },
  'GET /apps/{id}/competitors/{cid}/category-ranks': {
    summary: 'List a competitor’s category ranks',
    description:
      'Lists the positions of a competitor in the top charts of the app, on days on which the ' +
      'app was looked up in them.',
    rateClass: 'read',
    readOnlyToken: true,
    params: competitorParams,
    query: z.strictObject({
      ...paging,
      ...dayRange,
      country: country.optional(),
      chart: chartName.optional(),
    }),
    responses: { 200: listOf(categoryRank) },
  },
  'GET /apps/{id}/gaps': {
    summary: 'List keyword gaps',
    description:
      'Lists keywords for which competitors rank and the app does not, or ranks lower. ' +
      'The most urgent are first.',
    rateClass: 'read',
    readOnlyToken: true,
    params: idParam,
    query: z.strictObject({
      ...paging,
      country: country.optional(),
      device: device.optional(),
      kind: z.enum(['pure', 'behind']).optional(),
    }),
    responses: { 200: listOf(gap) },
  },
  'GET /apps/{id}/compare': {
    summary: 'Compare listings',
    description: 'Returns the app’s listing next to those of its competitors, field by field.',
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
          description: 'Up to 10 ids of competitors, separated by commas; by default the first 10.',
        }),
      country: country.optional(),
    }),
    responses: {
      200: z.strictObject({
        country,
        items: z.array(compared),
        differing: z
          .array(z.string())
          .meta({ description: 'Fields that differ among the readings.' }),
      }),
    },
  },
});
