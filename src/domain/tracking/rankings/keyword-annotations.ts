import type { z } from 'zod';
import type { ChangedField } from '#contract/changes.ts';
import type { rankings } from '#contract/rankings.ts';
import type { Tx } from '#db/database.ts';
import { listAnnotations } from '#db/queries/annotations/annotations.ts';
import { listSnapshotsAround } from '#db/queries/rankings/rank-months.ts';
import { addDays, maxDay, utcDayOf, type UtcDay } from '#lib/dates.ts';
import type { Ctx } from '#domain/base/context.ts';
import { fieldLabels } from '../listings/field-labels.ts';
import { diffListings, type FieldChange } from '../listings/listing-content.ts';
import { readFields } from '../listings/listing-snapshot.ts';
import type { Followed } from './followed-keywords.ts';
import { firstDayOf, trackedDepthOn, visibleAtOnce } from './tracking-periods.ts';

export type Annotation = z.input<
  (typeof rankings)['GET /keywords/{keywordId}/rankings']['responses'][200]
>['annotations'][number];

const maxSnapshots = 400;
const maxAnnotations = 400;

/** Fields that may move a position; the version is reported separately. */
const annotatedFields: readonly string[] = [
  'name',
  'subtitle',
  'summary',
  'description',
  'developer',
  'iconUrl',
  'screenshotUrls',
  'category',
  'price',
  'inAppPurchases',
  'languages',
] satisfies ChangedField[];

const isAnnotated = (change: FieldChange): change is FieldChange & { field: ChangedField } =>
  annotatedFields.includes(change.field);

/**
 * Changes of the app's listing in the keyword's country, newest first, of the days on which the
 * keyword was tracked. The reading of the first day, and of the first one after a pause, is the
 * baseline of later ones and has no change itself.
 */
export async function listKeywordAnnotations(
  tx: Tx,
  keyword: Followed,
  range: { from: UtcDay; to: UtcDay },
): Promise<Annotation[]> {
  const firstDay = firstDayOf(keyword.trackingPeriods);
  if (firstDay === null) return [];
  const from = maxDay(range.from, addDays(firstDay, 1));
  if (from > range.to) return [];
  const periods = visibleAtOnce(keyword.trackingPeriods);
  const isTracked = (day: UtcDay) => (trackedDepthOn(periods, day) ?? 0) > 0;
  const { listingId, country } = keyword;
  const snapshots = await listSnapshotsAround(tx, {
    listingId,
    country,
    from,
    to: range.to,
    limit: maxSnapshots,
  });
  const readings = snapshots.map((snapshot) => ({
    date: utcDayOf(snapshot.takenAt),
    listing: { ...readFields(snapshot.fields), rating: null, ratingCount: null, installs: null },
  }));
  const changes = readings.slice(1).map(({ date, listing }, index) => ({
    date,
    changes: diffListings(readings[index]!.listing, listing),
  }));
  return changes
    .filter(({ date }) => date >= from && isTracked(date) && isTracked(addDays(date, -1)))
    .flatMap(({ date, changes: found }) => annotate(date, found))
    .toReversed();
}

/** This workspace's annotations of the keyword or of its whole app, newest first. */
export async function readNotes(
  tx: Tx,
  ctx: Pick<Ctx, 'workspaceId'>,
  keyword: Followed,
  range: { from: UtcDay; to: UtcDay },
): Promise<Annotation[]> {
  const filter = { appId: keyword.appId, keywordId: keyword.id, ...range };
  const rows = await listAnnotations(tx, ctx.workspaceId, filter, {
    after: null,
    limit: maxAnnotations,
  });
  return rows.map(({ date, text }) => ({ date, text, kind: 'note' }));
}

function annotate(date: UtcDay, changes: readonly FieldChange[]): Annotation[] {
  const version = changes.find(
    (change) => change.field === 'version' && typeof change.after === 'string',
  );
  const texts = changes.filter(isAnnotated).map(describe);
  return [
    ...(texts.length > 0
      ? [{ date, text: `Changed: ${texts.join(', ')}`, kind: 'metadata' as const }]
      : []),
    ...(version
      ? [{ date, text: `Version ${String(version.after)}`, kind: 'version' as const }]
      : []),
  ];
}

function describe({ field, after }: FieldChange & { field: ChangedField }): string {
  const isShort = field === 'name' || field === 'subtitle';
  return isShort && typeof after === 'string'
    ? `${fieldLabels[field]} “${after}”`
    : fieldLabels[field];
}
