import { z } from 'zod';
import { dayRange, idText } from './common.ts';
import { operationsOf } from './operation.ts';

export const exportKind = z.enum(['rankings', 'keywords', 'serp', 'reviews', 'changes', 'category-ranks', 'scores']).meta({ id: 'ExportKind' });
export const exportFormat = z.enum(['json', 'ndjson', 'csv']).meta({
  id: 'ExportFormat',
  description:
    'json: one object whose `items` are as the lists of the API have them, and `count` after them. ndjson: one item a line. csv: RFC 4180 with a ' +
    "line of names; null is empty and has its depth and a display beside it; text that a spreadsheet would take for a formula begins with a '.",
});

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
});
