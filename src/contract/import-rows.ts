import { z } from 'zod';
import { actionType, severity } from './actions.ts';
import { actionStates, webhookKinds } from './choices.ts';
import { alertRule } from './alerts.ts';
import {
  country,
  id,
  note,
  requestedDevice,
  storeName,
  tags,
  textOf,
  utcDay,
  instant,
} from './common.ts';
import { eventType } from './events.ts';
import { event } from './events.ts';
import { importedFacts } from './imported-facts.ts';
import { locale } from './keyword-field.ts';
import { draftTexts } from './listing-drafts.ts';
import { depth, position, provider } from './rankings.ts';
import { settingsUpdate } from './settings.ts';
import { tagColor } from './tags.ts';

/** The first line of an export. */
export const manifestLine = z.object({
  manifest: z.object({ format: z.literal('toprung-workspace'), version: z.literal(1) }),
});
export const endLine = z.strictObject({
  end: z.strictObject({ lines: z.int().min(1), sha256: z.string().regex(/^[0-9a-f]{64}$/) }),
});
export const rowLine = z.strictObject({
  table: z.string().regex(/^[a-z_]{1,60}$/),
  row: z.record(z.string(), z.unknown()),
});

const text = (max: number) => textOf(max, z.string());
/** An instant as a database row shows it; kept as text to preserve its microseconds. */
const moment = z
  .string()
  .regex(/^2\d{3}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(\.\d{1,6})?(Z|\+00:00)$/, 'a UTC instant')
  .refine(
    (value) =>
      !Number.isNaN(Date.parse(value)) &&
      new Date(value).toISOString().startsWith(value.slice(0, 19)),
    'an instant that exists',
  );
/** Read only when facts are restored as public facts; other imports begin on their own day. */
const began = { created_at: moment.optional() };
const trackingPeriods = z
  .array(
    z.union([
      z.tuple([utcDay, z.int().min(-1).max(200)]),
      z.tuple([utcDay, z.int().min(-1).max(200), z.int().min(-86_400).max(86_400)]),
    ]),
  )
  .max(10_000)
  .optional();
const archivedSpans = z
  .array(z.tuple([moment, moment]))
  .max(10_000)
  .optional();
const listing = z.object({ store: storeName, storeAppId: z.string().min(1).max(200) });
const archived = { archived_at: moment.nullable(), purge_at: moment.nullable() };
const isArchivedWhole = (row: { archived_at: string | null; purge_at: string | null }) =>
  (row.archived_at === null) === (row.purge_at === null);

/** The body of an event, kept as text. */
const eventBody = z.string().transform((body, context) => {
  try {
    return event.parse(JSON.parse(body));
  } catch {
    context.addIssue('an event as GET /events lists it');
    return z.NEVER;
  }
});

/** The part of an export's rows that an import reads; other members are ignored. */
export const importedRows = {
  settings: z.object({ settings: settingsUpdate }),
  tag_styles: z.object({ name: text(40).min(1), color: tagColor.nullable() }),
  apps: z
    .object({
      id,
      listing,
      primary_country: country,
      display_name: text(200).nullable(),
      tags,
      note: note.nullable(),
      linked_app_id: id.nullable(),
      tracked_since: moment,
      ...began,
      archived_spans: archivedSpans,
      ...archived,
    })
    .refine(isArchivedWhole, 'archived with a purge date, or neither'),
  keywords: z
    .object({
      id,
      app_id: id,
      phrase: text(100).min(1),
      country,
      device: requestedDevice.optional(),
      depth,
      paused: z.boolean(),
      favorite: z.boolean(),
      tags,
      note: note.nullable(),
      tracked_since: moment,
      ...began,
      tracking_periods: trackingPeriods,
      ...archived,
    })
    .refine(isArchivedWhole, 'archived with a purge date, or neither'),
  competitors: z.object({
    id,
    app_id: id,
    listing,
    relationship: text(60).nullable(),
    note: note.nullable(),
    tracked_since: moment,
    ...began,
    followed_at: moment.optional(),
    archived_spans: archivedSpans,
    tracking_periods: trackingPeriods,
    archived_at: moment.nullable(),
  }),
  alert_rules: z.object({ rules: z.array(alertRule).max(100), saved_at: moment }),
  annotations: z.object({
    app_id: id,
    on_date: utcDay,
    text: text(500).min(1),
    keyword_ids: z.array(id).max(200),
    created_at: moment,
  }),
  keyword_fields: z.object({ app_id: id, locale, text: text(1_000), saved_at: moment }),
  listing_drafts: z.object({
    id,
    app_id: id,
    name: text(60).min(1),
    is_current: z.boolean(),
    created_at: moment,
  }),
  listing_draft_versions: z.object({ draft_id: id, locale, texts: draftTexts, saved_at: moment }),
  storefront_locale_overrides: z.object({
    country,
    locale,
    enabled: z.boolean(),
    note: text(500).nullable(),
    saved_at: moment,
  }),
  review_marks: z.object({
    app_id: id,
    country,
    store_review_id: z.string().min(1).max(200),
    tags,
    note: note.nullable(),
    read_at: moment.nullable(),
  }),
  webhooks: z
    .object({
      id,
      url: z.url({ protocol: /^https?$/ }).max(2_000),
      kind: z.enum(webhookKinds),
      events: z.array(eventType).min(1).max(20),
      description: text(200).nullable(),
      enabled: z.boolean(),
      disabled_by: z.enum(['user', 'gone', 'failing']).nullable(),
      created_at: moment,
    })
    .refine((row) => row.enabled === (row.disabled_by === null), 'enabled, or disabled by a user'),
  sent_digests: z.object({ week: utcDay }),
  actions: z
    .object({
      id,
      app_id: id.nullable(),
      type: actionType,
      key: z.string().min(1).max(400),
      fingerprint: z.string().max(100),
      severity,
      title: text(1_000),
      reason: text(4_000),
      evidence: z.record(z.string(), z.unknown()),
      keyword_ids: z.array(id).max(1_000),
      status: z.enum(actionStates),
      opened_at: moment,
      seen_at: moment,
      snoozed_until: moment.nullable(),
      resolved_at: moment.nullable(),
      resolved_by: z
        .string()
        .regex(/^(user:\d{1,10}|gone)$/)
        .nullable(),
      dismiss_reason: text(500).nullable(),
    })
    .refine(
      (row) => (row.status === 'snoozed') === (row.snoozed_until !== null),
      'snoozed until an instant',
    )
    .refine(
      (row) =>
        (row.status === 'resolved' || row.status === 'dismissed') === (row.resolved_at !== null),
      'ended at an instant',
    ),
  events: z
    .object({ type: eventType, app_id: id.nullable(), body: eventBody })
    .refine((row) => row.type === row.body.type, 'an event of its type'),
  rankings: z
    .object({
      keywordId: id,
      date: utcDay,
      position,
      depth,
      checkedAt: instant,
      provider: provider.nullable().default(null),
    })
    .refine((rank) => (rank.position ?? 0) <= rank.depth, 'a position within its depth'),
  ...importedFacts,
};

export type ImportedTableName = keyof typeof importedRows;
export type ImportedRow<Name extends ImportedTableName> = z.output<(typeof importedRows)[Name]>;
