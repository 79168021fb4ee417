import { z } from 'zod';
import { importBytesMax, popularityPartCharacters } from './body-limits.ts';
import { popularityMovements } from './choices.ts';
import {
  accepted,
  bigId,
  bigIdText,
  country,
  id,
  idText,
  instant,
  integerText,
  jobState,
  listOf,
  paging,
  textOf,
  utcDay,
  wholePaging,
} from './common.ts';
import { locatedWords } from './located-words.ts';
import { operationsOf } from './operation.ts';
import {
  genre,
  popularityCredentials,
  popularitySync,
  published,
  quarantinedWeek,
} from './popularity-sync.ts';

const partsMax = 100;

const granularity = z.enum(['month', 'week']);
const period = utcDay.meta({ description: 'The first day of the month or week.' });
const source = z.enum(['file', 'api']);

/** The published popularity of a phrase, or what its absence says. */
export const publishedPopularity = z
  .strictObject({
    popularity: published.nullable().meta({
      description: 'From 1 to 100, as the store publishes it; null when the phrase is not listed.',
    }),
    rankInGenre: z.int().min(1).nullable(),
    atMost: published.nullable().meta({
      description:
        'For a phrase that is not listed: the lowest popularity that is listed in `genre`, or ' +
        'the highest of these numbers of all genres while the genre is unknown.',
    }),
    genre: genre.nullable().meta({
      description:
        'The genre in which the phrase is listed. For a phrase that is not listed it is the most ' +
        'frequent genre of its first ten results; null when it is unknown.',
    }),
    granularity,
    period,
    source,
  })
  .meta({
    id: 'PublishedPopularity',
    description: 'Of the newest period that there is for the country.',
  });

/** The list that has a published number, or that proves a bound. */
export const publishedList = z.strictObject({
  genre: genre.nullable(),
  granularity,
  period,
  source,
});

const set = z
  .strictObject({
    country,
    granularity,
    period,
    source,
    terms: z.int(),
    genres: z.int().meta({ description: 'Genres with at least one term.' }),
    importedAt: instant,
  })
  .meta({ id: 'PopularityPeriod' });

const term = z
  .strictObject({
    term: z.string(),
    words: locatedWords,
    original: z.string().nullable().meta({
      description: 'As it was published, where it differs from the normalized term.',
    }),
    genre,
    rankInGenre: z.int().min(1),
    popularityInGenre: published,
    popularity: published,
    popularityLevel: z.int().min(1).max(5),
    previousRank: z.int().min(1).nullable().meta({
      description: 'In the same genre of the period before; null when it was not listed.',
    }),
    ranksGained: z.int().nullable().meta({
      description: 'Positive for a climber; null without a previous rank.',
    }),
    isNew: z.boolean().meta({
      description: 'There is a period before, and the genre did not list the term.',
    }),
    keywords: z
      .array(z.strictObject({ keywordId: id, appId: id }))
      .meta({ description: 'The keywords of this workspace with this phrase in the country.' }),
  })
  .meta({ id: 'PopularityTerm' });

const refusedRows = z
  .strictObject({
    reason: z.enum([
      'unknown_country',
      'unknown_genre',
      'bad_month',
      'other_month',
      'future_month',
      'old_month',
      'bad_term',
      'bad_rank',
      'bad_number',
      'duplicate',
    ]),
    rows: z.int(),
    first: z
      .array(z.strictObject({ line: z.int(), value: z.string() }))
      .meta({ description: 'The first lines of the file, at most ten, and the refused value.' }),
  })
  .meta({ id: 'RefusedRows' });

const importedSet = z
  .strictObject({
    country,
    period,
    terms: z.int(),
    refused: z.int(),
    outcome: z.enum(['imported', 'replaced', 'kept']).meta({
      description:
        'kept: most rows of the country were refused, so what was there before stays. Rows of a ' +
        'country whose name is unknown belong to none.',
    }),
    termsBefore: z.int().nullable().meta({ description: 'Null when there were none.' }),
  })
  .meta({ id: 'ImportedPopularity' });

const importFields = {
  id: bigId,
  state: jobState,
  fileName: z.string(),
  bytes: z.int(),
  format: z.enum(['xlsx', 'csv']).nullable(),
  requestedBy: z.string().meta({ description: 'The e-mail address of an operator.' }),
  createdAt: instant,
  finishedAt: instant.nullable(),
  percent: z.int().min(0).max(100).meta({ description: 'How much of the file was read.' }),
  rowsRead: z.int(),
  rowsRefused: z.int(),
  refusal: z
    .strictObject({
      reason: z.enum([
        'empty',
        'not_a_spreadsheet',
        'encrypted',
        'damaged',
        'too_large',
        'too_many_texts',
        'too_many_rows',
        'formula',
        'not_utf8',
        'bad_csv',
        'no_header',
        'columns_missing',
        'no_month',
        'no_rows',
      ]),
      message: z.string(),
    })
    .nullable()
    .meta({ description: 'Why nothing was imported; what was there before stays.' }),
};
const popularityImport = z.strictObject(importFields).meta({ id: 'PopularityImport' });
const popularityImportDetail = z
  .strictObject({
    ...importFields,
    refused: z.array(refusedRows),
    sets: z.array(importedSet),
  })
  .meta({ id: 'PopularityImportDetail' });

const quarantinedId = z.strictObject({ setId: integerText(1, 2_147_483_647) });

const term200 = textOf(200, z.string().trim().min(1));

const forManagers =
  'For operators of the instance, and for an owner of its only workspace while strangers cannot ' +
  'sign up.';

export const popularity = operationsOf({
  'PUT /popularity/imports/parts/{part}': {
    summary: 'Upload a part of a popularity file',
    description:
      'Uploads one part of a file, encoded in base64. There are up to 100 parts of up to 750,000 ' +
      `bytes each, and they are kept for a day. ${forManagers}`,
    rateClass: 'write',
    readOnlyToken: false,
    bodyBytesMax: importBytesMax,
    params: z.strictObject({ part: integerText(1, partsMax) }),
    body: z.strictObject({
      data: z
        .string()
        .min(4)
        .max(popularityPartCharacters)
        .regex(/^[A-Za-z0-9+/]+={0,2}$/, 'base64'),
    }),
    example: { data: 'TW9udGgsU2VhcmNoIFRlcm0K' },
    responses: { 200: z.strictObject({ part: z.int(), bytes: z.int() }) },
  },
  'POST /popularity/imports': {
    summary: 'Import published popularity',
    description:
      'Imports Apple’s monthly file of search terms (.xlsx, or .csv with the same columns) ' +
      'from the parts 1 to `parts`. For each country of the file, the terms of its month ' +
      `replace those that were there, and all workspaces see the result. ${forManagers}`,
    rateClass: 'write',
    readOnlyToken: false,
    idempotent: true,
    body: z.strictObject({
      parts: z.int().min(1).max(partsMax),
      fileName: textOf(255, z.string().trim().min(1)),
    }),
    example: { parts: 1, fileName: 'monthly_search_term_rank.xlsx' },
    responses: { 202: accepted },
  },
  'GET /popularity/imports': {
    summary: 'List popularity imports',
    description: `Lists the imports of this instance, the newest first. ${forManagers}`,
    rateClass: 'read',
    readOnlyToken: true,
    query: z.strictObject(paging),
    responses: { 200: listOf(popularityImport) },
  },
  'GET /popularity/imports/{importId}': {
    summary: 'Get a popularity import',
    description:
      'Returns the progress of an import, the rows that were refused, and the result for each ' +
      `country and month. ${forManagers}`,
    rateClass: 'read',
    readOnlyToken: true,
    params: z.strictObject({ importId: bigIdText }),
    responses: { 200: popularityImportDetail },
  },
  'GET /popularity/sync': {
    summary: 'Get the sync of popularity',
    description:
      'Returns the state of the weekly sync with the Apple Ads Platform API and of its ' +
      `credentials. ${forManagers}`,
    rateClass: 'read',
    readOnlyToken: true,
    responses: { 200: popularitySync },
  },
  'POST /popularity/sync': {
    summary: 'Sync popularity now',
    description:
      'Makes the sync due at once; it reads the newest week again, and discarded ones of the ' +
      `newest four. Returns its state. ${forManagers}`,
    rateClass: 'write',
    readOnlyToken: false,
    responses: { 202: popularitySync },
  },
  'PUT /popularity/credentials': {
    summary: 'Save credentials of the Apple Ads Platform API',
    description:
      'Tests the credentials with Apple and stores them, the private key encrypted; a sync ' +
      `follows. They replace those that were there. ${forManagers}`,
    rateClass: 'write',
    readOnlyToken: false,
    body: popularityCredentials,
    example: {
      clientId: 'SEARCHADS.0d8f3c52-6f0e-4a55-9a3a-2f6c1f3f3a10',
      teamId: 'SEARCHADS.0d8f3c52-6f0e-4a55-9a3a-2f6c1f3f3a10',
      keyId: 'b2f1f0c4-6a0e-4c0e-8a53-7a1f6c0d9e21',
      privateKey:
        '-----BEGIN EC PRIVATE KEY-----\nThe lines of the file that openssl wrote for you, ' +
        'unchanged.\n-----END EC PRIVATE KEY-----',
    },
    responses: { 200: popularitySync },
  },
  'DELETE /popularity/credentials': {
    summary: 'Remove credentials of the Apple Ads Platform API',
    description:
      'Deletes the credentials and ends the sync. Published numbers stay. ' + forManagers,
    rateClass: 'write',
    readOnlyToken: false,
    responses: { 200: popularitySync },
  },
  'GET /popularity/quarantine': {
    summary: 'List quarantined weeks',
    description:
      'Lists the weeks that the sync read and did not believe, with the reasons. They are not ' +
      `visible before somebody accepts them. ${forManagers}`,
    rateClass: 'read',
    readOnlyToken: true,
    responses: { 200: z.strictObject({ items: z.array(quarantinedWeek) }) },
  },
  'POST /popularity/quarantine/{setId}/accept': {
    summary: 'Accept a quarantined week',
    description: `Makes the week visible; it replaces what there was of this week. ${forManagers}`,
    rateClass: 'write',
    readOnlyToken: false,
    params: quarantinedId,
    responses: { 200: z.strictObject({ id, accepted: z.literal(true) }) },
  },
  'POST /popularity/quarantine/{setId}/discard': {
    summary: 'Discard a quarantined week',
    description:
      'Discards the week; what was visible stays. It is read again when a sync is requested ' +
      `while it is one of the newest four. ${forManagers}`,
    rateClass: 'write',
    readOnlyToken: false,
    params: quarantinedId,
    responses: { 200: z.strictObject({ id, discarded: z.literal(true) }) },
  },
  'GET /popularity/periods': {
    summary: 'List periods of published popularity',
    description: 'Lists the months and weeks that there are by country, the newest first.',
    rateClass: 'read',
    readOnlyToken: true,
    query: z.strictObject({ ...wholePaging, country: country.optional() }),
    pages: 'cut',
    responses: { 200: listOf(set) },
  },
  'GET /popularity/terms': {
    summary: 'List top search terms',
    description:
      'Lists the search terms that the store publishes for a country, with the change since the ' +
      'period before. Those of a genre come by rank, those of all genres by popularity, climbers ' +
      'and fallers by their change.',
    rateClass: 'read',
    readOnlyToken: true,
    query: z.strictObject({
      ...paging,
      country,
      genre: genre.optional(),
      granularity: granularity.default('month'),
      period: utcDay.optional().meta({
        description: 'The first day of a month or week; the newest one by default.',
      }),
      movement: z.enum(popularityMovements).optional(),
      q: term200.optional().meta({ description: 'A part of the term.' }),
      appId: idText.optional().meta({
        description:
          'Locates the words of the terms in the listing of this app; without it, and for an app ' +
          'of another workspace, `words` is null.',
      }),
    }),
    responses: {
      200: z.strictObject({
        ...listOf(term).shape,
        set: set.nullable().meta({ description: 'Null when there is none for the country.' }),
        previousPeriod: utcDay.nullable(),
      }),
    },
  },
});
