import { purgeKeywords, purgeShortLived } from '../../db/queries/housekeeping.ts';
import { purgeDeliveries } from '../../db/queries/deliveries.ts';
import { purgeUsage } from '../../db/queries/usage.ts';
import { purgeDueApps } from '../apps/purge-due-apps.ts';
import { inSystem, type Services } from '../context.ts';

const roundsMax = 50;
const deliveriesKeptMs = 30 * 86_400_000;

/** Once a day: what was to be kept for a while and is over. Bounded, the rest follows tomorrow. */
export async function tidyUp(services: Services): Promise<void> {
  for (let round = 0; round < roundsMax && (await purgeDueApps(services)) > 0; round++);
  for (let round = 0; round < roundsMax; round++) {
    if ((await inSystem(services, (tx) => purgeKeywords(tx, services.clock.now()))) === 0) break;
  }
  const deliveriesBefore = new Date(services.clock.now().getTime() - deliveriesKeptMs);
  for (let round = 0; round < roundsMax; round++) {
    if ((await inSystem(services, (tx) => purgeDeliveries(tx, deliveriesBefore))) === 0) break;
  }
  await inSystem(services, (tx) => purgeShortLived(tx, services.clock.now()));
  await inSystem(services, (tx) => purgeUsage(tx, services.clock.now()));
}
