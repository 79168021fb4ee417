import { z } from 'zod';
import { listOf, tag } from './common.ts';
import { operationsOf } from './operation.ts';

export const tagColor = z
  .string()
  .regex(/^#[0-9a-f]{6}$/, 'a colour, such as #1f7a4d, in lower case')
  .meta({ id: 'TagColor', example: '#1f7a4d' });

/** A tag lives where it is used; its colour is kept by its name. */
export const tagRecord = z
  .strictObject({
    name: z.string(),
    color: tagColor.nullable(),
    apps: z.int().min(0),
    keywords: z.int().min(0),
  })
  .meta({ id: 'Tag' });

const named = z.strictObject({ name: tag });

export const tagOperations = operationsOf({
  'GET /tags': {
    summary: 'The tags of apps and keywords, with their colours and how often each is used',
    rateClass: 'read',
    readOnlyToken: true,
    responses: { 200: listOf(tagRecord) },
  },
  'PATCH /tags/{name}': {
    summary:
      'Rename a tag everywhere, alert rules included, or give it a colour; renaming it to one that exists makes them one',
    rateClass: 'write',
    readOnlyToken: false,
    params: named,
    body: z.strictObject({ name: tag.optional(), color: tagColor.nullable().optional() }),
    responses: { 200: tagRecord },
  },
  'DELETE /tags/{name}': {
    summary:
      'Take a tag off every app and keyword; they stay. One that an alert rule names is refused',
    rateClass: 'write',
    readOnlyToken: false,
    params: named,
    responses: { 200: z.strictObject({ name: z.string(), deleted: z.literal(true) }) },
  },
});
