import type { Tx } from '#db/database.ts';
import type { EventData } from '#contract/events.ts';
import {
  countEventsByType,
  listDigestApps,
  type DigestAppRow,
} from '#db/queries/digests/digests.ts';
import { countNewReviews } from '#db/queries/reviews/reviews.ts';
import { findWorkspace } from '#db/queries/workspaces/workspaces.ts';
import { addDays, minDay, startOfDayMs, utcDayOf, type UtcDay } from '#lib/dates.ts';
import {
  readAlertKeywords,
  type AlertKeyword,
} from '#domain/alerting/alerts/evaluate-keyword-alerts.ts';
import { inTenant, type Ctx } from '#domain/base/context.ts';
import { invalid } from '#domain/base/errors.ts';
import { loadVisibleRows } from '#domain/tracking/rankings/load-visible-rows.ts';
import { windowOf } from '#domain/base/day-window.ts';
import { loadFollowedFeeds } from '#domain/tracking/reviews/followed-feeds.ts';
import { loadSettings } from '#domain/tracking/settings/get-settings.ts';
import { digestEmail } from './digest-email.ts';
import { measureApp } from './measure-app.ts';
import { mondayOf } from './week.ts';

export type Digest = EventData['digest.weekly'];

export interface LoadedDigest {
  digest: Digest;
  /**
   * The visibility of each app, by id: one value per day of the four weeks up to the digest's last
   * day; null for unchecked days.
   */
  trends: Map<number, { from: UtcDay; values: (number | null)[] }>;
}

const appsMax = 50;
const trendDays = 28;

/**
 * The digest of the week of a day; of the last complete week by default. Throws invalid_request for
 * future weeks.
 */
export async function getDigest(ctx: Ctx, day: UtcDay | undefined): Promise<Digest> {
  const week = readWeek(ctx, day);
  return (await inTenant(ctx, (tx) => loadDigest(tx, ctx.workspaceId, week))).digest;
}

/** The digest as an HTML page, equal to the email. */
export async function getDigestPage(ctx: Ctx, day: UtcDay | undefined): Promise<string> {
  const week = readWeek(ctx, day);
  return inTenant(ctx, async (tx) => {
    const workspace = await findWorkspace(tx, ctx.workspaceId);
    const about = { workspace: workspace!.name, publicUrl: ctx.settings.publicUrl };
    return digestEmail('', await loadDigest(tx, ctx.workspaceId, week), about).html;
  });
}

function readWeek(ctx: Ctx, day: UtcDay | undefined): { week: UtcDay; today: UtcDay } {
  const today = utcDayOf(ctx.clock.now());
  const week = mondayOf(day ?? addDays(today, -7));
  if (week > today) throw invalid('week', 'a week that has started', week, mondayOf(today));
  return { week, today };
}

/** The figures of a week that the workspace may see; of the current week, the figures so far. */
export async function loadDigest(
  tx: Tx,
  workspaceId: number,
  { week, today }: { week: UtcDay; today: UtcDay },
): Promise<LoadedDigest> {
  const to = minDay(addDays(week, 6), today);
  const span = {
    from: new Date(startOfDayMs(week)),
    until: new Date(startOfDayMs(addDays(to, 1))),
  };
  const { reviewNegativeMaxRating } = await loadSettings(tx, workspaceId);
  const { apps, total } = await listDigestApps(tx, workspaceId, { ...span, to, limit: appsMax });
  const ofApp = Map.groupBy(await readAlertKeywords(tx, workspaceId), (keyword) => keyword.appId);
  const trends: LoadedDigest['trends'] = new Map();
  const figures: Digest['apps'] = [];
  for (const app of apps) {
    const measured = await measure(tx, ofApp.get(app.appId) ?? [], { week, to });
    trends.set(app.appId, { from: addDays(to, 1 - trendDays), values: measured.trend });
    const reviews = await countReviews(tx, workspaceId, app, {
      ...span,
      maxRating: reviewNegativeMaxRating,
    });
    const { rating, metadataChanges, openActions } = app;
    const counted = { rating, ...reviews, metadataChanges, openActions };
    figures.push({ ...named(app), ...measured.figures, ...counted });
  }
  const events = await countEventsByType(tx, workspaceId, span);
  return {
    digest: { week, from: week, to, apps: figures, moreApps: total - apps.length, events },
    trends,
  };
}

async function measure(
  tx: Tx,
  keywords: readonly AlertKeyword[],
  { week, to }: { week: UtcDay; to: UtcDay },
) {
  const window = windowOf(addDays(to, 1 - trendDays), to);
  const rows = await loadVisibleRows(tx, window, keywords);
  return measureApp(window, keywords, rows, week);
}

async function countReviews(
  tx: Tx,
  workspaceId: number,
  { appId: id, listingId, store }: DigestAppRow,
  { maxRating, ...span }: { from: Date; until: Date; maxRating: number },
) {
  const { feeds } = await loadFollowedFeeds(tx, { workspaceId }, { id, listingId, store });
  return countNewReviews(tx, workspaceId, { listingId, feeds, ...span }, maxRating);
}

const named = ({ appId, store, name }: DigestAppRow) => ({ appId, store, name });
