import { z } from 'zod';
import { deleted, id, idParam, instant, itemEtag, listOf, textOf, wholePaging } from './common.ts';
import { operationsOf } from './operation.ts';

const name = textOf(60, z.string().trim().min(1)).meta({ description: 'At most 60 characters.' });
export const maxPathCharacters = 2_000;
const path = z
  .string()
  .max(maxPathCharacters)
  .regex(/^\/(?![/\\])\P{Cc}*$/u, 'a path of the dashboard')
  .meta({ description: 'The path and search parameters of a page of the dashboard.' });
const pinned = z.boolean().meta({ description: 'Pinned views come first.' });
const appId = id.nullable().meta({ description: 'The app of the page; null for the workspace.' });

/** The members that people edit. */
export const editableOfView = ['name', 'pinned'];

export const savedView = z
  .strictObject({
    id,
    name: z.string(),
    path: z.string(),
    appId,
    pinned,
    createdAt: instant,
    etag: itemEtag,
  })
  .meta({ id: 'SavedView' });

export const views = operationsOf({
  'GET /views': {
    summary: 'List saved views',
    description:
      'Lists the saved views of the workspace: pinned ones first, then by the time at which ' +
      'they were saved.',
    rateClass: 'read',
    readOnlyToken: true,
    query: z.strictObject(wholePaging),
    pages: 'cut',
    responses: { 200: listOf(savedView) },
  },
  'POST /views': {
    summary: 'Save a view',
    description:
      'Saves a page of the dashboard with its filters for everyone in the workspace. Saving the ' +
      'same path again replaces its name. A workspace has at most 200.',
    rateClass: 'write',
    readOnlyToken: false,
    idempotent: true,
    body: z.strictObject({
      name,
      path,
      appId: appId.optional(),
      pinned: pinned.optional(),
    }),
    example: {
      name: 'Top 10 in Germany',
      path: '/apps/1/keywords?country=de&best=10',
      appId: null,
    },
    responses: { 201: savedView },
  },
  'PATCH /views/{id}': {
    summary: 'Update a saved view',
    description: 'Renames a saved view, or pins it.',
    rateClass: 'write',
    readOnlyToken: false,
    versioned: editableOfView,
    params: idParam,
    body: z.strictObject({ name: name.optional(), pinned: pinned.optional() }),
    example: { pinned: true },
    responses: { 200: savedView },
  },
  'DELETE /views/{id}': {
    summary: 'Delete a saved view',
    description: 'Deletes a saved view for everyone in the workspace.',
    rateClass: 'write',
    readOnlyToken: false,
    params: idParam,
    responses: { 200: deleted },
  },
});
