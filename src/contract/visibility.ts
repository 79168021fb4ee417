import { z } from 'zod';
import { country, dayRange, device, idParam, listOf, utcDay, wholePaging } from './common.ts';
import { operationsOf } from './operation.ts';
import { segments } from './rankings.ts';

export const visibilityDay = z
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
        description:
          'The share of the weight of the tracked keywords that was checked that day; null when ' +
          'none was tracked.',
      }),
    followed: z.int().meta({ description: 'Keywords tracked that day, without paused ones.' }),
    added: z.int().meta({
      description: 'Keywords that were not tracked the day before, whether or not they count.',
    }),
    checked: z.int(),
    ranked: z.int(),
  })
  .meta({ id: 'VisibilityDay' });

export const visibilityQuery = {
  ...wholePaging,
  ...dayRange,
  country: country.optional(),
  device: device.optional(),
  keywords: z
    .enum(['all', 'same'])
    .default('all')
    .meta({
      description:
        '`same` counts only keywords that were tracked on the first and on the last day, so ' +
        'that an added keyword does not move the index.',
    }),
};

/** The scope, the formula and the keywords behind the days. */
export const visibilityBasis = {
  country: country.nullable(),
  device: device.nullable(),
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
      description: 'The version of the formula; another version gives other figures.',
    }),
  inputs: z.strictObject({
    weighting: z.enum(['traffic', 'equal']),
    keywords: z.int().meta({ description: 'The keywords that count.' }),
    tracked: z.int().meta({ description: 'All keywords tracked now.' }),
    scored: z.int().meta({ description: 'Keywords with a traffic score.' }),
  }),
  segments,
};

export const visibility = operationsOf({
  'GET /apps/{id}/visibility': {
    summary: 'Get an app’s visibility',
    description:
      'Returns the visibility of an app day by day, with the formula and the keywords ' +
      'behind it.',
    rateClass: 'read',
    readOnlyToken: true,
    params: idParam,
    query: z.strictObject(visibilityQuery),
    pages: 'cut',
    responses: {
      200: z.strictObject({
        ...visibilityBasis,
        ...listOf(visibilityDay).shape,
      }),
    },
  },
});
