import { z } from 'zod';
import { provider } from './rankings.ts';

/** How far two orders of the same results are apart. */
export const orderDistance = z
  .strictObject({
    common: z.int().min(0).meta({ description: 'Apps that both have in their first positions.' }),
    medianDistance: z
      .number()
      .min(0)
      .nullable()
      .meta({ description: 'The median of the positions between them; null without common apps.' }),
    correlation: z
      .number()
      .min(-1)
      .max(1)
      .nullable()
      .meta({
        description:
          'Spearman’s rank correlation of the common apps: 1 is the same order, 0 an unrelated ' +
          'one; null for fewer than three.',
      }),
  })
  .meta({ id: 'OrderDistance' });

/** The distance between two providers over the sampled markets of some days. */
export const sampledDistance = z
  .strictObject({
    a: provider,
    b: provider,
    markets: z.int().min(1).meta({ description: 'Sampled markets.' }),
    medianDistance: z
      .number()
      .min(0)
      .nullable()
      .meta({ description: 'The median of the markets’ medians.' }),
    correlation: z.number().min(-1).max(1).nullable().meta({
      description: 'The median of the markets’ rank correlations.',
    }),
  })
  .meta({ id: 'SampledDistance' });
