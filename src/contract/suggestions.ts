import { z } from 'zod';
import {
  country,
  flagText,
  idParam,
  instant,
  integerText,
  listOf,
  listText,
  requestedDevice,
  storeFailure,
  textOf,
  utcDay,
  cursor,
} from './common.ts';
import { countryScore } from './country-scores.ts';
import { locatedWords } from './located-words.ts';
import { operationsOf } from './operation.ts';
import { publishedPopularity } from './popularity.ts';
import { lowConfidenceRange } from './scores.ts';

export const suggestionSources = ['autocomplete', 'listing', 'competitors', 'serp'] as const;

/** A reason for a suggestion; one for each source that has the phrase. */
export const suggestionEvidence = z
  .discriminatedUnion('source', [
    z.strictObject({
      source: z.literal('autocomplete'),
      prefix: z.string().meta({ description: 'The typed prefix.' }),
      position: z
        .int()
        .min(1)
        .meta({ description: 'Its position among the store’s hints for the prefix.' }),
    }),
    z.strictObject({
      source: z.literal('listing'),
      field: z.enum(['title', 'subtitle', 'summary', 'category', 'description']),
      country,
      takenAt: instant.nullable(),
    }),
    z.strictObject({
      source: z.literal('competitors'),
      competitors: z.int().min(1),
      apps: z.array(z.strictObject({ storeAppId: z.string(), name: z.string() })).max(3),
    }),
    z.strictObject({
      source: z.literal('serp'),
      apps: z.int().min(2).meta({
        description: 'Apps in the top 10 of your markets with the phrase in their names.',
      }),
      markets: z.int().min(1),
      bestPosition: z.int().min(1).max(10),
      newest: utcDay,
      names: z.array(z.string()).max(3),
    }),
  ])
  .meta({ id: 'SuggestionEvidence' });

const suggestionScore = countryScore
  .omit({ phrase: true, words: true, country: true, device: true, published: true })
  .meta({ id: 'SuggestionScore' });

export const suggestion = z
  .strictObject({
    phrase: z.string(),
    words: locatedWords,
    source: z.enum(suggestionSources).meta({ description: 'The strongest evidence.' }),
    evidence: z.array(suggestionEvidence).min(1),
    alreadyTracked: z.boolean().meta({ description: 'In this country, on this device.' }),
    estTraffic: z
      .int()
      .min(0)
      .max(100)
      .nullable()
      .meta({ description: 'Known only for markets that this workspace tracks; null otherwise.' }),
    estTrafficRange: lowConfidenceRange,
    published: publishedPopularity.nullable().meta({
      description:
        'What the store publishes about the phrase. The genre of a phrase that is not listed is ' +
        'unknown here. Null without data for the country, and on devices that it does not count.',
    }),
    score: suggestionScore.nullable().meta({
      description:
        'The scores that `POST /apps/{id}/country-scores` was asked for in the last 90 days; ' +
        'null when nobody asked for them.',
    }),
  })
  .meta({ id: 'KeywordSuggestion' });

/**
 * A requested source that did not respond in full. Its suggestions are missing, which says nothing
 * about the phrases.
 */
const unavailableSource = z
  .strictObject({
    source: z.literal('autocomplete'),
    reason: storeFailure,
    prefixes: z
      .array(z.string())
      .min(1)
      .max(3)
      .meta({ description: 'Queries that failed; others succeeded.' }),
    retryAfterSeconds: z
      .int()
      .min(1)
      .nullable()
      .meta({ description: 'Null when a retry would not help.' }),
  })
  .meta({ id: 'UnavailableSource' });

export const suggestions = operationsOf({
  'GET /apps/{id}/keyword-suggestions': {
    summary: 'List keyword suggestions',
    description:
      'Lists phrases that may be worth tracking, each with its reason. Autocomplete that you ' +
      'requested in the last seven days is used again. Otherwise the store is queried up to ' +
      'three times, unless `source` excludes autocomplete. Only responses that queried the ' +
      'store use your allowance, and only requests that need it are refused once it is used up.',
    rateClass: 'store',
    onDemand: 'suggestions',
    mayBeFree: true,
    readOnlyToken: true,
    params: idParam,
    query: z.strictObject({
      country: country.optional(),
      device: requestedDevice.optional(),
      phrase: textOf(100, z.string().min(1)).optional(),
      source: listText(suggestionSources).optional(),
      refresh: flagText.optional(),
      limit: integerText(1, 100).default(50),
      cursor: cursor.optional(),
    }),
    pages: 'one',
    responses: {
      200: z.strictObject({
        ...listOf(suggestion).shape,
        autocompleteReadAt: instant.nullable().meta({
          description:
            'When the store listed the autocomplete; the oldest of several lists. Null without ' +
            'any.',
        }),
        unavailable: z
          .array(unavailableSource)
          .max(1)
          .meta({
            description:
              'Empty when every requested source responded. A store that does not respond ' +
              'leaves the other sources complete; the response is 503 only when autocomplete ' +
              'was the only source and returned nothing.',
          }),
      }),
    },
  },
});
