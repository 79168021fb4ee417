import { z } from 'zod';
import { historyPartCharacters, importBytesMax } from './body-limits.ts';
import {
  historyDateFormats,
  historyEncodings,
  historyFields,
  historyLayouts,
  historyOutcomes,
  historyPresets,
  historyReasons,
} from './choices.ts';
import {
  accepted,
  bigId,
  bigIdText,
  country,
  deleted,
  id,
  instant,
  integerText,
  jobState,
  listOf,
  paging,
  requestedDevice,
  textOf,
  utcDay,
} from './common.ts';
import { operationsOf } from './operation.ts';
import { depth } from './rankings.ts';

const partsMax = 2_000;
const importId = z.strictObject({ importId: bigIdText });

const preset = z.enum(historyPresets).meta({ id: 'HistoryPreset' });
const encoding = z.enum(historyEncodings);
const layout = z.enum(historyLayouts).meta({
  description:
    '`rows`: a row for each keyword and day. `day_columns`: a row for each keyword, and a column ' +
    'for each day. `keyword_columns`: a row for each day, and a column for each keyword.',
});
const dateFormat = z.enum(historyDateFormats).meta({
  description:
    'The order of year, month and day, or seconds since 1970 (`unix`), milliseconds since 1970 ' +
    '(`unix_ms`), seconds since 2001 (`apple`). A time after the day does not matter, unless it ' +
    'has an offset: then the day is that of UTC.',
});
const column = textOf(200, z.string().min(1));
const columns = z
  .strictObject(
    Object.fromEntries(historyFields.map((field) => [field, column.optional()])) as Record<
      (typeof historyFields)[number],
      z.ZodOptional<typeof column>
    >,
  )
  .meta({
    description:
      'The column of each field, by its name in the preview. `app` has the id in the store; ' +
      'a row with text in `failure` is a failed check.',
  });

/** How a file is read. */
const readingMembers = {
  preset: preset.nullable().default(null),
  encoding: encoding.default('utf-8'),
  delimiter: z.enum([',', ';', '\t']).default(','),
  layout: layout.default('rows'),
  columns: columns.default({}),
  dateFormat: dateFormat.optional(),
  date: utcDay.optional().meta({ description: 'The day of all rows, where no column has it.' }),
  country: country.optional().meta({ description: 'For all rows, without such a column.' }),
  device: requestedDevice.optional().meta({
    description: 'For rows without one; else the first device of the store.',
  }),
  depth: depth.optional().meta({
    description:
      'How many positions the other tool examined, for rows without a depth. Without it a row ' +
      'that says “not found” is refused, because nobody knows within how many positions.',
  }),
  notFound: z
    .array(textOf(40))
    .max(20)
    .default([])
    .meta({
      description:
        'The values that mean “checked and not found”; an empty text means an empty cell. `>N` ' +
        'always means not found within N positions. Every other value that is no position is ' +
        'refused.',
    }),
  decimal: z.enum(['.', ',']).default('.').meta({
    description: 'The decimal separator; the other one of the two separates thousands.',
  }),
  deeper: z.enum(['refused', 'not_within_200']).default('refused').meta({
    description: 'Positions above 200, which no row can have.',
  }),
};
export const historyReading = z.strictObject(readingMembers).meta({ id: 'HistoryReading' });
/** In a response every member with a default is there. */
const usedReading = z.strictObject(readingMembers).meta({
  id: 'UsedHistoryReading',
  description: 'The given one, or what was recognized.',
});

const knownPreset = z
  .strictObject({
    id: preset,
    tool: z.string(),
    file: z.enum(['csv', 'ndjson']),
    columns: z.array(z.string()).meta({ description: 'By which the file is recognized.' }),
    history: z.boolean().meta({ description: 'False for a file with the newest positions only.' }),
    notFound: z.array(z.string()),
    depth: z.enum(['unknown', 'in_file']),
    dateFormat: dateFormat.nullable(),
    needs: z
      .array(z.enum(['date', 'country']))
      .meta({ description: 'Not in the file: state it for all rows.' }),
    note: z.string().nullable(),
  })
  .meta({ id: 'HistoryPresetDescription' });

const reason = z.enum(historyReasons).meta({ id: 'HistoryReason' });
const row = z
  .strictObject({
    line: z
      .int()
      .min(1)
      .meta({ description: 'The line of the file, or the number of the record.' }),
    column: z.string().nullable().meta({ description: 'In a table with a column for each day.' }),
    phrase: z.string().nullable(),
    country: z.string().nullable(),
    device: z.string().nullable(),
    date: utcDay.nullable(),
    position: z.int().min(1).max(200).nullable(),
    depth: depth.nullable(),
    outcome: z.enum(historyOutcomes).meta({
      description:
        'written: imported, or to be imported after a check. known: this day was imported before ' +
        'and stays. refused: not imported.',
    }),
    reason: reason.nullable().meta({ description: 'Why a row is refused.' }),
    value: z.string().nullable().meta({ description: 'The refused value.' }),
  })
  .meta({ id: 'HistoryRow' });

const preview = z
  .strictObject({
    preset: preset.nullable().meta({ description: 'Recognized by its columns.' }),
    reading: usedReading,
    columns: z.array(z.string()),
    head: z.array(z.array(z.string())).meta({ description: 'The first lines, up to 60 cells.' }),
    dateFormats: z.array(z.enum(historyDateFormats)).meta({
      description: 'The formats in which all of the first days can be read; choose if several.',
    }),
    missing: z
      .array(z.enum(['phrase', 'position', 'date', 'dateFormat', 'country', 'days']))
      .meta({ description: 'What is to be stated before a check.' }),
    rows: z.array(row).meta({ description: 'The first rows as they would be read.' }),
  })
  .meta({ id: 'HistoryPreview' });

const counts = z.strictObject({ written: z.int(), known: z.int(), refused: z.int() }).meta({
  description:
    'Rows by outcome. In a table with a column for each day or keyword these are its cells; ' +
    'empty ones are refused as `no_position`, and the list of rows leaves them out.',
});
const importFields = {
  id: bigId,
  appId: id,
  fileName: z.string(),
  requestedBy: z.string(),
  createdAt: instant,
  finishedAt: instant.nullable(),
  phase: z.enum(['uploading', 'checking', 'checked', 'importing', 'imported', 'refused']),
  jobState: jobState.nullable(),
  percent: z.int().min(0).max(100),
  rowsRead: z.int(),
  counts,
};
const historyImport = z.strictObject(importFields).meta({ id: 'HistoryImport' });
const historyImportDetail = z
  .strictObject({
    ...importFields,
    reading: usedReading.nullable(),
    reasons: z.array(z.strictObject({ reason, rows: z.int() })),
    missing: z
      .array(
        z.strictObject({
          phrase: z.string(),
          country: z.string(),
          device: z.string(),
          rows: z.int(),
        }),
      )
      .meta({ description: 'Phrases that the app does not track, at most 1,000.' }),
    refusal: z
      .strictObject({ line: z.int().nullable(), message: z.string() })
      .nullable()
      .meta({ description: 'Why the file could not be read to its end; nothing is imported.' }),
  })
  .meta({ id: 'HistoryImportDetail' });

const filter = {
  outcome: z.enum(historyOutcomes).optional().meta({ description: 'Only rows with this result.' }),
};

export const historyImports = operationsOf({
  'GET /history-imports/presets': {
    summary: 'List presets of history imports',
    description: 'Lists the files of other tools that are recognized, and how each is read.',
    rateClass: 'read',
    readOnlyToken: true,
    responses: { 200: z.strictObject({ items: z.array(knownPreset) }) },
  },
  'GET /history-imports': {
    summary: 'List history imports',
    description: 'Lists the imports of histories, the newest first. They are kept for a week.',
    rateClass: 'read',
    readOnlyToken: true,
    query: z.strictObject(paging),
    responses: { 200: listOf(historyImport) },
  },
  'POST /history-imports': {
    summary: 'Create a history import',
    description:
      'Creates an import of another tool’s history into an app. Upload the file in parts, ' +
      'preview how it is read, check it, and import what the check has shown. Of more than five ' +
      'uploaded files the oldest ones are deleted.',
    rateClass: 'write',
    readOnlyToken: false,
    idempotent: true,
    body: z.strictObject({ appId: id, fileName: textOf(255, z.string().trim().min(1)) }),
    example: { appId: 1, fileName: 'history.csv' },
    responses: { 201: historyImportDetail },
  },
  'GET /history-imports/{importId}': {
    summary: 'Get a history import',
    description: 'Returns the progress, the number of rows with each result, and what is missing.',
    rateClass: 'read',
    readOnlyToken: true,
    params: importId,
    responses: { 200: historyImportDetail },
  },
  'DELETE /history-imports/{importId}': {
    summary: 'Delete a history import',
    description: 'Deletes the uploaded file and the results. Imported positions stay.',
    rateClass: 'write',
    readOnlyToken: false,
    params: importId,
    responses: { 200: deleted },
  },
  'PUT /history-imports/{importId}/parts/{part}': {
    summary: 'Upload a part of a history',
    description:
      'Uploads one part of the file, encoded in base64. There are up to 2,000 parts of up to ' +
      '750,000 bytes each, and they are kept for a day.',
    rateClass: 'write',
    readOnlyToken: false,
    bodyBytesMax: importBytesMax,
    params: z.strictObject({ importId: bigIdText, part: integerText(1, partsMax) }),
    body: z.strictObject({
      data: z
        .string()
        .min(4)
        .max(historyPartCharacters)
        .regex(/^[A-Za-z0-9+/]+={0,2}$/, 'base64'),
    }),
    example: { data: 'S2V5d29yZCxSYW5rLERheQo=' },
    responses: { 200: z.strictObject({ part: z.int(), bytes: z.int() }) },
  },
  'POST /history-imports/{importId}/preview': {
    summary: 'Preview a history',
    description:
      'Reads the beginning of the file and returns what was recognized, and the first rows as ' +
      'they would be read. Nothing is imported.',
    rateClass: 'write',
    readOnlyToken: false,
    params: importId,
    body: z.strictObject({ reading: historyReading.optional() }),
    example: {},
    responses: { 200: preview },
  },
  'POST /history-imports/{importId}/checks': {
    summary: 'Check a history',
    description:
      'Reads the whole file and says row by row what an import would do. Nothing is imported. A ' +
      'new check replaces the results of the one before. A file of more than 5,000,000 rows is ' +
      'refused: split it.',
    rateClass: 'write',
    readOnlyToken: false,
    idempotent: true,
    params: importId,
    body: z.strictObject({ parts: z.int().min(1).max(partsMax), reading: historyReading }),
    example: {
      parts: 1,
      reading: {
        columns: { phrase: 'Keyword', date: 'Day', position: 'Rank' },
        dateFormat: 'ymd',
        country: 'us',
      },
    },
    responses: { 202: accepted },
  },
  'POST /history-imports/{importId}/runs': {
    summary: 'Import a checked history',
    description:
      'Imports the rows that the check would write: past days, shown to this workspace where the ' +
      'instance has no position of its own. Days that were imported before stay.',
    rateClass: 'write',
    readOnlyToken: false,
    idempotent: true,
    params: importId,
    responses: { 202: accepted },
  },
  'GET /history-imports/{importId}/rows': {
    summary: 'List rows of a history import',
    description:
      'Lists the result of each row, in the order of the file, without the empty cells of a ' +
      'table with a column for each day or keyword. Any page may have fewer rows than the limit.',
    rateClass: 'read',
    readOnlyToken: true,
    params: importId,
    query: z.strictObject({ ...paging, ...filter }),
    responses: { 200: listOf(row) },
  },
  'GET /history-imports/{importId}/rows/file': {
    summary: 'Download rows of a history import',
    description: 'Streams the result of each row as CSV.',
    rateClass: 'read',
    readOnlyToken: true,
    raw: true,
    contentTypes: ['text/csv'],
    params: importId,
    query: z.strictObject(filter),
    responses: { 200: z.unknown() },
  },
});
