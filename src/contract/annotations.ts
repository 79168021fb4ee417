import { z } from 'zod';
import {
  dayRange,
  deleted,
  id,
  idParam,
  instant,
  itemEtag,
  listOf,
  paging,
  textOf,
  utcDay,
} from './common.ts';
import { operationsOf } from './operation.ts';

const text = textOf(500, z.string().trim().min(1));
const keywordIds = z
  .array(id)
  .max(200)
  .meta({ description: 'The app’s keywords that it concerns; empty for the whole app.' });

/** The members that people edit. */
export const editableOfAnnotation = ['date', 'text', 'keywordIds'];

export const annotation = z
  .strictObject({
    id,
    appId: id,
    date: utcDay,
    text: z.string(),
    keywordIds,
    createdAt: instant,
    etag: itemEtag,
  })
  .meta({ id: 'Annotation' });

export const annotations = operationsOf({
  'GET /apps/{id}/annotations': {
    summary: 'List annotations',
    description:
      'Lists the annotations of an app, the newest day first; without a range it lists ' +
      'all of them.',
    rateClass: 'read',
    readOnlyToken: true,
    params: idParam,
    query: z.strictObject({ ...paging, ...dayRange }),
    responses: { 200: listOf(annotation) },
  },
  'POST /apps/{id}/annotations': {
    summary: 'Create an annotation',
    description: 'Creates an annotation on a past or future day. Charts show it on that day.',
    rateClass: 'write',
    readOnlyToken: false,
    idempotent: true,
    params: idParam,
    body: z.strictObject({ date: utcDay, text, keywordIds: keywordIds.optional() }),
    example: { date: '2026-11-21', text: 'New screenshots' },
    responses: { 201: annotation },
  },
  'PATCH /annotations/{id}': {
    summary: 'Update an annotation',
    description: 'Changes the day, the text or the keywords of an annotation.',
    rateClass: 'write',
    readOnlyToken: false,
    versioned: editableOfAnnotation,
    params: idParam,
    body: z.strictObject({
      date: utcDay.optional(),
      text: text.optional(),
      keywordIds: keywordIds.optional(),
    }),
    example: { text: 'New screenshots and icon' },
    responses: { 200: annotation },
  },
  'DELETE /annotations/{id}': {
    summary: 'Delete an annotation',
    description: 'Deletes an annotation.',
    rateClass: 'write',
    readOnlyToken: false,
    params: idParam,
    responses: { 200: deleted },
  },
});
