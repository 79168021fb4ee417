import { utcDayOf, type UtcDay } from '../../src/lib/dates.ts';
import type { StoreName } from '../store-name.ts';
import { chartOf, type ChartQuestion } from './charts.ts';
import { hintsOf, type HintsQuestion } from './hints.ts';
import { reviewsOf, type SimReview } from './reviews.ts';
import type { World } from './world.ts';

export interface ReviewsQuestion {
  store: StoreName;
  storeAppId: string;
  country: string;
  /** The virtual clock's instant when left out. */
  at?: Date;
}

type OnDay<Question extends { day: UtcDay }> = Omit<Question, 'day'> & { day?: UtcDay };

/** What is true of reviews, charts and hints, whatever the faults make of it. `now` is the virtual clock. */
export function createTruths(world: World, now: () => Date) {
  const day = () => utcDayOf(now());
  return {
    /** Newest first; none for an app that is not offered. */
    reviews({ at, ...question }: ReviewsQuestion): SimReview[] {
      const instant = at ?? now();
      const app = world.findApp(
        question.store,
        question.storeAppId,
        question.country,
        utcDayOf(instant),
      );
      return app === null ? [] : reviewsOf(world, app, question.country, instant);
    },
    /** Ids in the order of the chart, best first. */
    chart: (question: OnDay<ChartQuestion>): string[] =>
      chartOf(world, { day: day(), ...question }).map((app) => app.storeAppId),
    hints: (question: OnDay<HintsQuestion>): string[] =>
      hintsOf(world, { day: day(), ...question }),
  };
}
