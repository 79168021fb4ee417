import { z } from 'zod';
import { accepted, bigId, dayRange, idText, instant, integerText, jobState } from './common.ts';
import { operationsOf } from './operation.ts';

export const exportKind = z
  .enum(['rankings', 'keywords', 'serp', 'reviews', 'changes', 'category-ranks', 'scores'])
  .meta({ id: 'ExportKind' });
export const exportFormat = z.enum(['json', 'ndjson', 'csv']).meta({
  id: 'ExportFormat',
  description:
    'json: one object whose `items` are as the lists of the API have them, and `count` after them. ndjson: one item a line. csv: RFC 4180 with a ' +
    "line of names; null is empty and has its depth and a display beside it; text that a spreadsheet would take for a formula begins with a '.",
});

const exportId = z.strictObject({ exportId: integerText(1, 9_999_999_999) });

export const workspaceExport = z
  .strictObject({
    id: bigId,
    format: z.literal('ndjson'),
    state: jobState,
    createdAt: instant,
    expiresAt: instant.nullable().meta({ description: 'It can be fetched until then.' }),
    rows: z.int().nullable(),
    bytes: z.int().nullable().meta({ description: 'Of the unpacked file.' }),
    sha256: z
      .string()
      .nullable()
      .meta({ description: 'Of all lines but the last, which says the same.' }),
    download: z
      .string()
      .nullable()
      .meta({ description: 'Where the file is; null until it is there.' }),
  })
  .meta({ id: 'WorkspaceExport' });

export const exports = operationsOf({
  'GET /apps/{id}/exports/{kind}': {
    summary: 'Everything of one kind for an app, in one stream',
    rateClass: 'read',
    readOnlyToken: true,
    raw: true,
    contentTypes: ['application/json', 'application/x-ndjson', 'text/csv'],
    params: z.strictObject({ id: idText, kind: exportKind }),
    query: z.strictObject({ ...dayRange, format: exportFormat.default('json') }),
    responses: { 200: z.unknown() },
  },
  'POST /workspace/exports': {
    summary: 'Write the whole workspace into one file; the same one while it is being written',
    rateClass: 'read',
    readOnlyToken: true,
    idempotent: true,
    enqueues: true,
    body: z.strictObject({ format: z.enum(['ndjson']).default('ndjson') }),
    responses: { 202: accepted },
  },
  'GET /workspace/exports/{exportId}': {
    summary: 'How far an export of the workspace is, and where to fetch it',
    rateClass: 'read',
    readOnlyToken: true,
    params: exportId,
    responses: { 200: workspaceExport },
  },
  'GET /workspace/exports/{exportId}/file': {
    summary: 'The file of an export, for 24 hours',
    rateClass: 'read',
    readOnlyToken: true,
    raw: true,
    contentTypes: ['application/x-ndjson'],
    params: exportId,
    responses: { 200: z.unknown() },
  },
});
