import { z } from 'zod';
import {
  accepted,
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
  paging,
  requestedDevice,
  storeFailure,
  storeName,
  textOf,
  utcDay,
} from './common.ts';
import { operationsOf } from './operation.ts';
import { publishedList, publishedPopularity } from './popularity.ts';
import { depth, position } from './rankings.ts';

const keywordIdParam = z.strictObject({ keywordId: idText });

export const scoreValue = z
  .int()
  .min(0)
  .max(100)
  .meta({ id: 'Score', description: '0–100. Scores of the two stores cannot be compared.' });
export const confidence = z.enum(['high', 'medium', 'low']).meta({ id: 'Confidence' });
const share = z.number().min(0).max(1);

/** The limits between which a score probably is. */
export const scoreRange = z
  .strictObject({ low: z.int().min(0).max(100), high: z.int().min(0).max(100) })
  .meta({
    id: 'ScoreRange',
    description: 'The limits between which a score probably is: the less is known, the wider.',
  });

export const lowConfidenceRange = scoreRange.nullable().meta({
  description: 'Set when the confidence of the score is low: show it instead of the number.',
});

const scoreEvidence = z.array(
  z.strictObject({
    score: z.enum(['traffic', 'difficulty']),
    signal: z.string(),
    value: share,
    weight: share,
    points: z.number().min(0),
  }),
);

const otherDifficulty = z
  .strictObject({
    score: scoreValue,
    range: scoreRange,
    confidence,
    evidence: scoreEvidence,
    missing: z.array(z.string()),
  })
  .nullable();

const publishedTerm = z.strictObject({
  popularity: scoreValue,
  genre: z.string().nullable(),
  period: z.string().meta({ description: 'The first day of its week, or its month.' }),
});

export const trafficBasis = z.enum(['published', 'bound', 'estimate']).meta({
  id: 'TrafficBasis',
  description:
    '`published` the store publishes this number. `bound` the store does not list the phrase, ' +
    'and a higher estimate was lowered to what its list proves. `estimate` from the signals alone.',
});

/** The provenance of a pair of scores; the points of its signals add up to the score. */
export const scoreProvenance = z
  .strictObject({
    formula: z.string().meta({ example: 'traffic.ios@2+difficulty.ios@2' }),
    store: storeName,
    country,
    observedAt: utcDay.meta({ description: 'The latest day of the evidence.' }),
    evidence: scoreEvidence,
    inputs: z.strictObject({
      serpDate: utcDay.nullable(),
      serpSize: z.int().nullable(),
      medianRatingCount: z.int().nullable(),
      exactTitles: z.int().nullable(),
      brand: z.boolean(),
      hintsDate: utcDay.nullable(),
      hintPrefix: z
        .string()
        .nullable()
        .meta({
          description:
            'The shortest prefix at which the phrase is offered; null: never, not even for the ' +
            'whole phrase.',
        }),
      hintPosition: z.int().min(1).nullable(),
      chartingApps: z.int().nullable(),
      continuations: z
        .int()
        .min(0)
        .nullable()
        .optional()
        .meta({
          description:
            'The number of suggestions that continue the whole phrase; null: unknown. From ' +
            'version 2 on.',
        }),
      plural: z
        .boolean()
        .nullable()
        .optional()
        .meta({ description: 'Whether its plural is suggested. From version 2 on.' }),
      published: publishedTerm
        .nullable()
        .optional()
        .meta({ description: 'The popularity that the store publishes. From version 2 on.' }),
      popularityBound: scoreValue.nullable().optional().meta({
        description:
          'A phrase that the store does not list has at most this popularity. From version 2 on.',
      }),
      publishedList: publishedList.optional().meta({
        description:
          'The list that has the published number or proves the bound; absent without either.',
      }),
    }),
    missing: z.array(z.string()).meta({
      description:
        'Signals without evidence; their weight went to the others, nothing was guessed.',
    }),
    confidence: confidence.meta({ description: 'The lower of the two.' }),
    confidences: z.strictObject({ traffic: confidence, difficulty: confidence }),
    ranges: z
      .strictObject({ traffic: scoreRange.nullable(), difficulty: scoreRange.nullable() })
      .optional()
      .meta({ description: 'From version 2 on.' }),
    estimate: z
      .strictObject({
        traffic: scoreValue.nullable(),
        range: scoreRange.nullable(),
        evidence: scoreEvidence,
      })
      .nullable()
      .optional()
      .meta({
        description:
          'The traffic from the signals alone, when a published number or its bound replaced it.',
      }),
    difficulties: z
      .strictObject({ top5: otherDifficulty, top20: otherDifficulty })
      .optional()
      .meta({
        description:
          'How hard it is to reach the first 5 and the first 20; `difficulty` is about the first ' +
          '10. From version 2 on.',
      }),
  })
  .meta({ id: 'ScoreProvenance' });

export const keywordScore = z
  .strictObject({
    scoredAt: instant,
    traffic: scoreValue.nullable(),
    difficulty: scoreValue.nullable(),
    provenance: scoreProvenance,
  })
  .meta({ id: 'KeywordScore' });

/** The provenance of a score that a newer one replaced is deleted after some months. */
export const recordedScore = z
  .strictObject({
    ...keywordScore.shape,
    provenance: scoreProvenance.nullable().meta({
      description:
        'Null when it is older than this instance keeps it: `scoreProvenanceDays` of ' +
        'GET /retention. The newest score always has it.',
    }),
  })
  .meta({ id: 'RecordedScore' });

/** The scores of a phrase that need not be tracked. */
const phraseScore = z
  .strictObject({
    phrase: z.string().meta({ description: 'Normalised, as it was searched.' }),
    country,
    device,
    store: storeName,
    keywordId: id
      .nullable()
      .meta({ description: 'The keyword with which the app tracks the phrase already.' }),
    position,
    depth,
    ...keywordScore.shape,
    trafficBasis: trafficBasis.nullable().meta({ description: 'Null without traffic.' }),
    opportunity: scoreValue.nullable().meta({
      description: 'For this app, by the formula of tracked keywords. Null without both scores.',
    }),
    published: publishedPopularity.nullable().meta({
      description: 'Null without data for the country, and on devices that it does not count.',
    }),
    unavailable: z
      .array(
        z.strictObject({
          source: z.literal('hints'),
          reason: storeFailure,
          retryAfterSeconds: z
            .int()
            .min(1)
            .nullable()
            .meta({ description: 'Null when a retry would not help.' }),
        }),
      )
      .max(1)
      .meta({
        description:
          'The evidence besides the results that the store did not provide: `traffic` is ' +
          'null then, and nothing was guessed.',
      }),
  })
  .meta({ id: 'PhraseScore' });

const opportunity = z
  .strictObject({
    keywordId: id,
    phrase: z.string(),
    country,
    device,
    opportunity: scoreValue,
    components: z.strictObject({
      traffic: scoreValue,
      trafficBasis,
      difficulty: scoreValue,
      position,
      depth,
      headroom: scoreValue,
      relevance: scoreValue,
    }),
    explanation: z.string(),
  })
  .meta({ id: 'Opportunity' });

const formula = z
  .strictObject({
    id: z.string(),
    score: z.enum(['traffic', 'difficulty', 'opportunity']),
    store: storeName.nullable(),
    expression: z.string(),
    weights: z.array(z.strictObject({ signal: z.string(), weight: share, meaning: z.string() })),
    normalisations: z.array(
      z.strictObject({
        name: z.string(),
        value: z.union([z.number(), z.boolean()]),
        meaning: z.string(),
      }),
    ),
  })
  .meta({ id: 'ScoreFormula' });

const correlation = z.number().min(-1).max(1);
const evaluation = z
  .strictObject({
    store: storeName,
    formula: z.string(),
    markets: z.int().min(0),
    apps: z.int().min(0),
    correlation: z
      .strictObject({ value: correlation, low: correlation, high: correlation })
      .nullable()
      .meta({
        description:
          'Spearman’s rank correlation with its 95 % interval; null with too few apps whose ' +
          'strength is known.',
      }),
  })
  .meta({ id: 'ScoreEvaluation' });

export const scores = operationsOf({
  'POST /keywords/{keywordId}/score': {
    summary: 'Score a keyword now',
    description:
      'Computes traffic and difficulty of a keyword now. It reads its search hints from ' +
      'the store.',
    rateClass: 'store',
    onDemand: 'score',
    readOnlyToken: false,
    idempotent: true,
    enqueues: true,
    params: keywordIdParam,
    responses: { 202: accepted },
  },
  'GET /apps/{id}/phrase-score': {
    summary: 'Score a phrase before tracking it',
    description:
      'Scores a phrase that is not tracked yet. It queries the store for results and ' +
      'hints, and stores nothing.',
    rateClass: 'store',
    onDemand: 'score',
    readOnlyToken: true,
    params: idParam,
    // The domain checks the phrase, as when keywords are added.
    query: z.strictObject({
      phrase: textOf(1_000, z.string().min(1)).meta({
        stated: { maxLength: 100 },
        description: 'At most 100 characters and five words.',
      }),
      country,
      device: requestedDevice.optional(),
    }),
    responses: { 200: phraseScore },
  },
  'GET /keywords/{keywordId}/scores': {
    summary: 'List a keyword’s scores',
    description: 'Lists traffic and difficulty over time with their provenance, the newest first.',
    rateClass: 'read',
    readOnlyToken: true,
    params: keywordIdParam,
    query: z.strictObject({ ...dayRange, ...paging }),
    responses: { 200: z.strictObject({ store: storeName, ...listOf(recordedScore).shape }) },
  },
  'GET /apps/{id}/opportunities': {
    summary: 'List opportunities',
    description:
      'Lists the keywords of an app by opportunity, which is computed on read and never ' +
      'stored.',
    rateClass: 'read',
    readOnlyToken: true,
    params: idParam,
    query: z.strictObject({
      ...paging,
      country: country.optional(),
      device: device.optional(),
      keywordIds: idListText.optional(),
      minTraffic: integerText(0, 100).optional(),
      maxDifficulty: integerText(0, 100).optional(),
      sort: z
        .enum([
          '-opportunity',
          'opportunity',
          '-traffic',
          'traffic',
          '-difficulty',
          'difficulty',
          'position',
          '-position',
        ])
        .default('-opportunity'),
    }),
    responses: {
      200: z.strictObject({
        store: storeName,
        ...listOf(opportunity).shape,
        unscored: z.int().meta({
          description: 'Keywords without traffic, difficulty or a check; they are not listed.',
        }),
      }),
    },
  },
  'GET /scores/formulas': {
    summary: 'Get score formulas',
    description: 'Returns every weight and normalisation of the scores.',
    rateClass: 'read',
    readOnlyToken: true,
    responses: { 200: z.strictObject({ version: z.int(), formulas: z.array(formula) }) },
  },
  'GET /scores/evaluation': {
    summary: 'Evaluate difficulty',
    description:
      'Returns how well difficulty orders positions in the stored results of the workspace: the ' +
      'rank correlation between difficulty less the strength of an app, and its position, over ' +
      'apps with the phrase in their titles. It needs no labels.',
    rateClass: 'read',
    heavy: true,
    countsAsWrite: true,
    readOnlyToken: true,
    responses: { 200: z.strictObject({ seed: z.int(), items: z.array(evaluation) }) },
  },
  'POST /scores/recompute': {
    summary: 'Recompute scores',
    description: 'Computes scores again from stored evidence. No store is queried.',
    rateClass: 'write',
    readOnlyToken: false,
    idempotent: true,
    enqueues: true,
    body: z.strictObject({
      formulaVersion: z.int().min(1).max(1_000).optional(),
      scope: z.union([z.literal('workspace'), z.strictObject({ appId: id })]).default('workspace'),
    }),
    example: { scope: 'workspace' },
    responses: { 202: accepted },
  },
});
