import type { Tx } from '#db/database.ts';
import type { ArchivedSpan } from '#db/queries/apps/apps.ts';
import {
  listChartedApps,
  listChartFacts,
  listCountryTrackingPeriods,
  type ChartedApp,
  type ChartFacts,
} from '#db/queries/charts/charts.ts';
import { minDay, secondOfDay, startOfDayMs, utcDayOf, type UtcDay } from '#lib/dates.ts';
import type { Ctx } from '#domain/base/context.ts';
import type { ChartName, StoreName } from '#domain/base/ports.ts';
import {
  parseTrackingPeriods,
  trackedSpans,
  visibleAtOnce,
  type TrackedSpan,
} from '../rankings/tracking-periods.ts';

/** An app of this workspace with the days on which it tracked each country's charts. */
export interface FollowedCharts {
  appId: number;
  listingId: number;
  store: StoreName;
  countries: Map<string, TrackedSpan[]>;
  /** The listing's facts and their first day, oldest first. */
  facts: ChartFacts[];
}

/** A chart in which an app may be ranked. `category` null is all apps. */
export interface RankableChart {
  category: { id: string; name: string | null } | null;
  chart: ChartName;
}

/**
 * The requested apps, each with its visible days: none from before it was tracked, and none while
 * it was archived.
 */
export async function listFollowedCharts(
  tx: Tx,
  ctx: Pick<Ctx, 'workspaceId' | 'clock'>,
  which: { appId: number } | { store: StoreName },
): Promise<FollowedCharts[]> {
  const now = ctx.clock.now();
  const apps = await listChartedApps(tx, ctx.workspaceId, which, now);
  const trackingPeriods = await listCountryTrackingPeriods(
    tx,
    apps.map((app) => app.id),
  );
  const facts = await listChartFacts(
    tx,
    apps.map((app) => ({ listingId: app.listingId, country: app.primaryCountry })),
  );
  return apps.map((app) => ({
    appId: app.id,
    listingId: app.listingId,
    store: app.store,
    countries: countriesOf(app, utcDayOf(now), trackingPeriods),
    facts: facts.filter((row) => row.listingId === app.listingId),
  }));
}

function countriesOf(
  app: ChartedApp,
  today: UtcDay,
  keywords: Awaited<ReturnType<typeof listCountryTrackingPeriods>>,
): Map<string, TrackedSpan[]> {
  const until = lastDay(app.archivedAt, today);
  const countries = new Map([[app.primaryCountry, ownSpans(app, today)]]);
  for (const keyword of keywords) {
    if (keyword.appId !== app.id) continue;
    const spans = trackedSpans(
      visibleAtOnce(parseTrackingPeriods(keyword.trackingPeriods)),
      minDay(until, lastDay(keyword.archivedAt, today)),
    );
    countries.set(keyword.country, [...(countries.get(keyword.country) ?? []), ...spans]);
  }
  return countries;
}

/** The app's own country is tracked from adding or restoring the app until the day of archiving. */
function ownSpans(app: ChartedApp, today: UtcDay): TrackedSpan[] {
  const archived = app.archivedSpans as ArchivedSpan[];
  const begins = [app.createdAt, ...archived.map(([, restoredAt]) => new Date(restoredAt))];
  const ends = [...archived.map(([archivedAt]) => new Date(archivedAt)), app.archivedAt];
  return begins.map((begin, index) => ({
    from: utcDayOf(begin),
    to: lastDay(ends[index]!, today),
    fromSecond: secondOfDay(begin),
  }));
}

function lastDay(endedAt: Date | null, today: UtcDay): UtcDay {
  return endedAt === null ? today : minDay(utcDayOf(endedAt), today);
}

/** True when the app tracked the country's charts on the day. */
export function isFollowed(app: FollowedCharts, country: string, day: UtcDay): boolean {
  return spansOn(app, country, day).length > 0;
}

/**
 * The instant of a reading as this workspace knows it: on its first day in the country never before
 * it began, which would reveal that others track the chart.
 */
export function toOwnChartInstant(
  apps: readonly FollowedCharts[],
  country: string,
  readAt: Date,
): Date {
  const day = utcDayOf(readAt);
  const spans = apps.flatMap((app) => spansOn(app, country, day));
  const seconds = spans.map(({ from, fromSecond }) => (from < day ? 0 : fromSecond));
  const sinceMs = startOfDayMs(day) + Math.min(...seconds) * 1000;
  return seconds.length === 0 ? readAt : new Date(Math.max(readAt.getTime(), sinceMs));
}

function spansOn({ countries }: FollowedCharts, country: string, day: UtcDay): TrackedSpan[] {
  return (countries.get(country) ?? []).filter((span) => span.from <= day && day <= span.to);
}

/**
 * The charts in which an app may be ranked on a day: those of all apps and of its category; the
 * free or the paid ones, and the grossing ones unless nothing can be bought. The SQL function
 * `charts_for_app` has the same rule for the listing at the end of that day.
 */
export function rankableChartsOn(
  { facts }: Pick<FollowedCharts, 'facts'>,
  day: UtcDay,
): RankableChart[] {
  const known = facts.findLast((row) => utcDayOf(row.takenAt) <= day) ?? facts[0];
  const charts: ChartName[] = [known?.costs === true ? 'paid' : 'free'];
  if (known?.costs === true || known?.sells !== false) charts.push('grossing');
  const own = known?.categoryId ? [{ id: known.categoryId, name: known.category }] : [];
  return [null, ...own].flatMap((category) => charts.map((chart) => ({ category, chart })));
}

/**
 * The chart as an app tracks it on a day. Undefined when it does not, or cannot be ranked in it.
 */
export function findFollowedChart(
  app: FollowedCharts,
  { country, categoryId, chart }: { country: string; categoryId: string | null; chart: ChartName },
  day: UtcDay,
): RankableChart | undefined {
  if (!isFollowed(app, country, day)) return undefined;
  return rankableChartsOn(app, day).find(
    (one) => (one.category?.id ?? null) === categoryId && one.chart === chart,
  );
}
