import { releaseDeliveries, takeDueDeliveries } from '../../db/queries/due-deliveries.ts';
import { takeHouseJobs, releaseHouseJobs } from '../../db/queries/house-work.ts';
import type { Services } from '../context.ts';
import type { Dispatcher, HouseWork } from './dispatch.ts';
import { handOver } from './hand-over.ts';

/** House work that its worker lost comes back after this. */
const leaseMs = 120_000;
/** No attempt takes longer than 15 s. */
const deliveryLeaseMs = 60_000;
const batch = 100;

/** Hands accepted house work and due deliveries to the queue; the rows say what is due. Returns how much was handed over. */
export async function dispatchHouse(services: Services, dispatcher: Dispatcher): Promise<number> {
  return (
    (await dispatchJobs(services, dispatcher)) + (await dispatchDeliveries(services, dispatcher))
  );
}

async function dispatchDeliveries(services: Services, dispatcher: Dispatcher): Promise<number> {
  const now = services.clock.now();
  const until = new Date(now.getTime() + deliveryLeaseMs);
  const due = await takeDueDeliveries(services.systemDb, { now, until, limit: batch });
  if (due.length === 0) return 0;
  const work = due.map(({ id, attempts }): HouseWork => ({
    kind: 'delivery',
    deliveryId: id,
    attempt: attempts + 1,
  }));
  const ids = due.map(({ id }) => id);
  await handOver(
    () => dispatcher.sendHouse(work),
    () => releaseDeliveries(services.systemDb, ids),
  );
  return due.length;
}

async function dispatchJobs(services: Services, dispatcher: Dispatcher): Promise<number> {
  const now = services.clock.now();
  const until = new Date(now.getTime() + leaseMs);
  const jobIds = await takeHouseJobs(services.systemDb, { now, until, limit: batch });
  const work = jobIds.map((jobId): HouseWork => ({ kind: 'job', jobId }));
  if (work.length === 0) return 0;
  await handOver(
    () => dispatcher.sendHouse(work),
    () => releaseHouseJobs(services.systemDb, jobIds),
  );
  return work.length;
}
