import { utcDayOf, type UtcDay } from '#lib/dates.ts';
import type { StoreName } from '#stores/profiles.ts';
import { chartOf, type ChartQuery } from './charts.ts';
import { hintsOf, type HintsQuery } from './hints.ts';
import { reviewsOf, type SimReview } from './reviews.ts';
import type { World } from './world.ts';

export interface ReviewsQuery {
  store: StoreName;
  storeAppId: string;
  country: string;
  /** The virtual clock's instant by default. */
  at?: Date;
}

type OnDay<Query extends { day: UtcDay }> = Omit<Query, 'day'> & { day?: UtcDay };

/** The true reviews, charts and hints, unaffected by faults. `now` is the virtual clock. */
export function createGroundTruth(world: World, now: () => Date) {
  const day = () => utcDayOf(now());
  return {
    /** Newest first; none for an app that is not offered. */
    reviews({ at, ...query }: ReviewsQuery): SimReview[] {
      const instant = at ?? now();
      const app = world.findApp(query.store, query.storeAppId, query.country, utcDayOf(instant));
      return app === null ? [] : reviewsOf(world, app, query.country, instant);
    },
    /** Ids in the order of the chart, best first. */
    chart: (query: OnDay<ChartQuery>): string[] =>
      chartOf(world, { day: day(), ...query }).map((app) => app.storeAppId),
    hints: (query: OnDay<HintsQuery>): string[] => hintsOf(world, { day: day(), ...query }),
  };
}
