import { purgeFieldDays } from '#db/queries/drift/field-days.ts';
import {
  createMonthPartitions,
  deleteOutsidePartitions,
  dropMonthPartitions,
  type MonthlyTable,
} from '#db/queries/housekeeping/month-partitions.ts';
import { purgeImageSources } from '#db/queries/images/images.ts';
import {
  purgeAccountLinks,
  purgeDeadLetters,
  purgeEvents,
  purgeIdempotency,
  purgeInviteMails,
  purgeInvites,
  purgeJobs,
  purgeKeywords,
  purgeListingRatings,
  purgePaymentEvents,
  purgeSessions,
} from '#db/queries/housekeeping/retention.ts';
import { discardOldPopularity, purgeDiscardedPopularity } from '#db/queries/popularity/sets.ts';
import { purgeDeliveries } from '#db/queries/webhooks/deliveries.ts';
import { purgeOnDemandHours, purgeRequestDays } from '#db/queries/workspaces/usage.ts';
import { addDays, monthOf, utcDayOf } from '#lib/dates.ts';
import type { Tx } from '#db/database.ts';
import { purgeDueApp } from '#domain/tracking/apps/purge-due-app.ts';
import { inSystem, type Services } from '#domain/base/context.ts';
import { limitClock } from '#domain/base/plausible-clock.ts';
import { deliveryDays } from './get-retention.ts';
import { listPackings } from './pack-results.ts';
import { popularityDays } from './popularity-days.ts';

const dayMs = 86_400_000;
const requestDays = 400;
/** Since somebody last looked at a picture of a listing that nobody tracks. */
const imageDays = 90;
/** The provider repeats an event for days, and an operator can have it repeated for weeks. */
const paymentEventDays = 90;
/** Other work of the scheduler waits meanwhile. */
const budgetMs = 300;

type Purge = () => Promise<number>;

/**
 * Deletes rows whose retention period is over and packs the results of closed months, in short
 * transactions, and creates the partitions of the next months. Returns 0 when nothing is left to
 * do, and otherwise how many rows it deleted before its time was over.
 */
export async function applyRetention(services: Services, signal: AbortSignal): Promise<number> {
  const untilMs = performance.now() + budgetMs;
  await createMonthPartitions(services.systemDb, utcDayOf(services.clock.now()));
  const limited = { ...services, clock: await limitClock(services) };
  const now = limited.clock.now();
  await discardOldPopularity(services.systemDb, {
    before: monthOf(addDays(utcDayOf(now), -popularityDays)),
    staleBefore: new Date(now.getTime() - dayMs),
  });
  let [deleted, isUnfinished] = [0, false];
  for (const purge of [
    ...listRowPurges(limited),
    ...listMonthPurges(limited),
    ...listPackings(limited),
  ]) {
    for (let count = await purge(); count > 0; count = await purge()) {
      signal.throwIfAborted();
      deleted += count;
      if (performance.now() < untilMs) continue;
      isUnfinished = true;
      break;
    }
  }
  return isUnfinished ? deleted : 0;
}

/** Whole months: a partition is dropped when all of its days are over. */
function listMonthPurges(services: Services): Purge[] {
  const { systemDb, settings, clock } = services;
  const { serps, scoreProvenance } = settings.keepDays;
  const findFirstKept = (days: number) => monthOf(addDays(utcDayOf(clock.now()), -days));
  const months: [MonthlyTable, number | null][] = [
    ['serps', serps],
    ['serp_months', serps],
    ['score_provenance', scoreProvenance],
  ];
  const purges: Purge[] = months.flatMap(([table, days]) => {
    if (days === null) return [];
    const before = findFirstKept(days);
    return [
      () => dropMonthPartitions(systemDb, table, before),
      () => deleteOutsidePartitions(systemDb, table, before),
    ];
  });
  if (serps === null) return purges;
  const purgeRatings = (tx: Tx) => purgeListingRatings(tx, findFirstKept(serps));
  return [...purges, () => inSystem(services, purgeRatings)];
}

function listRowPurges(services: Services): Purge[] {
  const now = services.clock.now();
  const { events, jobs } = services.settings.keepDays;
  const daysAgo = (days: number) => new Date(now.getTime() - days * dayMs);
  const each = (purge: (tx: Tx) => Promise<number>) => () => inSystem(services, purge);
  return [
    () => purgeDueApp(services),
    each((tx) => purgeKeywords(tx, now)),
    each((tx) => purgeDeliveries(tx, daysAgo(deliveryDays))),
    ...(events === null ? [] : [each((tx) => purgeEvents(tx, daysAgo(events)))]),
    ...(jobs === null
      ? []
      : [
          each((tx) => purgeJobs(tx, daysAgo(jobs))),
          each((tx) => purgeDeadLetters(tx, daysAgo(jobs))),
        ]),
    each((tx) => purgeIdempotency(tx, daysAgo(1))),
    each((tx) => purgeSessions(tx, now)),
    each((tx) => purgeRequestDays(tx, utcDayOf(daysAgo(requestDays)))),
    each((tx) => purgeOnDemandHours(tx, daysAgo(2))),
    each((tx) => purgeAccountLinks(tx, now)),
    each((tx) => purgeInvites(tx, daysAgo(30))),
    each((tx) => purgeInviteMails(tx, daysAgo(1))),
    each((tx) => purgePaymentEvents(tx, daysAgo(paymentEventDays))),
    each((tx) => purgeFieldDays(tx, now)),
    each((tx) => purgeDiscardedPopularity(tx)),
    each((tx) => purgeImageSources(tx, utcDayOf(daysAgo(imageDays)))),
  ];
}
