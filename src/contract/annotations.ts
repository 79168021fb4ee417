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
  .meta({ description: 'The app’s keywords it is about; none: the whole app.' });

export const annotation = z
  .strictObject({ id, appId: id, date: utcDay, text: z.string(), keywordIds, createdAt: instant })
  .meta({ id: 'Annotation' });

export const annotations = operationsOf({
  'GET /apps/{id}/annotations': {
    summary:
      'This workspace’s own notes on days of an app, newest day first; all of them without a range',
    rateClass: 'read',
    readOnlyToken: true,
    params: idParam,
    query: z.strictObject({ ...paging, ...dayRange }),
    responses: { 200: listOf(annotation) },
  },
  'POST /apps/{id}/annotations': {
    summary: 'Note something on a day, past or planned',
    rateClass: 'write',
    readOnlyToken: false,
    idempotent: true,
    params: idParam,
    body: z.strictObject({ date: utcDay, text, keywordIds: keywordIds.optional() }),
    responses: { 201: annotation },
  },
  'PATCH /annotations/{id}': {
    summary: 'Change a note',
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
    summary: 'Delete a note',
    rateClass: 'write',
    readOnlyToken: false,
    params: idParam,
    responses: { 200: deleted },
  },
  'GET /apps/{id}/timeline': {
    summary:
      'What happened to an app in one feed: changes, versions, ranks, reviews, notes and runs that failed, newest first',
    rateClass: 'read',
    readOnlyToken: true,
    params: idParam,
    query: z.strictObject({
      ...paging,
      ...dayRange,
      kind: listText(timelineKinds).optional(),
      competitors: flagText
        .optional()
        .meta({ description: 'false leaves out what competitors changed.' }),
      scope: z
        .enum(['own', 'competitors'])
        .optional()
        .meta({ description: 'competitors: nothing but what they changed. Without it, both.' }),
      country: country
        .optional()
        .meta({ description: 'Leaves out what is about other countries alone.' }),
    }),
    responses: { 200: listOf(timelineItem) },
  },
});
