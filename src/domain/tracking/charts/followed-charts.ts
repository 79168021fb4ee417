import type { Tx } from '#db/database.ts';
import {
  listChartedApps,
  listChartFacts,
  listCountryTrackingPeriods,
  type ChartedApp,
  type ChartFacts,
} from '#db/queries/charts/charts.ts';
import { minDay, utcDayOf, type UtcDay } from '#lib/dates.ts';
import type { Ctx } from '#domain/base/context.ts';
import type { ChartName, StoreName } from '#domain/base/ports.ts';
import { trackedSpans, parseTrackingPeriods } from '../rankings/tracking-periods.ts';

export interface Span {
  from: UtcDay;
  to: UtcDay;
}

/** An app of this workspace with the days on which it tracked each country's charts. */
export interface FollowedCharts {
  appId: number;
  listingId: number;
  store: StoreName;
  countries: Map<string, Span[]>;
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
  ctx: Ctx,
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
): Map<string, Span[]> {
  const until = lastDay(app.archivedAt, today);
  const countries = new Map<string, Span[]>([
    [app.primaryCountry, [{ from: utcDayOf(app.createdAt), to: until }]],
  ]);
  for (const keyword of keywords) {
    if (keyword.appId !== app.id) continue;
    const spans = trackedSpans(
      parseTrackingPeriods(keyword.trackingPeriods),
      minDay(until, lastDay(keyword.archivedAt, today)),
    );
    countries.set(keyword.country, [...(countries.get(keyword.country) ?? []), ...spans]);
  }
  return countries;
}

function lastDay(endedAt: Date | null, today: UtcDay): UtcDay {
  return endedAt === null ? today : minDay(utcDayOf(endedAt), today);
}

/** True when the app tracked the country's charts on the day. */
export function isFollowed({ countries }: FollowedCharts, country: string, day: UtcDay): boolean {
  return (countries.get(country) ?? []).some((span) => span.from <= day && day <= span.to);
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
