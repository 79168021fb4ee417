import type { Tx } from '../../db/database.ts';
import {
  listChartedApps,
  listChartFacts,
  listCountryTerms,
  type ChartedApp,
  type ChartFacts,
} from '../../db/queries/charts.ts';
import { minDay, utcDayOf, type UtcDay } from '../../lib/dates.ts';
import type { Ctx } from '../context.ts';
import type { ChartName, StoreName } from '../ports.ts';
import { followedSpans, readTerms } from '../rankings/terms.ts';

export interface Span {
  from: UtcDay;
  to: UtcDay;
}

/** An app of this workspace with the days on which it followed each country's charts. */
export interface FollowedCharts {
  appId: number;
  listingId: number;
  store: StoreName;
  countries: Map<string, Span[]>;
  /** What its listing showed and since when, oldest first. */
  facts: ChartFacts[];
}

/** The charts of one country and day. `category` null is all apps. */
export interface WantedChart {
  category: { id: string; name: string | null } | null;
  chart: ChartName;
}

/** The apps asked for, with what each may see: nothing from before it was followed, and nothing while it was put away. */
export async function listFollowedCharts(
  tx: Tx,
  ctx: Ctx,
  which: { appId: number } | { store: StoreName },
): Promise<FollowedCharts[]> {
  const now = ctx.clock.now();
  const apps = await listChartedApps(tx, ctx.workspaceId, which, now);
  const terms = await listCountryTerms(
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
    countries: countriesOf(app, utcDayOf(now), terms),
    facts: facts.filter((row) => row.listingId === app.listingId),
  }));
}

function countriesOf(
  app: ChartedApp,
  today: UtcDay,
  keywords: Awaited<ReturnType<typeof listCountryTerms>>,
): Map<string, Span[]> {
  const until = lastDay(app.archivedAt, today);
  const countries = new Map<string, Span[]>([
    [app.primaryCountry, [{ from: utcDayOf(app.createdAt), to: until }]],
  ]);
  for (const keyword of keywords) {
    if (keyword.appId !== app.id) continue;
    const spans = followedSpans(
      readTerms(keyword.terms),
      minDay(until, lastDay(keyword.archivedAt, today)),
    );
    countries.set(keyword.country, [...(countries.get(keyword.country) ?? []), ...spans]);
  }
  return countries;
}

function lastDay(endedAt: Date | null, today: UtcDay): UtcDay {
  return endedAt === null ? today : minDay(utcDayOf(endedAt), today);
}

/** True when the app followed the country's charts on the day. */
export function isFollowed({ countries }: FollowedCharts, country: string, day: UtcDay): boolean {
  return (countries.get(country) ?? []).some((span) => span.from <= day && day <= span.to);
}

/**
 * The charts an app may stand in on a day: all apps' and its category's; the free or the paid ones, and the grossing ones
 * unless nothing can be bought. As `charts_of_app` has it in SQL, for what the listing showed at the end of that day.
 */
export function wantedOn({ facts }: Pick<FollowedCharts, 'facts'>, day: UtcDay): WantedChart[] {
  const known = facts.findLast((row) => utcDayOf(row.takenAt) <= day) ?? facts[0];
  const charts: ChartName[] = [known?.costs === true ? 'paid' : 'free'];
  if (known?.costs === true || known?.sells !== false) charts.push('grossing');
  const own = known?.categoryId ? [{ id: known.categoryId, name: known.category }] : [];
  return [null, ...own].flatMap((category) => charts.map((chart) => ({ category, chart })));
}
