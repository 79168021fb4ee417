import { z } from 'zod';
import { timelineKinds } from './choices.ts';
import {
  country,
  dayRange,
  deleted,
  flagText,
  id,
  idParam,
  instant,
  listOf,
  listText,
  paging,
  textOf,
  utcDay,
} from './common.ts';
import { operationsOf } from './operation.ts';
import { timelineItem } from './timeline.ts';

const text = textOf(500, z.string().trim().min(1));
const keywordIds = z
  .array(id)
  .max(200)
  .meta({ description: 'The app’s keywords that it concerns; empty for the whole app.' });

export const annotation = z
  .strictObject({ id, appId: id, date: utcDay, text: z.string(), keywordIds, createdAt: instant })
  .meta({ id: 'Annotation' });

export const annotations = operationsOf({
  'GET /apps/{id}/annotations': {
    summary: 'List annotations',
    description: 'Newest day first; all of them without a range.',
    rateClass: 'read',
    readOnlyToken: true,
    params: idParam,
    query: z.strictObject({ ...paging, ...dayRange }),
    responses: { 200: listOf(annotation) },
  },
  'POST /apps/{id}/annotations': {
    summary: 'Create an annotation',
    description: 'On a past or future day.',
    rateClass: 'write',
    readOnlyToken: false,
    idempotent: true,
    params: idParam,
    body: z.strictObject({ date: utcDay, text, keywordIds: keywordIds.optional() }),
    responses: { 201: annotation },
  },
  'PATCH /annotations/{id}': {
    summary: 'Update an annotation',
    rateClass: 'write',
    readOnlyToken: false,
    params: idParam,
    body: z.strictObject({
      date: utcDay.optional(),
      text: text.optional(),
      keywordIds: keywordIds.optional(),
    }),
    responses: { 200: annotation },
  },
  'DELETE /annotations/{id}': {
    summary: 'Delete an annotation',
    rateClass: 'write',
    readOnlyToken: false,
    params: idParam,
    responses: { 200: deleted },
  },
  'GET /apps/{id}/timeline': {
    summary: 'List an app’s timeline',
    description:
      'Listing changes, versions, ranks, reviews, annotations and failed runs in one list, ' +
      'newest first.',
    rateClass: 'read',
    readOnlyToken: true,
    params: idParam,
    query: z.strictObject({
      ...paging,
      ...dayRange,
      kind: listText(timelineKinds).optional(),
      competitors: flagText
        .optional()
        .meta({ description: 'false excludes changes of competitors.' }),
      scope: z
        .enum(['own', 'competitors'])
        .optional()
        .meta({ description: 'competitors: only their changes. Both by default.' }),
      country: country
        .optional()
        .meta({ description: 'Excludes items that concern other countries only.' }),
    }),
    responses: { 200: listOf(timelineItem) },
  },
});
