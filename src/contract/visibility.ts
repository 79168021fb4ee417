import { z } from 'zod';
import { country, dayRange, idParam, listOf, utcDay } from './common.ts';
import { operationsOf } from './operation.ts';

const visibilityDay = z
  .strictObject({
    date: utcDay,
    index: z
      .number()
      .min(0)
      .max(100)
      .nullable()
      .meta({ description: 'Over the keywords checked that day; null when none was.' }),
    coverage: z
      .number()
      .min(0)
      .max(1)
      .nullable()
      .meta({
        description: 'How much of what was followed that day was checked; null when nothing was.',
      }),
    followed: z.int().meta({ description: 'Keywords followed that day; paused ones are not.' }),
    checked: z.int(),
    ranked: z.int(),
  })
  .meta({ id: 'VisibilityDay' });

export const visibility = operationsOf({
  'GET /apps/{id}/visibility': {
    summary: 'How visible the app is in its markets, day by day',
    rateClass: 'read',
    readOnlyToken: true,
    params: idParam,
    query: z.strictObject({ ...dayRange, country: country.optional() }),
    responses: {
      200: z.strictObject({
        country: country.nullable(),
        formula: z
          .strictObject({
            id: z.string(),
            curve: z.string(),
            weights: z.string(),
            index: z.string(),
            coverage: z.string(),
          })
          .meta({
            id: 'VisibilityFormula',
            description: 'How the figures were made; another version gives other figures.',
          }),
        inputs: z.strictObject({
          weighting: z.enum(['traffic', 'equal']),
          keywords: z.int(),
          scored: z.int().meta({ description: 'Keywords with a traffic score.' }),
        }),
        ...listOf(visibilityDay).shape,
      }),
    },
  },
});
