import { insertImportedDailyRanks } from '#db/queries/rankings/imported-daily-ranks.ts';
import {
  insertImportedApps,
  insertImportedCompetitors,
  insertImportedKeywords,
  linkImportedApps,
} from '#db/queries/imports/imported-rows.ts';
import { addDays, utcDayOf } from '#lib/dates.ts';
import { defaultDeviceOf } from '#domain/base/ports.ts';
import { normalisePhrase } from '#domain/base/text/phrase.ts';
import { maxPosition } from '#domain/tracking/rankings/daily-rank-codec.ts';
import { updateTrackingPeriods } from '#domain/tracking/keywords/update-tracking-periods.ts';
import type { Restore } from './import-run.ts';

const keptMs = 30 * 86_400_000;

/** Rows are retained no longer than those deleted today. */
function purgeAtOf(purgeAt: string | null, now: Date): string | null {
  const latest = new Date(now.getTime() + keptMs);
  return purgeAt === null || new Date(purgeAt) < latest ? purgeAt : latest.toISOString();
}

export const restoreApps: Restore<'apps'> = async ({ tx, ctx, ids }, rows) => {
  const now = ctx.clock.now();
  const apps = rows.map(
    ({
      listing,
      primary_country,
      display_name,
      tags,
      note,
      tracked_since,
      archived_at,
      purge_at,
    }) => ({
      ...listing,
      country: primary_country,
      displayName: display_name,
      tags,
      note,
      trackedSince: tracked_since,
      archivedAt: archived_at,
      purgeAt: purgeAtOf(purge_at, now),
    }),
  );
  ids.add('app', rows, await insertImportedApps(tx, ctx.workspaceId, apps, now));
  const links = rows.flatMap(({ id, linked_app_id }) => {
    const linkedAppId = linked_app_id === null ? undefined : ids.find('app', linked_app_id);
    return linkedAppId === undefined ? [] : [{ id: ids.of('app', id), linkedAppId }];
  });
  if (links.length > 0) await linkImportedApps(tx, ctx.workspaceId, links);
  return rows.length;
};

/** Tracked from today on: a file cannot open earlier facts of this instance. */
export const restoreKeywords: Restore<'keywords'> = async ({ tx, ctx, ids, survey }, rows) => {
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
        trackingPeriods: updateTrackingPeriods([], {
          now,
          depth: isFollowed ? depth : 0,
          hasRankToday: false,
        }),
        trackedSince: tracked_since,
        archivedAt: archived_at,
        purgeAt: purgeAtOf(purge_at, now),
      };
    },
  );
  ids.add('keyword', rows, await insertImportedKeywords(tx, ctx.workspaceId, keywords, now));
  return rows.length;
};

export const restoreCompetitors: Restore<'competitors'> = async ({ tx, ctx, ids }, rows) => {
  const now = ctx.clock.now();
  const today = utcDayOf(now);
  const competitors = rows.map(
    ({ app_id, listing, relationship, note, tracked_since, archived_at }) => ({
      ...listing,
      appId: ids.of('app', app_id),
      relationship,
      note,
      trackingPeriods: archived_at === null ? [[addDays(today, 1), maxPosition]] : [[today, 0]],
      trackedSince: tracked_since,
      archivedAt: archived_at,
    }),
  );
  ids.add(
    'competitor',
    rows,
    await insertImportedCompetitors(tx, ctx.workspaceId, competitors, now),
  );
  return rows.length;
};

/**
 * Positions become the workspace's own imported ranks. A keyword added after the export has none.
 */
export const restoreRankings: Restore<'rankings'> = async ({ tx, ctx, ids }, rows) => {
  const today = utcDayOf(ctx.clock.now());
  const ranks = rows.flatMap(({ keywordId, ...rank }) => {
    const id = ids.find('keyword', keywordId);
    return id === undefined || rank.date > today ? [] : [{ ...rank, keywordId: id }];
  });
  if (ranks.length > 0) await insertImportedDailyRanks(tx, ctx.workspaceId, ranks);
  return ranks.length;
};
