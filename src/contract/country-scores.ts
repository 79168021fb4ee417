import { z } from 'zod';
import {
  bigId,
  country,
  device,
  id,
  idParam,
  instant,
  integerText,
  jobReference,
  listOf,
  paging,
  requestedDevice,
  storeFailure,
  storeName,
  textOf,
} from './common.ts';
import { countryScoreStates } from './choices.ts';
import { locatedWords } from './located-words.ts';
import { operationsOf } from './operation.ts';
import { depth, position } from './rankings.ts';
import { publishedPopularity } from './popularity.ts';
import { confidence, scoreRange, scoreValue, trafficBasis } from './scores.ts';

export const countryScoresMax = 500;

/** The domain checks phrases and countries, so that each limit has its own error code. */
const body = z.strictObject({
  phrases: z
    .union([
      z.literal('tracked'),
      z
        .array(z.string().min(1).max(10_000))
        .min(1)
        .max(5_000)
        .meta({ stated: { maxItems: 200 } }),
    ])
    .meta({
      description:
        'Phrases of at most 100 characters and five words, or `tracked` for the phrases that the ' +
        'app tracks in any country.',
    }),
  countries: z
    .array(z.string().max(40))
    .min(1)
    .max(300)
    .meta({
      stated: { maxItems: 200 },
      description: `Phrases times countries are at most ${countryScoresMax}.`,
    }),
  device: requestedDevice.optional(),
});
const example = { phrases: ['habit tracker'], countries: ['us', 'de', 'jp'] };

const cost = z
  .strictObject({
    markets: z.int().min(0).meta({ description: 'Phrases times countries, each counted once.' }),
    tracked: z.int().min(0).meta({ description: 'Tracked already; their scores cost nothing.' }),
    fresh: z
      .int()
      .min(0)
      .meta({ description: 'Scored in the last `freshDays` days; they are not scored again.' }),
    open: z.int().min(0).meta({ description: 'Part of a job that has not ended.' }),
    toScore: z.int().min(0),
    freshDays: z.int().min(1),
    requests: z
      .strictObject({ min: z.int().min(0), max: z.int().min(0) })
      .meta({ description: 'Requests to the store.' }),
    seconds: z.strictObject({ min: z.int().min(0), max: z.int().min(0) }).meta({
      description: 'At the pace of the store, when nothing else is requested from it.',
    }),
    allowance: z
      .strictObject({
        limit: z.int(),
        used: z.int(),
        resetSeconds: z.int().min(1),
      })
      .nullable()
      .meta({ description: 'Scores of a UTC day in the plan; null without plans.' }),
  })
  .meta({ id: 'CountryScoreCost' });

export const countryScore = z
  .strictObject({
    phrase: z.string(),
    words: locatedWords,
    country,
    device,
    state: z.enum(countryScoreStates).meta({
      description:
        '`tracked` the scores are those of the keyword; `scored` it has a result; `waiting` a ' +
        'job scores it, and an older result is still shown; `failed` the newest attempts had no ' +
        'result; `not_scored` its job ended before it was scored.',
    }),
    keywordId: id.nullable(),
    jobId: bigId.nullable().meta({ description: 'The job that has still to score it.' }),
    requestedAt: instant,
    scoredAt: instant.nullable(),
    position,
    depth: depth.nullable().meta({ description: 'Null before the first result.' }),
    traffic: scoreValue.nullable(),
    difficulty: scoreValue.nullable(),
    opportunity: scoreValue.nullable().meta({
      description: 'For this app; null without both scores and a result.',
    }),
    ranges: z.strictObject({
      traffic: scoreRange.nullable(),
      difficulty: scoreRange.nullable(),
    }),
    confidences: z.strictObject({ traffic: confidence, difficulty: confidence }).nullable(),
    trafficBasis: trafficBasis.nullable().meta({ description: 'Null without traffic.' }),
    published: publishedPopularity.nullable().meta({
      description:
        'What the store published when the phrase was scored, or publishes about a tracked one; ' +
        'null without data for the country, and on devices that it does not count.',
    }),
    failure: z.strictObject({ reason: storeFailure, at: instant }).nullable().meta({
      description: 'Of a newest attempt without a result. An older result stays as it is.',
    }),
  })
  .meta({ id: 'CountryScore' });

const requested = z.strictObject({ job: jobReference.nullable(), cost, poll: z.string() });

export const countryScores = operationsOf({
  'GET /apps/{id}/country-scores': {
    summary: 'List scores by country',
    description:
      'Lists the phrases that were scored in countries for an app, with its opportunity in each. ' +
      'No store is queried. Results are kept for 90 days after their last request.',
    rateClass: 'read',
    readOnlyToken: true,
    params: idParam,
    query: z.strictObject({
      ...paging,
      phrase: textOf(1_000, z.string().min(1)).optional(),
      country: country.optional(),
      device: requestedDevice.optional(),
      state: z.enum(countryScoreStates).optional(),
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
          'country',
          '-country',
          'phrase',
          '-phrase',
        ])
        .default('-opportunity'),
    }),
    responses: {
      200: z.strictObject({
        store: storeName,
        ...listOf(countryScore).shape,
        waiting: z.int().min(0).meta({
          description: 'Rows of the phrase, country and device that a job has still to score.',
        }),
      }),
    },
  },
  'POST /apps/{id}/country-scores': {
    summary: 'Score phrases in countries',
    description:
      'Scores phrases in countries before they are tracked. A job queries the store at its pace ' +
      'and keeps each result. Phrases that are tracked, or were scored in the last days, are not ' +
      'requested again; the status is 200 and the job null when nothing is left to score.',
    rateClass: 'write',
    readOnlyToken: false,
    idempotent: true,
    enqueues: true,
    params: idParam,
    body,
    example,
    responses: { 202: requested, 200: requested },
  },
  'POST /apps/{id}/country-scores/preview': {
    summary: 'Preview scoring phrases in countries',
    description:
      'Returns what scoring phrases in countries would request from the store, and what is known ' +
      'already. Nothing is written, and no store is queried.',
    rateClass: 'read',
    readOnlyToken: true,
    params: idParam,
    body,
    example,
    responses: { 200: z.strictObject({ cost }) },
  },
});
