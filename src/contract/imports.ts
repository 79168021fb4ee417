import { z } from 'zod';
import { importBytesMax, importPartsMax, importTextMax } from './body-limits.ts';
import {
  accepted,
  bigId,
  bigIdText,
  country,
  id,
  instant,
  integerText,
  jobState,
  requestedDevice,
  textOf,
  utcDay,
} from './common.ts';
import { issue } from './errors.ts';
import { operationsOf } from './operation.ts';
import { depth } from './rankings.ts';

const column = textOf(100, z.string().min(1));

const history = z.strictObject({
  format: z.literal('csv'),
  appId: id,
  text: z
    .string()
    .min(1)
    .max(importTextMax)
    .meta({ description: 'RFC 4180 with a header, at most 5,000 rows.' }),
  delimiter: z.enum([',', ';', '\t']).default(','),
  mapping: z
    .strictObject({
      phrase: column,
      date: column,
      position: column,
      country: column.optional(),
      device: column.optional(),
      depth: column.optional(),
    })
    .meta({
      description:
        'The column of each field. A position is 1–200, or >N: not found within N positions.',
    }),
  country: country.optional().meta({ description: 'For all rows, when there is no such column.' }),
  device: requestedDevice.optional().meta({
    description: 'For rows without one; else the first device of the store.',
  }),
  depth: depth.optional().meta({
    description:
      'The examined depth for rows without one. Without it an empty position is not a check.',
  }),
});
const smallFile = z.strictObject({
  format: z.literal('ndjson'),
  text: z.string().min(1).max(importTextMax),
});
const fileInParts = z.strictObject({
  format: z.literal('ndjson'),
  parts: z.int().min(1).max(importPartsMax),
  asPublicFacts: z
    .boolean()
    .default(false)
    .meta({
      description:
        'Restores the facts about the stores as public facts, as if this instance had read them, ' +
        'and the days since which the workspace tracks. Only an operator may ask for it, and an ' +
        'owner of the only workspace while strangers cannot sign up: the facts are taken from ' +
        'the file without proof, and every workspace that tracks the same sees them from its own ' +
        'beginning on.',
    }),
});

const importedTable = z
  .strictObject({
    table: z.string(),
    rows: z.int(),
    imported: z.int(),
    reason: z.string().nullable().meta({ description: 'The reason why some were skipped.' }),
    anew: z.array(z.strictObject({ member: z.string(), reason: z.string() })).meta({
      description: 'Columns, or paths into them, that start fresh with the import.',
    }),
  })
  .meta({ id: 'ImportedTable' });

const historyRow = z
  .strictObject({
    row: z.int().min(1).meta({ description: 'Counted from 1, without the header.' }),
    keywordId: id,
    date: utcDay,
    outcome: z.enum(['added', 'existing', 'not_checked']).meta({
      description:
        'existing: that day was imported before and stays. not_checked: neither a position ' +
        'nor a depth.',
    }),
  })
  .meta({ id: 'ImportedHistoryRow' });

export const importReport = z
  .strictObject({
    tables: z.array(importedTable),
    rows: z.array(historyRow).meta({ description: 'For CSV; empty for a workspace.' }),
    omitted: z.array(z.strictObject({ table: z.string(), reason: z.string() })).meta({
      description: 'Data of a workspace that no export contains, with the reason; empty for CSV.',
    }),
  })
  .meta({ id: 'ImportReport' });

const workspaceImport = z
  .strictObject({
    id: bigId,
    state: jobState,
    createdAt: instant,
    asPublicFacts: z.boolean(),
    report: importReport.nullable(),
    refusal: z
      .strictObject({ message: z.string(), issues: z.array(issue) })
      .nullable()
      .meta({ description: 'The reason why nothing was imported.' }),
  })
  .meta({ id: 'WorkspaceImport' });

export const imports = operationsOf({
  'PUT /workspace/imports/parts/{part}': {
    summary: 'Upload a part of an import',
    description:
      `Uploads one part of a large import. Up to ${importPartsMax} parts together hold the ` +
      'largest export, which has 4 GiB. A part has up to 250,000 UTF-16 code units and must not ' +
      'split a surrogate pair. Parts are kept for a day.',
    rateClass: 'write',
    bodyBytesMax: importBytesMax,
    readOnlyToken: false,
    params: z.strictObject({ part: integerText(1, importPartsMax) }),
    body: z.strictObject({
      text: z.string().min(1).max(importTextMax).meta({
        description: 'The next characters of the file. A surrogate pair is in one part.',
      }),
    }),
    example: { text: '{"table":"apps"}\n' },
    responses: { 200: z.strictObject({ part: z.int(), bytes: z.int() }) },
  },
  'POST /workspace/imports': {
    summary: 'Import an export or a history',
    description:
      'Imports a workspace export into an empty workspace, or the history of another tool ' +
      'into an app; all or nothing. Importing the same export again changes nothing. Facts about ' +
      'the stores are restored for this workspace only: no other one sees them, unless an ' +
      'operator restores them `asPublicFacts`.',
    rateClass: 'write',
    readOnlyToken: false,
    idempotent: true,
    bodyBytesMax: importBytesMax,
    body: z.union([history, smallFile, fileInParts]),
    example: { format: 'ndjson', parts: 1 },
    responses: { 200: importReport, 202: accepted },
  },
  'GET /workspace/imports/{importId}': {
    summary: 'Get an import',
    description: 'Returns the progress and the result of an import.',
    rateClass: 'read',
    readOnlyToken: true,
    params: z.strictObject({ importId: bigIdText }),
    responses: { 200: workspaceImport },
  },
});
