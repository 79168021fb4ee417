import { listAnomaliesToRetract } from '#db/queries/anomalies/response-anomalies.ts';
import { dropEmptyPartitions } from '#db/queries/housekeeping/month-partitions.ts';
import { packMonths } from '#db/queries/serp-chains/pack-months.ts';
import { addDays, monthOf, utcDayOf } from '#lib/dates.ts';
import { inSystem, type Services } from '#domain/base/context.ts';

/**
 * Results are rows of a day for so long, because days may still be retracted, and because other
 * markets are compared with those of the last three weeks.
 */
const plainDays = 21;
const marketsAtOnce = 20;

/** Steps that return how many rows they have moved or dropped; 0 when nothing is left. */
export function listPackings(services: Services): (() => Promise<number>)[] {
  const before = monthOf(addDays(utcDayOf(services.clock.now()), -plainDays));
  let afterMarketId = 0;
  const pack = async (): Promise<number> => {
    if ((await listAnomaliesToRetract(services.systemDb)).length > 0) return 0;
    for (;;) {
      const { lastMarketId, days } = await inSystem(services, (tx) =>
        packMonths(tx, { before, afterMarketId, limit: marketsAtOnce }),
      );
      if (lastMarketId === null) return 0;
      afterMarketId = lastMarketId;
      if (days > 0) return days;
    }
  };
  return [pack, () => dropEmptyPartitions(services.systemDb, 'serps', before)];
}
