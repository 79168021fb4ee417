import { z } from 'zod';
import { operationsOf } from './operation.ts';

const days = z.int().min(1).nullable();

export const retention = operationsOf({
  'GET /retention': {
    summary: 'Get retention periods',
    description:
      'Returns for how many days this instance keeps data that accumulates. Positions, reviews, ' +
      'listing changes and scores stay.',
    rateClass: 'read',
    readOnlyToken: true,
    responses: {
      200: z
        .strictObject({
          serpDays: days.meta({
            description:
              'Results of searches; null: for ever. They are deleted by whole months, and the ' +
              'last results of each keyword stay.',
          }),
          eventDays: days.meta({ description: 'Events; null: for ever.' }),
          deliveryDays: days.meta({ description: 'Webhook deliveries, from their end.' }),
          jobDays: days.meta({ description: 'Jobs, from their end; null: for ever.' }),
          popularityDays: z.int().min(1).meta({
            description: 'Published popularity by month and week: 65 weeks.',
          }),
          scoreProvenanceDays: days.meta({
            description:
              'The provenance of scores that a newer one replaced; null: for ever. It is ' +
              'deleted by whole months.',
          }),
        })
        .meta({ id: 'RetentionPeriods' }),
    },
  },
});
