import { z } from 'zod';
import { accepted, bigId, bigIdText, dayRange, idText, instant, jobState } from './common.ts';
import { operationsOf } from './operation.ts';

export const exportKind = z
  .enum([
    'rankings',
    'keywords',
    'serp',
    'reviews',
    'changes',
    'category-ranks',
    'scores',
    'listing-days',
  ])
  .meta({
    id: 'ExportKind',
    description:
      'listing-days: rating, star counts, installs and price of the app and its competitors, by ' +
      'day and country.',
  });
export const exportFormat = z.enum(['json', 'ndjson', 'csv']).meta({
  id: 'ExportFormat',
  description:
    'json: one object with the `items` of the API’s lists, followed by `count`. ndjson: one item ' +
    'a line. csv: RFC 4180 with a header; null is an empty field, with the depth and a display ' +
    "value in other columns; text that a spreadsheet would read as a formula begins with a '.",
});

const exportId = z.strictObject({ exportId: bigIdText });

export const workspaceExport = z
  .strictObject({
    id: bigId,
    format: z.literal('ndjson'),
    state: jobState,
    createdAt: instant,
    expiresAt: instant.nullable().meta({ description: 'Available until then.' }),
    rows: z.int().nullable(),
    bytes: z.int().nullable().meta({ description: 'Bytes of the uncompressed file.' }),
    sha256: z
      .string()
      .nullable()
      .meta({ description: 'The hash of all lines but the last, which contains it too.' }),
    download: z
      .string()
      .nullable()
      .meta({ description: 'The address of the file; null until it is complete.' }),
  })
  .meta({ id: 'WorkspaceExport' });

export const exports = operationsOf({
  'GET /apps/{id}/exports/{kind}': {
    summary: 'Export an app’s data',
    description:
      'Streams the rows of one kind, as JSON or CSV: those of the last 30 days, or those from ' +
      '`from` to `to`, at most 400 days. `keywords` are exported as they stand now.',
    rateClass: 'read',
    readOnlyToken: true,
    raw: true,
    contentTypes: ['application/json', 'application/x-ndjson', 'text/csv'],
    params: z.strictObject({ id: idText, kind: exportKind }),
    query: z.strictObject({ ...dayRange, format: exportFormat.default('json') }),
    responses: { 200: z.unknown() },
  },
  'POST /workspace/exports': {
    summary: 'Export the workspace',
    description:
      'Starts an export of the whole workspace into one file. While your export is running, the ' +
      'same export is returned. When it is complete, older files of the same user or read-only ' +
      'token are deleted, except the newest of them.',
    rateClass: 'read',
    readOnlyToken: true,
    idempotent: true,
    enqueues: true,
    body: z.strictObject({ format: z.enum(['ndjson']).default('ndjson') }),
    example: { format: 'ndjson' },
    responses: { 202: accepted },
  },
  'GET /workspace/exports/{exportId}': {
    summary: 'Get a workspace export',
    description: 'Returns the progress of an export, and the address of its file when it is done.',
    rateClass: 'read',
    readOnlyToken: true,
    params: exportId,
    responses: { 200: workspaceExport },
  },
  'GET /workspace/exports/{exportId}/file': {
    summary: 'Download a workspace export',
    description: 'Downloads the file of an export. It is kept for 24 hours.',
    rateClass: 'read',
    readOnlyToken: true,
    raw: true,
    contentTypes: ['application/x-ndjson'],
    params: exportId,
    responses: { 200: z.unknown() },
  },
});
