import { z } from 'zod';
import { id, tag } from '../common.ts';

const appIds = z.array(id).min(1).max(100).optional().meta({ description: 'Only these apps.' });
const tags = z
  .array(tag)
  .min(1)
  .max(20)
  .optional()
  .meta({ description: 'Only apps or keywords with one of these tags.' });
const minTraffic = z.int().min(1).max(100).optional().meta({
  description:
    'Only keywords with at least this traffic score. Keywords without a score are excluded.',
});

export const appScope = z.strictObject({ appIds, tags }).default({});
export const keywordScope = z.strictObject({ appIds, tags, minTraffic }).default({});
export const enabled = z.boolean().default(true);

export const cooldownOf = (defaultDays: number) =>
  z.int().min(0).max(30).default(defaultDays).meta({
    description:
      'After an alert, no alert of the same type about the same thing for this many days.',
  });
