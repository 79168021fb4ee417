import { z } from 'zod';
import { importTextMax } from './body-limits.ts';
import { country, countryText, device, id, requestedDevice, tags, textOf } from './common.ts';
import { depth } from './rankings.ts';

const column = textOf(100, z.string().min(1));
/** The domain checks countries, tags and phrases, to name the row of each error. */
export const importBody = z.strictObject({
  format: z
    .enum(['csv', 'json'])
    .meta({ description: 'csv: RFC 4180 with a header; json: a list of flat objects.' }),
  text: z.string().min(1).max(importTextMax),
  delimiter: z
    .enum([',', ';', '\t'])
    .default(',')
    .meta({ description: 'The separator of csv fields.' }),
  mapping: z
    .strictObject({
      phrase: column.optional(),
      country: column.optional(),
      device: column.optional(),
      depth: column.optional(),
      tags: column.optional(),
    })
    .default({})
    .meta({
      description:
        'Columns by field; a field without a mapping uses the column of its own name, if ' +
        'there is one.',
    }),
  country: countryText.optional().meta({ description: 'For rows without one.' }),
  device: requestedDevice
    .optional()
    .meta({ description: 'For rows without one; else the first device of the store.' }),
  depth: depth
    .optional()
    .meta({ description: 'For rows without one; else the default depth of the settings.' }),
  tags: tags
    .optional()
    .meta({ description: 'Added to the tags of each row, which are separated by ; or |.' }),
});

export const importRow = z
  .strictObject({
    row: z.int().min(1).meta({ description: 'Counted from 1, without the header.' }),
    phrase: z.string(),
    country,
    device,
    outcome: z
      .enum(['added', 'existing', 'duplicate'])
      .meta({ description: 'duplicate: an earlier row names the same keyword and is used.' }),
    keywordId: id,
  })
  .meta({ id: 'ImportedRow' });
