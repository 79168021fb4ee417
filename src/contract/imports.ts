import { z } from 'zod';
import { importBytesMax, importTextMax } from './body-limits.ts';
import {
  accepted,
  bigId,
  country,
  id,
  instant,
  integerText,
  jobState,
  textOf,
  utcDay,
} from './common.ts';
import { issue } from './errors.ts';
import { operationsOf } from './operation.ts';
import { depth } from './rankings.ts';

const column = textOf(100, z.string().min(1));
const partsMax = 4_000;

const history = z.strictObject({
  format: z.literal('csv'),
  appId: id,
  text: z
    .string()
    .min(1)
    .max(importTextMax)
    .meta({ description: 'RFC 4180 with a line of names, at most 5,000 rows.' }),
  delimiter: z.enum([',', ';', '\t']).default(','),
  mapping: z
    .strictObject({
      phrase: column,
      date: column,
      position: column,
      country: column.optional(),
      depth: column.optional(),
    })
    .meta({
      description:
        'Which column holds what. A position is 1–200, or >N: looked for within N places and not found.',
    }),
  country: country.optional().meta({ description: 'Of all rows, where there is no such column.' }),
  depth: depth
    .optional()
    .meta({
      description:
        'How far the tool looked, of rows that do not say. Without it an empty position is no check.',
    }),
});
const smallFile = z.strictObject({
  format: z.literal('ndjson'),
  text: z.string().min(1).max(importTextMax),
});
const fileInParts = z.strictObject({
  format: z.literal('ndjson'),
  parts: z.int().min(1).max(partsMax),
});

const importedTable = z
  .strictObject({
    table: z.string(),
    rows: z.int(),
    imported: z.int(),
    reason: z.string().nullable().meta({ description: 'Why not all of them.' }),
    anew: z
      .array(z.strictObject({ member: z.string(), reason: z.string() }))
      .meta({
        description:
          'What of its rows is not as it was but begins with the import: columns, or paths into them.',
      }),
  })
  .meta({ id: 'ImportedTable' });

const historyRow = z
  .strictObject({
    row: z.int().min(1).meta({ description: 'Counted from 1, without the line of names.' }),
    keywordId: id,
    date: utcDay,
    outcome: z.enum(['added', 'existing', 'not_checked']).meta({
      description:
        'existing: that day was imported before, which stands. not_checked: neither a position nor how far it was looked for.',
    }),
  })
  .meta({ id: 'ImportedHistoryRow' });

export const importReport = z
  .strictObject({
    tables: z.array(importedTable),
    rows: z.array(historyRow).meta({ description: 'Of CSV; empty for a workspace.' }),
    leftOut: z
      .array(z.strictObject({ table: z.string(), reason: z.string() }))
      .meta({ description: 'What of a workspace is in no export, and why; empty for CSV.' }),
  })
  .meta({ id: 'ImportReport' });

const workspaceImport = z
  .strictObject({
    id: bigId,
    state: jobState,
    createdAt: instant,
    report: importReport.nullable(),
    refusal: z
      .strictObject({ message: z.string(), issues: z.array(issue) })
      .nullable()
      .meta({ description: 'Why nothing was imported.' }),
  })
  .meta({ id: 'WorkspaceImport' });

export const imports = operationsOf({
  'PUT /workspace/imports/parts/{part}': {
    summary:
      'Leave a part of an export to be imported: up to 4,000 of them, each of up to 250,000 characters; kept for a day',
    rateClass: 'write',
    bodyBytesMax: importBytesMax,
    readOnlyToken: false,
    params: z.strictObject({ part: integerText(1, partsMax) }),
    body: z.strictObject({ text: z.string().min(1).max(importTextMax) }),
    responses: { 200: z.strictObject({ part: z.int(), bytes: z.int() }) },
  },
  'POST /workspace/imports': {
    summary:
      'Import an export into this workspace, which must be empty, or the history of another tool into an app; all or nothing. The same export again changes nothing',
    rateClass: 'write',
    readOnlyToken: false,
    idempotent: true,
    bodyBytesMax: importBytesMax,
    body: z.union([history, smallFile, fileInParts]),
    responses: { 200: importReport, 202: accepted },
  },
  'GET /workspace/imports/{importId}': {
    summary: 'What became of an import in parts',
    rateClass: 'read',
    readOnlyToken: true,
    params: z.strictObject({ importId: integerText(1, 9_999_999_999) }),
    responses: { 200: workspaceImport },
  },
});
