import { purgeFieldDays } from '#db/queries/drift/field-days.ts';
import { purgeKeywords, purgeShortLived } from '#db/queries/housekeeping/retention.ts';
import { purgeDeliveries } from '#db/queries/webhooks/deliveries.ts';
import { purgeUsage } from '#db/queries/workspaces/usage.ts';
import { purgeDueApps } from '#domain/tracking/apps/purge-due-apps.ts';
import { inSystem, type Services } from '#domain/base/context.ts';

const maxRounds = 50;
const deliveryRetentionMs = 30 * 86_400_000;

/** Deletes rows whose retention period is over, in bounded rounds; tomorrow deletes the rest. */
export async function applyRetention(services: Services, signal: AbortSignal): Promise<void> {
  const now = services.clock.now();
  const deliveriesBefore = new Date(now.getTime() - deliveryRetentionMs);
  await repeat(signal, () => purgeDueApps(services));
  await repeat(signal, () => inSystem(services, (tx) => purgeKeywords(tx, now)));
  await repeat(signal, () => inSystem(services, (tx) => purgeDeliveries(tx, deliveriesBefore)));
  await inSystem(services, (tx) => purgeShortLived(tx, now));
  await inSystem(services, (tx) => purgeUsage(tx, now));
  await inSystem(services, (tx) => purgeFieldDays(tx, now));
}

/** Purges in short transactions until a round deletes nothing. */
async function repeat(signal: AbortSignal, purge: () => Promise<number>): Promise<void> {
  for (let round = 0; round < maxRounds; round++) {
    signal.throwIfAborted();
    if ((await purge()) === 0) return;
  }
}
