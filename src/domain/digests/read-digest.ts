import type { Tx } from '../../db/database.ts';
import type { EventData } from '../../contract/events.ts';
import { countEventsByType, listDigestApps, type DigestAppRow } from '../../db/queries/digests.ts';
import { findWorkspace } from '../../db/queries/workspaces.ts';
import { addDays, minDay, startOfDayMs, utcDayOf, type UtcDay } from '../../lib/dates.ts';
import { readAlertKeywords, type AlertKeyword } from '../alerts/judge-keywords.ts';
import { inTenant, type Ctx } from '../context.ts';
import { invalid } from '../errors.ts';
import { readVisibleRows } from '../rankings/read-visible.ts';
import { windowOf } from '../rankings/window.ts';
import { readSettings } from '../settings/read-settings.ts';
import { digestLetter } from './digest-letter.ts';
import { measureApp } from './measure-app.ts';
import { mondayOf } from './week.ts';

export type Digest = EventData['digest.weekly'];

export interface ReadDigest {
  digest: Digest;
  /** The visibility of each app, by id: one figure a day of the four weeks up to the digest's last day; null where nothing was checked. */
  trends: Map<number, { from: UtcDay; values: (number | null)[] }>;
}

const appsMax = 50;
const trendDays = 28;

/** The digest of the week that a day lies in; of the last whole week without one. Throws invalid_request for weeks to come. */
export async function getDigest(ctx: Ctx, day: UtcDay | undefined): Promise<Digest> {
  const week = readWeek(ctx, day);
  return (await inTenant(ctx, (tx) => readDigest(tx, ctx.workspaceId, week))).digest;
}

/** The same as the page that is mailed. */
export async function getDigestPage(ctx: Ctx, day: UtcDay | undefined): Promise<string> {
  const week = readWeek(ctx, day);
  return inTenant(ctx, async (tx) => {
    const workspace = await findWorkspace(tx, ctx.workspaceId);
    const about = { workspace: workspace!.name, publicUrl: ctx.settings.publicUrl };
    return digestLetter('', await readDigest(tx, ctx.workspaceId, week), about).html;
  });
}

function readWeek(ctx: Ctx, day: UtcDay | undefined): { week: UtcDay; today: UtcDay } {
  const today = utcDayOf(ctx.clock.now());
  const week = mondayOf(day ?? addDays(today, -7));
  if (week > today) throw invalid('week', 'a week that has begun', week, mondayOf(today));
  return { week, today };
}

/** A week in figures, as far as the workspace may see it; of a week that is not over, what there is so far. */
export async function readDigest(
  tx: Tx,
  workspaceId: number,
  { week, today }: { week: UtcDay; today: UtcDay },
): Promise<ReadDigest> {
  const to = minDay(addDays(week, 6), today);
  const span = {
    from: new Date(startOfDayMs(week)),
    until: new Date(startOfDayMs(addDays(to, 1))),
  };
  const { reviewNegativeMaxRating } = await readSettings(tx, workspaceId);
  const { apps, total } = await listDigestApps(tx, workspaceId, {
    ...span,
    to,
    maxRating: reviewNegativeMaxRating,
    limit: appsMax,
  });
  const ofApp = Map.groupBy(
    await readAlertKeywords(tx, workspaceId, null),
    (keyword) => keyword.appId,
  );
  const trends: ReadDigest['trends'] = new Map();
  const figures: Digest['apps'] = [];
  for (const app of apps) {
    const measured = await measure(tx, ofApp.get(app.appId) ?? [], { week, to });
    trends.set(app.appId, { from: addDays(to, 1 - trendDays), values: measured.trend });
    figures.push({ ...named(app), ...measured.figures, ...counted(app) });
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
  return measureApp(window, keywords, await readVisibleRows(tx, window, keywords), week);
}

const named = ({ appId, store, name }: DigestAppRow) => ({ appId, store, name });
const counted = ({
  rating,
  newReviews,
  negativeReviews,
  metadataChanges,
  openActions,
}: DigestAppRow) => ({
  rating,
  newReviews,
  negativeReviews,
  metadataChanges,
  openActions,
});
