import { z } from 'zod';
import {
  country,
  dayRange,
  device,
  id,
  idListText,
  idParam,
  idText,
  instant,
  integerText,
  listOf,
  listText,
  paging,
  tag,
  utcDay,
  largePaging,
  wholePaging,
} from './common.ts';
import { locatedWords } from './located-words.ts';
import { operationsOf } from './operation.ts';

export const position = z
  .int()
  .min(1)
  .max(200)
  .nullable()
  .meta({
    id: 'Position',
    description:
      '1 is the top result; null: checked and not found within `depth`, or among fewer results ' +
      '(`resultCount`). Never 0.',
  });
export const depth = z.int().min(1).max(200).meta({
  id: 'Depth',
  description:
    'The examined depth. The store may have had fewer results, among which all were examined.',
});

/** Beside a position that is null. */
export const resultCount = z
  .int()
  .min(0)
  .max(199)
  .optional()
  .meta({
    description:
      'Only where the app was not found and the store had fewer results than `depth`: their ' +
      'number. The app was not among them.',
  });

export const provider = z
  .string()
  .regex(/^[a-z][a-z0-9]{0,19}$/)
  .meta({
    id: 'SearchProvider',
    description:
      'The source of the results: `itunes` is the iTunes Search API, `web` the search page of ' +
      'the store. The orders of two providers differ, and their positions are never compared.',
  });

/** A day that was checked. */
export const checkedDailyRank = z
  .strictObject({
    date: utcDay,
    keywordId: id,
    state: z.enum(['ranked', 'not_found']),
    position,
    depth,
    resultCount,
    checkedAt: instant,
    provider: provider
      .nullable()
      .meta({ description: 'Null for an imported position whose source is unknown.' }),
  })
  .meta({ id: 'DailyRank' });

const gapReason = z
  .enum(['shed', 'store_error', 'not_served', 'over_quota', 'not_yet_run', 'paused'])
  .meta({
    id: 'GapReason',
    description:
      '`shed` not used for positions; `store_error` the store did not respond; `not_served` the ' +
      'search provider has no results of this device; `over_quota` the plan allows fewer ' +
      'keywords; `not_yet_run` not checked before the day ended, or not yet today; `paused` the ' +
      'keyword was paused, or the workspace had no plan or was suspended.',
  });

const fallbackRank = z.strictObject({ provider, position, depth, checkedAt: instant }).meta({
  id: 'FallbackRank',
  description:
    'The position by another provider, on a day on which that of the keyword’s positions did ' +
    'not respond. It is part of no change, alert, visibility, record or action.',
});

/** A day that was not checked; only with fill=gaps. */
const dailyRankGap = z
  .strictObject({
    date: utcDay,
    keywordId: id,
    state: z.literal('not_checked'),
    reason: gapReason,
    fallback: fallbackRank.nullable(),
  })
  .meta({ id: 'DailyRankGap' });

export const segments = z.array(z.strictObject({ from: utcDay, provider })).meta({
  description:
    'The providers of the positions, oldest first; `from` is the first day of each. Positions of ' +
    'different segments are not compared.',
});

export const dailyRank = z.union([checkedDailyRank, dailyRankGap]);
const fill = z.literal('gaps').optional();
const ofMarket = { country: country.optional(), device: device.optional() };

const matrix = z
  .strictObject({
    dates: z.array(utcDay),
    segments,
    rows: z.array(
      z.strictObject({
        keywordId: id,
        cells: z.array(z.union([z.int().min(1).max(200), z.null(), z.literal('-')])),
        depths: z.array(depth.nullable()),
      }),
    ),
  })
  .meta({
    id: 'RankingMatrix',
    description:
      'cells: a position, null for not found within the entry of `depths` at the same index, ' +
      '"-" for not checked.',
  });

export const rankPair = z.strictObject({ date: utcDay, position, depth, resultCount });
const moverRow = z.strictObject({
  keywordId: id,
  phrase: z.string(),
  words: locatedWords,
  country,
  device,
  from: rankPair,
  to: rankPair,
  change: z.int().nullable().meta({
    description:
      'Positions gained (positive) or lost (negative); null when one side was not found.',
  }),
});

const movers = z
  .strictObject({
    from: utcDay,
    to: utcDay,
    gained: z.array(moverRow),
    lost: z.array(moverRow),
    entered: z.array(moverRow),
    left: z.array(moverRow),
    compared: z.int().meta({ description: 'The keywords with both ranks, by one provider.' }),
    notComparable: z.int().meta({ description: 'Those with both ranks, by two providers.' }),
    segments,
  })
  .meta({
    id: 'Movers',
    description:
      'Compares the latest rank at `from` with the latest at `to`, each at most 3 days ' +
      'older. Entries and exits count only within the depth of both days: not found within ' +
      '30 and then position 55 is neither.',
  });

const distributionDay = z.strictObject({
  date: utcDay,
  top1: z.int(),
  top2to3: z.int(),
  top4to10: z.int(),
  top11to50: z.int(),
  top51to100: z.int(),
  top101toDepth: z.int(),
  notFound: z.int(),
  notChecked: z.int(),
  notTracked: z.int().meta({
    description: 'Paused, or over the plan’s limit. The other counts are without them.',
  }),
  entered: z.int(),
  left: z.int(),
});

export const isComparable = z.boolean().meta({
  description: 'False when the positions of the two days are those of two providers.',
});

const compareRow = z.strictObject({
  keywordId: id,
  phrase: z.string(),
  words: locatedWords.optional().meta({ description: 'With include=words.' }),
  country,
  device,
  a: rankPair.nullable(),
  b: rankPair.nullable(),
  delta: z
    .int()
    .nullable()
    .meta({
      description:
        'Positions gained from a to b (positive) or lost (negative); null when one side was ' +
        'not checked or not found, or when two providers have them.',
    }),
  isComparable,
});

const topChange = z.strictObject({
  change: z.int().meta({ description: 'Above 0: more keywords are within the top on b.' }),
  keywords: z.int().meta({
    description:
      'The keywords that were compared: on both days found, or checked at least as deep, by one ' +
      'provider.',
  }),
});

export const comparisonTotals = z
  .strictObject({
    checkedOnBoth: z.int().meta({ description: 'By one provider or by two.' }),
    top3: topChange,
    top10: topChange,
    top50: topChange,
    averagePosition: z.strictObject({
      a: z.number().nullable(),
      b: z.number().nullable(),
      change: z.number().nullable().meta({
        description: 'Positions gained on average by keywords found on both days by one provider.',
      }),
      keywords: z.int().meta({ description: 'The keywords of `change`.' }),
    }),
  })
  .meta({ id: 'ComparisonTotals', description: 'Counts all keywords, whatever the page.' });

export const rankings = operationsOf({
  'GET /apps/{id}/rankings': {
    summary: 'List an app’s rankings',
    description:
      'Lists the positions of an app by keyword and day, the newest day first. Days ' +
      'without a check are left out unless `fill=gaps` is set.',
    rateClass: 'read',
    readOnlyToken: true,
    params: idParam,
    query: z.strictObject({
      ...paging,
      ...dayRange,
      ...ofMarket,
      keywordIds: idListText.optional(),
      tag: tag.optional(),
      fill,
    }),
    responses: { 200: listOf(dailyRank) },
  },
  'GET /keywords/{keywordId}/rankings': {
    summary: 'List a keyword’s rankings',
    description: 'Lists the positions of a keyword by day, with the annotations of the same days.',
    rateClass: 'read',
    readOnlyToken: true,
    params: z.strictObject({ keywordId: idText }),
    query: z.strictObject({ ...wholePaging, ...dayRange, fill }),
    pages: 'cut',
    responses: {
      200: z.strictObject({
        items: z.array(dailyRank),
        nextCursor: z.string().nullable(),
        total: z.int(),
        segments,
        annotations: z.array(
          z.strictObject({
            date: utcDay,
            text: z.string(),
            kind: z.enum(['metadata', 'version', 'note']),
          }),
        ),
      }),
    },
  },
  'GET /apps/{id}/rankings/matrix': {
    summary: 'Get the ranking matrix',
    description:
      'Returns keywords by days in compact form: all keywords of the app, or up to 100 of ' +
      'them.',
    rateClass: 'read',
    heavy: true,
    readOnlyToken: true,
    params: idParam,
    query: z.strictObject({
      ...dayRange,
      ...ofMarket,
      keywordIds: idListText.optional(),
    }),
    responses: { 200: matrix },
  },
  'GET /apps/{id}/rankings/movers': {
    summary: 'List movers between two days',
    description:
      'Returns the keywords that gained or lost positions between two days, and those ' +
      'that entered or left the results.',
    rateClass: 'read',
    readOnlyToken: true,
    params: idParam,
    query: z.strictObject({
      ...dayRange,
      ...ofMarket,
      limit: integerText(1, 500).default(50),
    }),
    responses: { 200: movers },
  },
  'GET /apps/{id}/rankings/distribution': {
    summary: 'Get the position distribution',
    description: 'Counts, for each day, how many keywords are in each range of positions.',
    rateClass: 'read',
    readOnlyToken: true,
    params: idParam,
    query: z.strictObject({ ...wholePaging, ...dayRange, ...ofMarket }),
    pages: 'cut',
    responses: { 200: z.strictObject({ ...listOf(distributionDay).shape, segments }) },
  },
  'GET /apps/{id}/rankings/compare': {
    summary: 'Compare rankings of two days',
    description:
      'Compares the positions of each keyword on two days. `totals` counts all of them; with ' +
      '`limit=1` it comes almost alone.',
    rateClass: 'read',
    readOnlyToken: true,
    params: idParam,
    query: z.strictObject({
      ...largePaging,
      a: utcDay,
      b: utcDay,
      ...ofMarket,
      include: listText(['words']).optional(),
    }),
    pages: 'cut',
    responses: {
      200: z.strictObject({ ...listOf(compareRow).shape, totals: comparisonTotals }),
    },
  },
  'GET /rankings/latest': {
    summary: 'List latest rankings',
    description: 'Lists the latest position of every keyword of the workspace.',
    rateClass: 'read',
    readOnlyToken: true,
    query: z.strictObject({
      ...paging,
      appIds: idListText.optional(),
      ...ofMarket,
    }),
    responses: {
      200: listOf(
        z.strictObject({
          keywordId: id,
          appId: id,
          phrase: z.string(),
          country,
          device,
          latest: checkedDailyRank.nullable(),
        }),
      ),
    },
  },
});
