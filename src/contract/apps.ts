import { z } from 'zod';
import {
  accepted,
  bigInteger,
  country,
  deleted,
  device,
  flagText,
  id,
  idParam,
  instant,
  jobReference,
  listOf,
  listText,
  note,
  paging,
  storeName,
  tag,
  tags,
  utcDay,
  wholePaging,
} from './common.ts';
import { operationsOf } from './operation.ts';

/**
 * Facts of the listing in the app's primary country; null means that the store does not provide the
 * value.
 */
export const app = z
  .strictObject({
    id,
    store: storeName,
    storeAppId: z.string(),
    bundleId: z.string().nullable(),
    name: z.string(),
    displayName: z.string().nullable(),
    developer: z.string().nullable(),
    iconUrl: z.string().nullable(),
    storeUrl: z.string(),
    category: z.string().nullable(),
    price: z.number().nullable(),
    currency: z.string().nullable(),
    free: z.boolean().nullable(),
    rating: z.number().nullable(),
    ratingCount: z.int().nullable(),
    installs: bigInteger.nullable(),
    version: z.string().nullable(),
    releasedAt: instant.nullable(),
    updatedAt: instant.nullable(),
    tags,
    note: z.string().nullable(),
    archived: z.boolean(),
    purgeAt: instant.nullable(),
    linkedAppId: id.nullable(),
    primaryCountry: country,
    createdAt: instant,
    lastSnapshotAt: instant.nullable(),
    /** Present with include=counts or include=summary. */
    counts: z.strictObject({ keywords: z.int(), countries: z.int(), ranked: z.int() }).optional(),
  })
  .meta({ id: 'App' });

/** The members that people edit. */
const editableOfApp = ['displayName', 'tags', 'note', 'archived', 'linkedAppId'];

/** A stored listing of a country and day. */
export const snapshot = z
  .strictObject({
    id: z.int(),
    country,
    language: z.string().nullable(),
    takenAt: instant,
    name: z.string(),
    subtitle: z.string().nullable(),
    summary: z.string().nullable(),
    description: z.string().nullable(),
    developer: z.string().nullable(),
    iconUrl: z.string().nullable(),
    category: z.string().nullable(),
    price: z.number().nullable(),
    currency: z.string().nullable(),
    version: z.string().nullable(),
    releaseNotes: z.string().nullable(),
    releasedAt: instant.nullable(),
    updatedAt: instant.nullable(),
    contentRating: z.string().nullable(),
    sizeBytes: bigInteger.nullable(),
    minimumOsVersion: z.string().nullable(),
    languages: z.array(z.string()),
    screenshotUrls: z.array(z.string()),
    inAppPurchases: z.boolean().nullable(),
    rating: z.number().nullable(),
    ratingCount: z.int().nullable(),
    installs: bigInteger.nullable(),
  })
  .meta({ id: 'Snapshot' });

export const fieldChange = z
  .strictObject({ field: z.string(), before: z.unknown(), after: z.unknown() })
  .meta({ id: 'FieldChange' });

export const snapshotDiff = z
  .strictObject({ snapshot, previous: snapshot.nullable(), changes: z.array(fieldChange) })
  .meta({ id: 'SnapshotDiff' });

const move = z.strictObject({
  gained: z.int(),
  lost: z.int(),
  unchanged: z.int(),
  entered: z.int(),
  left: z.int(),
  comparable: z.int(),
});

export const overview = z
  .strictObject({
    appId: id,
    country: country.nullable(),
    device: device.nullable(),
    date: utcDay,
    tracked: z.int(),
    ranked: z.int(),
    notFound: z.int(),
    notChecked: z.int(),
    top1: z.int(),
    top3: z.int(),
    top10: z.int(),
    top50: z.int(),
    averagePosition: z.number().nullable().meta({ description: 'Over ranked keywords only.' }),
    newestCheck: z
      .strictObject({
        date: utcDay.meta({ description: 'The newest day with a position.' }),
        older: z.int().meta({
          description:
            'Of the counted keywords, those whose latest check is older than that day, by 3 days ' +
            'at most.',
        }),
      })
      .nullable()
      .meta({ description: 'Null if no keyword was checked in the last 3 days.' }),
    movers: z
      .strictObject({ days1: move, days7: move, days30: move })
      .meta({ description: 'Of the keywords that were checked in the last 3 days.' }),
    openActions: z.int(),
    lastRun: z.strictObject({ date: utcDay, state: z.string() }).nullable(),
    lastCheckedAt: instant.nullable(),
  })
  .meta({ id: 'Overview' });

const marketRow = z.strictObject({
  country,
  devices: z.array(device).min(1).meta({ description: 'The devices of these keywords.' }),
  keywords: z.int(),
  ranked: z.int(),
  best: z.int().min(1).nullable(),
  searchesPerDay: z.int(),
  requestsPerDay: z.number(),
  firstDay: utcDay.meta({
    description:
      'The first day on which one of these keywords was tracked or has an imported rank.',
  }),
});

const storeAppId = z.string().trim().min(1).max(200);

export const apps = operationsOf({
  'GET /apps': {
    summary: 'List apps',
    description: 'Lists the tracked apps of the workspace.',
    rateClass: 'read',
    readOnlyToken: true,
    query: z.strictObject({
      ...paging,
      store: storeName.optional(),
      q: z.string().max(100).optional(),
      tag: tag.optional(),
      archived: flagText.optional(),
      include: listText(['summary']).optional(),
    }),
    responses: { 200: listOf(app) },
  },
  'POST /apps': {
    summary: 'Track an app',
    description:
      'Tracks an app, named by its store address or its id, and reads its listing. An app ' +
      'that is already tracked is returned with 200.',
    rateClass: 'store',
    readOnlyToken: false,
    idempotent: true,
    enqueues: true,
    body: z.union([
      z.strictObject({
        url: z.string().min(1).max(2_000),
        lookupCountry: country.optional(),
        tags: tags.optional(),
      }),
      z.strictObject({
        store: storeName,
        storeAppId,
        lookupCountry: country.optional(),
        tags: tags.optional(),
      }),
    ]),
    example: { store: 'ios', storeAppId: '1438388363', lookupCountry: 'us' },
    responses: {
      201: z.strictObject({ app, job: jobReference }),
      200: z.strictObject({ app, job: z.null() }),
    },
  },
  'GET /apps/{id}': {
    summary: 'Get an app',
    description: 'Returns one app with the facts of its listing in its primary country.',
    rateClass: 'read',
    readOnlyToken: true,
    versioned: editableOfApp,
    params: idParam,
    query: z.strictObject({ include: listText(['latestSnapshot', 'counts']).optional() }),
    responses: {
      200: z.strictObject({ ...app.shape, latestSnapshot: snapshot.nullable().optional() }),
    },
  },
  'PATCH /apps/{id}': {
    summary: 'Update an app',
    description:
      'Changes how this workspace sees the app: its name, tags, note and state. Its ' +
      'listing is not changed.',
    rateClass: 'write',
    readOnlyToken: false,
    versioned: editableOfApp,
    params: idParam,
    body: z.strictObject({
      displayName: z.string().trim().min(1).max(120).nullable().optional(),
      tags: tags.optional(),
      note: note.nullable().optional(),
      archived: z.boolean().optional(),
      linkedAppId: id.nullable().optional(),
    }),
    example: { displayName: 'Habits', tags: ['own'] },
    responses: { 200: app },
  },
  'DELETE /apps/{id}': {
    summary: 'Archive or delete an app',
    description:
      'Archives the app for 30 days and then deletes it. With `purge=true` it is deleted ' +
      'at once.',
    rateClass: 'write',
    readOnlyToken: false,
    params: idParam,
    query: z.strictObject({ purge: flagText.optional() }),
    responses: { 200: z.strictObject({ ...deleted.shape, purgeAt: instant }) },
  },
  'POST /apps/{id}/restore': {
    summary: 'Restore an archived app',
    description: 'Restores an archived app with its keywords.',
    rateClass: 'write',
    readOnlyToken: false,
    params: idParam,
    responses: { 200: app },
  },
  'POST /apps/{id}/refresh': {
    summary: 'Refresh an app’s listing',
    description:
      'Reads the listing from the store now and returns the difference from the previous ' +
      'snapshot.',
    rateClass: 'store',
    onDemand: 'refresh',
    readOnlyToken: false,
    params: idParam,
    responses: { 200: snapshotDiff },
  },
  'POST /apps/{id}/run-daily': {
    summary: 'Run an app’s daily work now',
    description:
      'Runs the daily work of one app now: the checks of its keywords, its listing, ' +
      'reviews and charts. Poll the job for its progress.',
    rateClass: 'store',
    onDemand: 'run-daily',
    readOnlyToken: false,
    idempotent: true,
    enqueues: true,
    params: idParam,
    responses: { 202: accepted },
  },
  'GET /apps/{id}/overview': {
    summary: 'Get an app’s overview',
    description:
      'Returns the key figures of an app: ranked keywords, positions by range, movers and ' +
      'open actions.',
    rateClass: 'read',
    readOnlyToken: true,
    params: idParam,
    query: z.strictObject({ country: country.optional(), device: device.optional() }),
    responses: { 200: overview },
  },
  'GET /apps/{id}/markets': {
    summary: 'List an app’s countries',
    description:
      'Lists the countries in which the app has keywords, with the daily cost of each in ' +
      'store requests.',
    rateClass: 'read',
    readOnlyToken: true,
    params: idParam,
    query: z.strictObject(wholePaging),
    pages: 'cut',
    responses: { 200: listOf(marketRow) },
  },
});
