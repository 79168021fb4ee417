import type { z } from 'zod';
import type { retention } from '#contract/retention.ts';
import type { Services } from '#domain/base/context.ts';
import { popularityDays } from './popularity-days.ts';

type Retention = z.input<(typeof retention)['GET /retention']['responses'][200]>;

/** Deliveries are kept so long after their end, and can be repeated meanwhile. */
export const deliveryDays = 30;

/** For how many days this instance keeps data that accumulates. */
export function getRetention({ settings }: Pick<Services, 'settings'>): Retention {
  const { serps, events, jobs, scoreProvenance } = settings.keepDays;
  return {
    serpDays: serps,
    eventDays: events,
    deliveryDays,
    jobDays: jobs,
    popularityDays,
    scoreProvenanceDays: scoreProvenance,
  };
}
