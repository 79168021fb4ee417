import { z } from 'zod';
import {
  country,
  deleted,
  device,
  id,
  idParam,
  idText,
  instant,
  listOf,
  shownOnce,
  storeName,
  textOf,
  utcDay,
  wholePaging,
} from './common.ts';
import { operationsOf } from './operation.ts';
import { comparisonTotals, isComparable, rankPair, segments } from './rankings.ts';
import { visibilityDay } from './visibility.ts';

const name = textOf(80, z.string().trim().min(1));
const password = z.string().min(8).max(128);
const days = z
  .int()
  .min(7)
  .max(365)
  .meta({
    description:
      'The newest finished day is compared with the day this many days before, or with the first ' +
      'day since that was checked.',
  });

export const report = z
  .strictObject({
    id,
    appId: id,
    name: z.string(),
    country: country.nullable().meta({ description: 'Null for all countries.' }),
    device: device.nullable().meta({ description: 'Null for all devices.' }),
    days,
    hasPassword: z.boolean(),
    createdBy: z.string().nullable().meta({ description: 'Null once the person has left.' }),
    createdAt: instant,
    expiresAt: instant.nullable(),
    lastOpenedAt: instant.nullable().meta({ description: 'To the minute.' }),
  })
  .meta({ id: 'Report' });

const reportCounts = z
  .strictObject({
    top3: z.int(),
    top10: z.int(),
    top50: z.int(),
    ranked: z.int(),
    notFound: z.int(),
    notChecked: z.int(),
  })
  .meta({ id: 'ReportCounts' });

const reportKeyword = z
  .strictObject({
    phrase: z.string(),
    country,
    device,
    from: rankPair.nullable(),
    to: rankPair.nullable(),
    change: z
      .int()
      .nullable()
      .meta({
        description:
          'Positions gained (positive) or lost (negative); null when one of the days was not ' +
          'checked or not found, or when two providers have them.',
      }),
    isComparable,
  })
  .meta({ id: 'ReportKeyword' });

/** The days that are compared, and what was found on them. */
const comparison = z
  .strictObject({
    from: utcDay,
    to: utcDay,
    before: reportCounts,
    now: reportCounts,
    totals: comparisonTotals,
    keywords: z.array(reportKeyword).meta({
      description: 'By position on the last day, at most 1,000. `total` counts all.',
    }),
    total: z.int(),
  })
  .meta({ id: 'ReportComparison' });

export const reportContent = z
  .strictObject({
    name: z.string(),
    app: z.strictObject({
      name: z.string(),
      developer: z.string().nullable(),
      store: storeName,
      icon: z.string().nullable().meta({ description: 'A data URL.' }),
    }),
    country: country.nullable(),
    device: device.nullable(),
    days,
    expiresAt: instant.nullable(),
    visibility: z.array(visibilityDay).meta({
      description: 'Of the keywords that were tracked on the first and on the last day.',
    }),
    segments,
    comparison: comparison.nullable().meta({ description: 'Null without a checked keyword.' }),
  })
  .meta({ id: 'ReportContent' });

export const reports = operationsOf({
  'GET /reports': {
    summary: 'List shared reports',
    description: 'Lists the shared reports of the workspace, the newest first, without links.',
    rateClass: 'read',
    showsAccess: true,
    readOnlyToken: true,
    query: z.strictObject({ ...wholePaging, appId: idText.optional() }),
    pages: 'cut',
    responses: { 200: listOf(report) },
  },
  'POST /reports': {
    summary: 'Share a report',
    description:
      'Creates a link to a read-only report of an app: its visibility, and the positions of its ' +
      'keywords with their changes. Whoever has the link can read the report without an account, ' +
      'unless it has a password. Notes, tags and scores are not shown. A workspace has at most ' +
      '100. It needs a session.',
    rateClass: 'write',
    readOnlyToken: false,
    sessionOnly: true,
    grantsAccess: true,
    idempotent: true,
    shownOnce: ['url'],
    body: z.strictObject({
      appId: id,
      name,
      country: country.nullable().optional(),
      device: device.nullable().optional(),
      days: days.default(30),
      expiresAt: instant.nullable().optional(),
      password: password.nullable().optional(),
    }),
    example: { appId: 1, name: 'Monthly report for Ann', country: 'de', days: 30 },
    responses: { 201: z.strictObject({ ...report.shape, url: shownOnce }) },
  },
  'DELETE /reports/{id}': {
    summary: 'Stop sharing a report',
    description: 'Deletes a shared report. Its link stops working at once.',
    rateClass: 'write',
    readOnlyToken: false,
    revokesAccess: true,
    params: idParam,
    responses: { 200: deleted },
  },
  'POST /reports/open': {
    summary: 'Open a shared report',
    description:
      'Returns the content of a shared report, with the secret of its link (what follows the #) ' +
      'as the only credential. A report with a password responds 401 without it. A link that ' +
      'does not exist, was deleted or has expired is 404, also while the app is archived.',
    rateClass: 'auth',
    readOnlyToken: false,
    body: z.strictObject({
      token: z.string().min(1).max(200),
      password: z.string().min(1).max(512).optional(),
    }),
    example: { token: '3fVtq0Zk8yWm2c' },
    responses: { 200: reportContent },
  },
});
