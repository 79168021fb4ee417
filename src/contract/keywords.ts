import { z } from 'zod';
import { importBytesMax } from './body-limits.ts';
import {
  country,
  countryText,
  deleted,
  device,
  id,
  idParam,
  idText,
  instant,
  integerText,
  jobReference,
  listOf,
  listText,
  note,
  paging,
  requestedDevice,
  tag,
  tags,
  utcDay,
} from './common.ts';
import { keywordCheckOf } from './keyword-check.ts';
import { importBody, importRow } from './keyword-import.ts';
import { locatedWords } from './located-words.ts';
import { operationsOf } from './operation.ts';
import { publishedPopularity } from './popularity.ts';
import { checkedDailyRank, depth, position } from './rankings.ts';
import { keywordScore, lowConfidenceRange } from './scores.ts';
import { storedResults } from './serp.ts';

const keywordIdParam = z.strictObject({ keywordId: idText });

export const change = z
  .strictObject({
    /**
     * Positions gained (positive) or lost (negative); null when either day was not found or not
     * checked.
     */
    positionsGained: z.int().nullable(),
    from: z.strictObject({ date: utcDay, position, depth }).nullable(),
    kind: z.enum(['gained', 'lost', 'same', 'entered', 'left', 'unknown']),
  })
  .meta({ id: 'RankChange' });

export const keyword = z
  .strictObject({
    id,
    appId: id,
    phrase: z.string(),
    country,
    device,
    depth,
    tags,
    note: z.string().nullable(),
    favorite: z.boolean(),
    paused: z.boolean(),
    createdAt: instant,
    latest: checkedDailyRank.nullable(),
    best: z.strictObject({ position: z.int().min(1), date: utcDay }).nullable(),
    change1d: change,
    change7d: change,
    change30d: change,
    traffic: z.int().min(0).max(100).nullable(),
    trafficRange: lowConfidenceRange,
    difficulty: z.int().min(0).max(100).nullable(),
    difficultyRange: lowConfidenceRange,
    opportunity: z.int().min(0).max(100).nullable(),
    published: publishedPopularity.nullable().meta({
      description: 'Null without data for the country, and on devices that it does not count.',
    }),
    scores: keywordScore.nullable().optional().meta({
      description:
        'With include=scores: the latest, with their evidence; null before there are any.',
    }),
    /**
     * With include=spark: the last 30 days, oldest first; null is not found, "-" is not checked.
     */
    spark: z.array(z.union([z.int().min(1), z.null(), z.literal('-')])).optional(),
    words: locatedWords.optional().meta({
      description:
        'With include=words: the words of the phrase; null before the listing was read in the ' +
        'country.',
    }),
    /** The reason why today has no ranking yet. */
    pending: z.enum(['queued', 'running', 'store_error', 'not_served', 'paused']).nullable(),
  })
  .meta({ id: 'Keyword' });

const keywordDetail = z
  .strictObject({
    ...keyword.shape,
    serp: storedResults.nullable().optional().meta({
      description:
        'With include=serp: the latest stored results, first 50; null before there are any.',
    }),
  })
  .meta({ id: 'KeywordDetail' });

/** `latest` is always included, so naming it adds nothing. */
const included = ['latest', 'scores', 'spark', 'words'] as const;

/** The domain checks phrases, so that each limit has its own error code. */
const phraseText = z
  .string()
  .min(1)
  .max(10_000)
  .meta({
    stated: {
      maxLength: 100,
      description: 'At most 100 characters and 5 words. White space becomes one space.',
    },
  });
const requestedDepth = depth.optional().meta({
  stated: { default: 200 },
  description:
    'How deep in the results the app is looked for. The settings can change the default.',
});
const requested = z.strictObject({
  phrase: phraseText,
  country: countryText,
  device: requestedDevice.optional(),
  depth: requestedDepth,
  tags: tags.optional(),
});

export const addKeywordsBody = z.union([
  z.strictObject({
    keywords: z
      .array(requested)
      .min(1)
      .max(5_000)
      .meta({ stated: { maxItems: 200 } }),
  }),
  z.strictObject({
    phrases: z
      .array(phraseText)
      .min(1)
      .max(5_000)
      .meta({ stated: { maxItems: 200 } }),
    countries: z
      .array(countryText)
      .min(1)
      .max(300)
      .meta({
        stated: { maxItems: 200, description: 'Phrases times countries are at most 200.' },
      }),
    devices: z.array(requestedDevice).min(1).max(20).optional(),
    depth: requestedDepth,
    tags: tags.optional(),
  }),
]);

const budgetDelta = z
  .strictObject({
    searchesPerDay: z.int(),
    requestsPerDay: z.number().meta({ description: 'All kinds, on an ordinary day.' }),
    firstRunRequests: z.number().meta({
      description: 'One-time requests of the next run: at most the first hints of new markets.',
    }),
    utilizationBefore: z
      .number()
      .meta({ description: 'The busier store’s share of an ordinary day.' }),
    utilizationAfter: z.number(),
  })
  .meta({ id: 'BudgetDelta' });

const addedKeywords = z
  .strictObject({
    added: z.array(keyword),
    existing: z.array(keyword),
    job: jobReference.nullable(),
    budgetDelta,
  })
  .meta({ id: 'AddedKeywords' });

const removedKeyword = z
  .strictObject({
    id,
    appId: id,
    phrase: z.string(),
    country,
    device,
    depth,
    tags,
    note: z.string().nullable(),
    favorite: z.boolean(),
    paused: z.boolean(),
    removedAt: instant,
    purgeAt: instant.meta({ description: 'The keyword and its history are deleted then.' }),
  })
  .meta({ id: 'RemovedKeyword' });

const editable = ['tags', 'note', 'favorite', 'paused', 'depth'];
const keywordIds = z.array(id).min(1).max(200);

export const keywords = operationsOf({
  'GET /apps/{id}/keywords': {
    summary: 'List an app’s keywords',
    description: 'Lists the keywords of an app with their latest position, changes and scores.',
    rateClass: 'read',
    readOnlyToken: true,
    params: idParam,
    query: z.strictObject({
      ...paging,
      country: country.optional(),
      device: device.optional(),
      tag: tag.optional(),
      q: z.string().max(100).optional(),
      state: z.enum(['ranked', 'not_found', 'not_checked', 'paused', 'favorite']).optional(),
      sort: z
        .enum([
          'phrase',
          '-phrase',
          'position',
          '-position',
          'change1d',
          '-change1d',
          'change7d',
          '-change7d',
          'change30d',
          '-change30d',
          'createdAt',
          '-createdAt',
          'traffic',
          '-traffic',
          'difficulty',
          '-difficulty',
          'opportunity',
          '-opportunity',
          'published',
          '-published',
        ])
        .default('phrase'),
      published: z.enum(['listed', 'unlisted']).optional().meta({
        description: 'Whether the store publishes a popularity of the phrase.',
      }),
      minPublished: integerText(1, 100).optional().meta({
        description: 'The lowest published popularity. Phrases that are not listed are left out.',
      }),
      include: listText(included).optional(),
    }),
    responses: { 200: listOf(keyword) },
  },
  'POST /apps/{id}/keywords': {
    summary: 'Track keywords',
    description:
      'Tracks up to 200 keywords, all or none. Keywords that are already tracked are ' +
      'returned under `existing`; the status is 200 when nothing was added.',
    rateClass: 'write',
    readOnlyToken: false,
    idempotent: true,
    enqueues: true,
    params: idParam,
    body: addKeywordsBody,
    example: { keywords: [{ phrase: 'habit tracker', country: 'us' }] },
    responses: { 201: addedKeywords, 200: addedKeywords },
  },
  'POST /apps/{id}/keywords/preview': {
    summary: 'Preview tracking keywords',
    description: 'Returns the effect and the cost of tracking keywords. Nothing is written.',
    rateClass: 'read',
    readOnlyToken: true,
    params: idParam,
    body: addKeywordsBody,
    example: { phrases: ['habit tracker'], countries: ['us', 'de'] },
    responses: {
      200: z.strictObject({
        items: z.array(
          z.strictObject({
            phrase: z.string(),
            country,
            device,
            depth,
            state: z.enum(['new', 'existing', 'duplicate']),
            requestsPerDay: z.number(),
          }),
        ),
        budgetDelta,
      }),
    },
  },
  'POST /apps/{id}/keywords/import': {
    summary: 'Import keywords from a file',
    description:
      'Tracks up to 5,000 keywords from a file, all or none, and returns a result for ' +
      'each row.',
    rateClass: 'write',
    readOnlyToken: false,
    idempotent: true,
    enqueues: true,
    bodyBytesMax: importBytesMax,
    params: idParam,
    body: importBody,
    example: { format: 'csv', text: 'phrase,country\nhabit tracker,us\n' },
    responses: {
      200: z.strictObject({
        rows: z.array(importRow),
        added: z.int(),
        existing: z.int(),
        duplicates: z.int(),
        ignoredColumns: z.array(z.string()),
        job: jobReference.nullable(),
        budgetDelta,
      }),
    },
  },
  'POST /apps/{id}/keywords/copy-market': {
    summary: 'Copy keywords to other countries',
    description:
      'Copies the keywords of one country to up to ten others, at most 200 keywords at ' +
      'once. The devices stay the same. Paused keywords are not copied. The status is 200 when ' +
      'nothing was added.',
    rateClass: 'write',
    readOnlyToken: false,
    idempotent: true,
    enqueues: true,
    params: idParam,
    body: z.strictObject({
      fromCountry: countryText,
      toCountries: z.array(countryText).min(1).max(10),
      onlyTag: tag.optional(),
    }),
    example: { fromCountry: 'us', toCountries: ['gb', 'ca'] },
    responses: { 201: addedKeywords, 200: addedKeywords },
  },
  'POST /apps/{id}/keywords/delete': {
    summary: 'Stop tracking keywords',
    description:
      'Stops tracking up to 200 keywords. They are removed keywords for 30 days, in which they ' +
      'can be restored. Then they are deleted with their history.',
    rateClass: 'write',
    readOnlyToken: false,
    params: idParam,
    body: z.strictObject({ ids: keywordIds }),
    example: { ids: [345, 346] },
    responses: { 200: z.strictObject({ deleted: z.int() }) },
  },
  'POST /apps/{id}/keywords/update': {
    summary: 'Update keywords',
    description: 'Applies the same change to up to 200 keywords.',
    rateClass: 'write',
    readOnlyToken: false,
    params: idParam,
    body: z.strictObject({
      ids: keywordIds,
      set: z.strictObject({
        addTags: tags.optional(),
        removeTags: tags.optional(),
        paused: z.boolean().optional(),
        depth: depth.optional(),
        favorite: z.boolean().optional(),
      }),
    }),
    example: { ids: [345, 346], set: { addTags: ['brand'] } },
    responses: { 200: z.strictObject({ updated: z.int() }) },
  },
  'POST /apps/{id}/keywords/check': {
    summary: 'Check keywords now',
    description:
      'Checks the positions of up to 500 keywords ahead of the daily run. A keyword has one ' +
      'position a day: keywords that were checked today, are paused or are over the limit of ' +
      'the plan are returned under `skipped`. The status is 200, without a job, when nothing ' +
      'is left to check. Then it uses no allowance; otherwise it uses one of the day’s ' +
      'on-demand checks. Poll the job for its progress.',
    rateClass: 'store',
    onDemand: 'run-daily',
    readOnlyToken: false,
    idempotent: true,
    enqueues: true,
    params: idParam,
    body: z.strictObject({ ids: z.array(id).min(1).max(500) }),
    example: { ids: [345, 346] },
    responses: { 202: keywordCheckOf(jobReference), 200: keywordCheckOf(z.null()) },
  },
  'GET /apps/{id}/removed-keywords': {
    summary: 'List an app’s removed keywords',
    description:
      'Lists the keywords that were removed in the last 30 days, the newest removal first. A ' +
      'restored keyword gets everything back that is listed here, and its history.',
    rateClass: 'read',
    readOnlyToken: true,
    params: idParam,
    query: z.strictObject(paging),
    responses: { 200: listOf(removedKeyword) },
  },
  'POST /apps/{id}/removed-keywords/restore': {
    summary: 'Restore removed keywords',
    description:
      'Tracks up to 200 removed keywords again, all or none, with their id, history, tags, note, ' +
      'depth and state. Keywords that are tracked already are returned under `existing`. The ' +
      'limits of adding keywords apply: each phrase in a country and on a device that is not ' +
      'searched yet uses one of the keywords of the plan, and the store is searched for it. A ' +
      'keyword that was paused stays paused and uses none.',
    rateClass: 'write',
    readOnlyToken: false,
    idempotent: true,
    enqueues: true,
    params: idParam,
    body: z.strictObject({ ids: keywordIds }),
    example: { ids: [345, 346] },
    responses: {
      200: z.strictObject({
        restored: z.array(keyword),
        existing: z.array(keyword),
        job: jobReference.nullable(),
        budgetDelta,
      }),
    },
  },
  'GET /keywords/{keywordId}': {
    summary: 'Get a keyword',
    description: 'Returns one keyword with its latest position, changes and scores.',
    rateClass: 'read',
    readOnlyToken: true,
    versioned: editable,
    params: keywordIdParam,
    query: z.strictObject({ include: listText([...included, 'serp']).optional() }),
    responses: { 200: keywordDetail },
  },
  'PATCH /keywords/{keywordId}': {
    summary: 'Update a keyword',
    description:
      'Changes the tags, note, depth or state of a keyword. Its phrase, country and device ' +
      'cannot be changed.',
    rateClass: 'write',
    readOnlyToken: false,
    versioned: editable,
    params: keywordIdParam,
    body: z.strictObject({
      tags: tags.optional(),
      note: note.nullable().optional(),
      favorite: z.boolean().optional(),
      paused: z.boolean().optional(),
      depth: depth.optional(),
    }),
    example: { favorite: true, depth: 100 },
    responses: { 200: keyword },
  },
  'DELETE /keywords/{keywordId}': {
    summary: 'Stop tracking a keyword',
    description:
      'Stops tracking a keyword. It is a removed keyword for 30 days, in which it can be ' +
      'restored. Then it is deleted with its history.',
    rateClass: 'write',
    readOnlyToken: false,
    params: keywordIdParam,
    responses: { 200: deleted },
  },
});
