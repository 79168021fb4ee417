import {
  applyNewDailyRanks,
  insertImportedDailyRanks,
} from '#db/queries/rankings/imported-daily-ranks.ts';
import {
  insertImportedApps,
  insertImportedCompetitors,
  insertImportedKeywords,
  linkImportedApps,
} from '#db/queries/imports/imported-rows.ts';
import { addDays, utcDayOf } from '#lib/dates.ts';
import { defaultDeviceOf } from '#domain/base/ports.ts';
import { normalisePhrase } from '#lib/normalise-phrase.ts';
import { maxPosition } from '#domain/tracking/rankings/daily-rank-codec.ts';
import { updateTrackingPeriods } from '#domain/tracking/keywords/update-tracking-periods.ts';
import type { ImportRun, Restore } from './import-run.ts';

const keptMs = 30 * 86_400_000;

/** Rows are retained no longer than those deleted today. */
function purgeAtOf(purgeAt: string | null, now: Date): string | null {
  const latest = new Date(now.getTime() + keptMs);
  return purgeAt === null || new Date(purgeAt) < latest ? purgeAt : latest.toISOString();
}

/**
 * The instant since which a row is tracked here: that of the import, because a file cannot open
 * earlier facts of this instance, except that of an operator.
 */
function beganAt({ ctx, asPublicFacts }: ImportRun, at: string | undefined): string {
  const now = ctx.clock.now();
  return asPublicFacts && at !== undefined && new Date(at) < now ? at : now.toISOString();
}

/** A later instant would leave what others have read until then visible. */
function archivedAtOf(archivedAt: string | null, now: Date): string | null {
  return archivedAt === null || new Date(archivedAt) < now ? archivedAt : now.toISOString();
}

export const restoreApps: Restore<'apps'> = async (run, rows) => {
  const { tx, ctx, ids, asPublicFacts } = run;
  const now = ctx.clock.now();
  const apps = rows.map(
    ({
      listing,
      primary_country,
      display_name,
      tags,
      note,
      tracked_since,
      created_at,
      archived_spans,
      archived_at,
      purge_at,
    }) => ({
      ...listing,
      country: primary_country,
      displayName: display_name,
      tags,
      note,
      createdAt: beganAt(run, created_at),
      trackedSince: tracked_since,
      archivedSpans: asPublicFacts ? (archived_spans ?? []) : [],
      archivedAt: archivedAtOf(archived_at, now),
      purgeAt: purgeAtOf(purge_at, now),
    }),
  );
  ids.add('app', rows, await insertImportedApps(tx, ctx.workspaceId, apps));
  const links = rows.flatMap(({ id, linked_app_id }) => {
    const linkedAppId = linked_app_id === null ? undefined : ids.find('app', linked_app_id);
    return linkedAppId === undefined ? [] : [{ id: ids.of('app', id), linkedAppId }];
  });
  if (links.length > 0) await linkImportedApps(tx, ctx.workspaceId, links);
  return rows.length;
};

export const restoreKeywords: Restore<'keywords'> = async (run, rows) => {
  const { tx, ctx, ids, survey, asPublicFacts } = run;
  const now = ctx.clock.now();
  const keywords = rows.map(
    ({
      app_id,
      phrase,
      country,
      device,
      depth,
      paused,
      favorite,
      tags,
      note,
      tracked_since,
      created_at,
      tracking_periods,
      archived_at,
      purge_at,
    }) => {
      const app = survey.apps.get(app_id)!;
      const isFollowed = !paused && archived_at === null && !app.isArchived;
      return {
        appId: ids.of('app', app_id),
        phrase: normalisePhrase(phrase),
        country,
        device: device ?? defaultDeviceOf(app.store),
        depth,
        paused,
        favorite,
        tags,
        note,
        trackingPeriods: updateTrackingPeriods(asPublicFacts ? (tracking_periods ?? []) : [], {
          now,
          depth: isFollowed ? depth : 0,
          hasRankToday: false,
        }),
        createdAt: beganAt(run, created_at),
        trackedSince: tracked_since,
        archivedAt: archived_at,
        purgeAt: purgeAtOf(purge_at, now),
      };
    },
  );
  ids.add('keyword', rows, await insertImportedKeywords(tx, ctx.workspaceId, keywords));
  return rows.length;
};

export const restoreCompetitors: Restore<'competitors'> = async (run, rows) => {
  const { tx, ctx, ids, asPublicFacts } = run;
  const now = ctx.clock.now();
  const today = utcDayOf(now);
  const competitors = rows.map((row) => {
    const { app_id, listing, relationship, note, archived_at } = row;
    const fromNow = archived_at === null ? [[addDays(today, 1), maxPosition]] : [[today, 0]];
    return {
      ...listing,
      appId: ids.of('app', app_id),
      relationship,
      note,
      trackingPeriods: (asPublicFacts && row.tracking_periods) || fromNow,
      followedAt: beganAt(run, row.followed_at),
      createdAt: beganAt(run, row.created_at),
      trackedSince: row.tracked_since,
      archivedSpans: asPublicFacts ? (row.archived_spans ?? []) : [],
      archivedAt: archivedAtOf(archived_at, now),
    };
  });
  ids.add('competitor', rows, await insertImportedCompetitors(tx, ctx.workspaceId, competitors));
  return rows.length;
};

/**
 * Positions become the workspace's own imported ranks, until they are published. A keyword added
 * after the export has none.
 */
export const restoreRankings: Restore<'rankings'> = async (run, rows) => {
  const { tx, ctx, ids, asPublicFacts: toPublish } = run;
  const today = utcDayOf(ctx.clock.now());
  const ranks = rows.flatMap(({ keywordId, ...rank }) => {
    const id = ids.find('keyword', keywordId);
    return id === undefined || rank.date > today ? [] : [{ ...rank, keywordId: id }];
  });
  if (ranks.length === 0) return 0;
  const added = await insertImportedDailyRanks(tx, ctx.workspaceId, { ranks, toPublish });
  const applied = { today, countsAsSeen: toPublish };
  await applyNewDailyRanks(tx, ctx.workspaceId, added, applied);
  return ranks.length;
};
