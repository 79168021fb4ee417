import { z } from 'zod';
import { itemEtag, listOf, tag, wholePaging } from './common.ts';
import { operationsOf } from './operation.ts';

export const tagColor = z
  .string()
  .regex(/^#[0-9a-f]{6}$/, 'a colour, such as #1f7a4d, in lower case')
  .meta({ id: 'TagColor', example: '#1f7a4d' });

/** The members that people edit. */
export const editableOfTag = ['name', 'color'];

/** A tag exists while it is used; its colour is stored by name. */
export const tagRecord = z
  .strictObject({
    name: z.string(),
    color: tagColor.nullable(),
    apps: z.int().min(0),
    keywords: z.int().min(0),
    etag: itemEtag,
  })
  .meta({ id: 'Tag' });

const named = z.strictObject({ name: tag });

export const tagOperations = operationsOf({
  'GET /tags': {
    summary: 'List tags',
    description: 'Lists the tags of the workspace with their colours and how often each is used.',
    rateClass: 'read',
    readOnlyToken: true,
    query: z.strictObject(wholePaging),
    pages: 'cut',
    responses: { 200: listOf(tagRecord) },
  },
  'PATCH /tags/{name}': {
    summary: 'Update a tag',
    description:
      'Renames a tag everywhere, alert rules and saved views included, or sets its colour. ' +
      'Renaming it to an existing tag merges the two.',
    rateClass: 'write',
    readOnlyToken: false,
    versioned: editableOfTag,
    params: named,
    body: z.strictObject({ name: tag.optional(), color: tagColor.nullable().optional() }),
    example: { name: 'own brand' },
    responses: { 200: tagRecord },
  },
  'DELETE /tags/{name}': {
    summary: 'Delete a tag',
    description:
      'Removes a tag from every app and keyword. A tag that an alert rule uses cannot be ' +
      'deleted.',
    rateClass: 'write',
    readOnlyToken: false,
    params: named,
    responses: { 200: z.strictObject({ name: z.string(), deleted: z.literal(true) }) },
  },
});
