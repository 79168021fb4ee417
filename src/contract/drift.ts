import { z } from 'zod';
import { instant } from './common.ts';
import { fieldSources } from './choices.ts';
import { provider } from './rankings.ts';

/** The responses that have a field, and who sent them. */
const sourceField = {
  source: z.enum(fieldSources).meta({
    description:
      '`listing`: a lookup on iOS, a details page on Android. `page`: the page of an app. ' +
      '`chart` and `search`: lists of results.',
  }),
  provider: provider
    .nullable()
    .meta({ description: 'The search provider of a `search`, else null.' }),
  field: z.string().meta({
    description:
      'Named as in snapshots and ratings. `sections` is missing from a page of ' +
      'results with a section that no parser knows.',
  }),
};

const lostShare = z.number().min(0).max(1).nullable().meta({
  description:
    'The share of the day’s readings that lacked the value although it was there before.',
});

export const fieldDrift = z
  .strictObject({
    ...sourceField,
    beganAt: instant,
    endedAt: instant.nullable(),
    lostShare,
  })
  .meta({
    description:
      'A field that the store did not send as before. Its missing values are no facts: known ' +
      'values stay, and numbers of the day are null.',
  });

export const fieldCounts = {
  ...sourceField,
  read: z.int().meta({ description: 'Readings with a value. A list of results is one reading.' }),
  missing: z.int().meta({ description: 'Readings without one.' }),
  lost: z.int().meta({ description: 'The missing values that were there before.' }),
  lostShare,
};
