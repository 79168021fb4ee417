import { z } from 'zod';
import {
  country,
  idParam,
  instant,
  integerText,
  listOf,
  listText,
  storeFailure,
  textOf,
  utcDay,
} from './common.ts';
import { operationsOf } from './operation.ts';

export const suggestionSources = ['autocomplete', 'listing', 'competitors', 'serp'] as const;

/** Why a phrase is suggested; one for each source that has it. */
export const suggestionEvidence = z
  .discriminatedUnion('source', [
    z.strictObject({
      source: z.literal('autocomplete'),
      prefix: z.string().meta({ description: 'What was typed.' }),
      place: z.int().min(1).meta({ description: 'Among what the store offered for it.' }),
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
      apps: z
        .int()
        .min(2)
        .meta({ description: 'Apps among the first ten of your markets whose names say it.' }),
      markets: z.int().min(1),
      bestPosition: z.int().min(1).max(10),
      newest: utcDay,
      names: z.array(z.string()).max(3),
    }),
  ])
  .meta({ id: 'SuggestionEvidence' });

export const suggestion = z
  .strictObject({
    phrase: z.string(),
    source: z.enum(suggestionSources).meta({ description: 'The strongest of its evidence.' }),
    evidence: z.array(suggestionEvidence).min(1),
    alreadyTracked: z.boolean(),
    estTraffic: z
      .int()
      .min(0)
      .max(100)
      .nullable()
      .meta({ description: 'Known only of markets that this workspace follows; null otherwise.' }),
  })
  .meta({ id: 'KeywordSuggestion' });

/** A source that was asked for and did not answer in full: what it has is missing, which says nothing about the phrases. */
const unavailableSource = z
  .strictObject({
    source: z.literal('autocomplete'),
    reason: storeFailure,
    prefixes: z
      .array(z.string())
      .min(1)
      .max(3)
      .meta({ description: 'What could not be asked; others were answered.' }),
    retryAfterSeconds: z
      .int()
      .min(1)
      .nullable()
      .meta({ description: 'Null where another try would not help.' }),
  })
  .meta({ id: 'UnavailableSource' });

export const suggestions = operationsOf({
  'GET /apps/{id}/keyword-suggestions': {
    summary:
      'Phrases worth following, with the reason for each; asks the store up to three times unless `source` leaves autocomplete out',
    rateClass: 'store',
    onDemand: 'suggestions',
    readOnlyToken: true,
    params: idParam,
    query: z.strictObject({
      country: country.optional(),
      seed: textOf(100, z.string().min(1)).optional(),
      source: listText(suggestionSources).optional(),
      limit: integerText(1, 100).default(50),
    }),
    responses: {
      200: z.strictObject({
        ...listOf(suggestion).shape,
        unavailable: z
          .array(unavailableSource)
          .max(1)
          .meta({
            description:
              'Empty when every source that was asked for has answered. A store that does not answer leaves the other sources whole; ' +
              'only where autocomplete alone was asked for and gave nothing the answer is 503.',
          }),
      }),
    },
  },
});
