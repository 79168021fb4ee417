import type { z } from 'zod';
import type { reviews } from '#contract/reviews.ts';
import type { FollowedFeed } from '#db/queries/reviews/followed-feeds.ts';
import { countStars, type StarCountRow } from '#db/queries/reviews/reviews.ts';
import { addDays, listDays, startOfDayMs, type UtcDay } from '#lib/dates.ts';
import { getApp } from '../apps/get-app.ts';
import { inTenant, type Ctx } from '#domain/base/context.ts';
import { parseDayRange, type DayRange } from '#domain/base/day-window.ts';
import { isKnownDay, knownFromOf, loadFollowedFeeds } from './followed-feeds.ts';
import { averageOf, countOf } from './present-review.ts';

type By = 'day' | 'version' | 'country';
export type ReviewStats = z.input<
  (typeof reviews)['GET /apps/{id}/reviews/stats']['responses'][200]
>;
type Group = ReviewStats['items'][number];

const baselineDays = 90;
const fewestBaselineDays = 7;
const noStars = [0, 0, 0, 0, 0];

/**
 * Counts reviews by stars. A day that was not completely read is marked, because its zero means
 * nothing. Throws not_found, invalid_request.
 */
export async function getReviewStats(
  ctx: Ctx,
  appId: number,
  query: DayRange & { by: By; country?: string | undefined },
): Promise<ReviewStats> {
  const { from, to } = parseDayRange(query, ctx.clock.now());
  const before = addDays(from, -baselineDays);
  const { feeds, byDay, groups } = await inTenant(ctx, async (tx) => {
    const { listingId, feeds: followed } = await loadFollowedFeeds(
      tx,
      ctx,
      await getApp(tx, ctx, appId),
      query.country,
    );
    const within = (first: UtcDay) => ({
      listingId,
      feeds: followed,
      from: new Date(startOfDayMs(first)),
      until: new Date(startOfDayMs(addDays(to, 1))),
    });
    const days = await countStars(tx, ctx.workspaceId, within(before), 'day');
    const asked =
      query.by === 'day' ? [] : await countStars(tx, ctx.workspaceId, within(from), query.by);
    return {
      feeds: followed,
      byDay: new Map(days.map((row) => [row.key!, starsOf(row)])),
      groups: asked,
    };
  });
  const starsOn = (day: UtcDay) => byDay.get(day) ?? noStars;
  const days = listDays(from, to);
  const total = sumStars(days.map(starsOn));
  return {
    from,
    to,
    by: query.by,
    total: { count: countOf(total), stars: total, average: averageOf(total) },
    volume: readVolume(feeds, {
      days,
      earlier: listDays(before, addDays(from, -1)),
      countOn: (day) => countOf(starsOn(day)),
    }),
    items:
      query.by === 'day'
        ? days.map((day) => toGroup(day, starsOn(day), isKnownDay(feeds, day)))
        : withSilentCountries(query.by, feeds, groups).map((row) =>
            toGroup(row.key, row.stars, null),
          ),
    coverage: feeds.map(presentCoverage),
  };
}

function readVolume(
  feeds: readonly FollowedFeed[],
  {
    days,
    earlier,
    countOn,
  }: { days: UtcDay[]; earlier: UtcDay[]; countOn: (day: UtcDay) => number },
): ReviewStats['volume'] {
  const rateOf = (known: UtcDay[]) =>
    known.reduce((sum, day) => sum + countOn(day), 0) / known.length;
  const known = days.filter((day) => isKnownDay(feeds, day));
  const knownEarlier = earlier.filter((day) => isKnownDay(feeds, day));
  const perDay = known.length === 0 ? null : rateOf(known);
  const baseline = knownEarlier.length < fewestBaselineDays ? null : rateOf(knownEarlier);
  return {
    perDay: perDay && round(perDay),
    baselinePerDay: baseline && round(baseline),
    baselineDays: knownEarlier.length,
    ratio: perDay === null || baseline === null || baseline === 0 ? null : round(perDay / baseline),
  };
}

/** A tracked country without a review counts as a country with none. */
function withSilentCountries(
  by: By,
  feeds: readonly FollowedFeed[],
  rows: StarCountRow[],
): { key: string | null; stars: number[] }[] {
  const found = rows.map((row) => ({ key: row.key, stars: starsOf(row) }));
  if (by !== 'country') return found;
  const byCountry = new Map(found.map((row) => [row.key, row]));
  return feeds.map(({ country }) => byCountry.get(country) ?? { key: country, stars: noStars });
}

function presentCoverage(feed: FollowedFeed): ReviewStats['coverage'][number] {
  const knownFrom = feed.syncedAt === null ? null : knownFromOf(feed);
  return {
    country: feed.country,
    state: feed.syncedAt === null ? 'not_read' : knownFrom === null ? 'whole' : 'window',
    syncedAt: feed.syncedAt?.toISOString() ?? null,
    knownFrom: knownFrom?.toISOString() ?? null,
    exceededAt: feed.exceededAt?.toISOString() ?? null,
  };
}

function toGroup(key: string | null, stars: number[], known: boolean | null): Group {
  return { key, count: countOf(stars), stars, average: averageOf(stars), known };
}

function starsOf({ s1, s2, s3, s4, s5 }: StarCountRow): number[] {
  return [s1, s2, s3, s4, s5];
}

function sumStars(all: number[][]): number[] {
  return all.reduce((sum, stars) => sum.map((count, index) => count + stars[index]!), noStars);
}

function round(value: number): number {
  return Math.round(value * 1_000) / 1_000;
}
