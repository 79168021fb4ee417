import {
  addRetracted,
  listAnomaliesToRetract,
  type AnomalyToRetract,
} from '#db/queries/anomalies/response-anomalies.ts';
import { lockImplausibleChecks, retractChecks } from '#db/queries/anomalies/implausible-checks.ts';
import { inSystem, type Services } from '#domain/base/context.ts';
import { profileOf } from '#domain/base/ports.ts';
import { dayIndexInMonth, listDays, monthOf, utcDayOf, type UtcDay } from '#lib/dates.ts';
import { recountPastDay } from './count-days.ts';
import { withheldMarker } from '../anomalies/report-response.ts';

const batchSize = 100;

/**
 * Turns checks into gaps that were accepted while their provider withheld results and that look
 * like it. Today's are searched again once the provider has recovered. Each batch is a transaction,
 * and an interrupted retraction begins again.
 */
export async function retractImplausibleChecks(
  services: Services,
  signal: AbortSignal,
): Promise<void> {
  for (const anomaly of await listAnomaliesToRetract(services.systemDb)) {
    const days = listDays(utcDayOf(anomaly.unconfirmedFrom), anomaly.date);
    for (const day of days) await retractDay(services, anomaly, day, signal);
    await inSystem(services, (tx) => addRetracted(tx, { id: anomaly.id, count: 0, isDone: true }));
  }
}

async function retractDay(
  services: Services,
  anomaly: AnomalyToRetract,
  day: UtcDay,
  signal: AbortSignal,
): Promise<void> {
  const { id, store, provider, unconfirmedFrom } = anomaly;
  const at = { day, month: monthOf(day), dayIndex: dayIndexInMonth(day) };
  let [afterMarketId, total] = [0, 0];
  for (;;) {
    signal.throwIfAborted();
    const marketIds = await inSystem(services, async (tx) => {
      const locked = await lockImplausibleChecks(tx, {
        ...at,
        store,
        provider,
        from: unconfirmedFrom,
        minFirstResults: profileOf(store).search.minFirstResults,
        afterMarketId,
        limit: batchSize,
      });
      if (locked.length === 0) return locked;
      const isDueAgain = day === utcDayOf(services.clock.now());
      await retractChecks(tx, { ...at, marketIds: locked, marker: withheldMarker, isDueAgain });
      await addRetracted(tx, { id, count: locked.length, isDone: false });
      return locked;
    });
    if (marketIds.length === 0) break;
    await recountPastDay(services, day, marketIds);
    total += marketIds.length;
    afterMarketId = marketIds.at(-1)!;
  }
  if (total === 0) return;
  services.log.error({ store, provider, day, markets: total }, 'implausible checks were retracted');
}
