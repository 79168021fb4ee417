import {
  listFollowedChanges,
  listListingWorkspaces,
  listPendingSnapshots,
  lockAlerts,
  markChangesEvaluated,
  type FollowedChangeRow,
  type Follower,
} from '#db/queries/alerts/alert-facts.ts';
import { utcDayOf } from '#lib/dates.ts';
import { inSystem, type Services } from '#domain/base/context.ts';
import { emitEvents, type NewEvent } from '../events/emit-events.ts';
import type { AlertOf } from './alert.ts';
import { readRules } from './read-rules.ts';
import { findRule, type ResolvedRule } from './rules.ts';
import { toEvents } from './to-events.ts';

const snapshotBatchSize = 100;

/** Turns unevaluated listing changes into events, once. Returns the number of snapshots. */
export function evaluateChangeAlerts(services: Services): Promise<number> {
  return inSystem(services, async (tx) => {
    if (!(await lockAlerts(tx, 'changes'))) return 0;
    const taken = await listPendingSnapshots(tx, snapshotBatchSize);
    if (taken.length === 0) return 0;
    const snapshotIds = taken.map((row) => row.snapshotId);
    const events: NewEvent[] = [];
    for (const workspaceId of await listListingWorkspaces(tx, [
      ...new Set(taken.map((row) => row.listingId)),
    ])) {
      const rules = await readRules(tx, workspaceId);
      const rows = await listFollowedChanges(tx, workspaceId, { snapshotIds });
      events.push(...(await toEvents(tx, services, workspaceId, toChangeAlerts(rows, rules))));
    }
    await emitEvents(tx, services, events);
    await markChangesEvaluated(tx, snapshotIds);
    return taken.length;
  });
}

/** Fields that change with a release, in every country at once. */
const releaseFields: readonly string[] = ['version', 'releaseNotes', 'minimumOsVersion'];
/** Countries see a release within days of each other. */
const releaseDays = 30;

/**
 * The changes of a snapshot, for the first follower with a matching rule, with the fields of that
 * rule. The same fields of a listing in several countries are one alert a day. A competitor's
 * release is an alert of its own, for the first country that shows it. Pure.
 */
export function toChangeAlerts(
  rows: readonly FollowedChangeRow[],
  rules: readonly ResolvedRule[],
): AlertOf<'metadata.changed'>[] {
  const snapshots = Map.groupBy(rows, (row) => `${row.listingId}:${row.country}:${row.snapshotId}`);
  const toAlerts = (of: readonly FollowedChangeRow[], follower: Follower) =>
    (follower.competitorId === null ? [{ rows: of }] : splitRelease(of)).flatMap(
      (part) => toChangeAlert(part, follower, rules) ?? [],
    );
  return [...snapshots.values()].flatMap(
    (ofSnapshot) =>
      ofSnapshot[0]!.followers
        .map((follower) => toAlerts(ofSnapshot, follower))
        .find((alerts) => alerts.length > 0) ?? [],
  );
}

interface ChangePart {
  rows: readonly FollowedChangeRow[];
  /** Set for the fields of a release. */
  version?: unknown;
}

function splitRelease(rows: readonly FollowedChangeRow[]): ChangePart[] {
  const version = rows.find(({ field }) => field === 'version');
  if (!version) return [{ rows }];
  const isOfRelease = ({ field }: FollowedChangeRow) => releaseFields.includes(field);
  return [
    { rows: rows.filter(isOfRelease), version: version.after },
    { rows: rows.filter((row) => !isOfRelease(row)) },
  ].filter((part) => part.rows.length > 0);
}

function toChangeAlert(
  { rows: ofSnapshot, version }: ChangePart,
  { appId, competitorId, tags }: Follower,
  rules: readonly ResolvedRule[],
): AlertOf<'metadata.changed'> | null {
  const { store, storeAppId, name, developer, country, detectedAt, previousAt } = ofSnapshot[0]!;
  const rule = findRule(rules, 'metadata.changed', { appId, tags, traffic: null });
  const kind = competitorId === null ? ('app' as const) : ('competitor' as const);
  if (!rule?.subjects.includes(kind)) return null;
  const changes = ofSnapshot
    .filter(({ field }) => rule.fields === undefined || rule.fields.some((one) => one === field))
    .map(({ field, before, after }) => ({ field, before, after }));
  if (changes.length === 0) return null;
  const date = utcDayOf(detectedAt);
  const { listingId } = ofSnapshot[0]!;
  const subject =
    version === undefined
      ? `${listingId}:${changes
          .map(({ field }) => field)
          .toSorted()
          .join(',')}`
      : `${listingId}:version:${JSON.stringify(version)}`;
  const listing = { store, storeAppId, name, developer };
  const data = {
    subject: kind,
    competitorId,
    listing,
    country,
    date,
    previousDate: utcDayOf(previousAt),
    changes,
  };
  return {
    type: 'metadata.changed',
    subject,
    date,
    appId,
    data,
    links: { changes: `/apps/${appId}/changes` },
    cooldownDays: version === undefined ? 0 : releaseDays,
  };
}
