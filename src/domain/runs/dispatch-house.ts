import { takeHouseJobs, releaseHouseJobs } from '../../db/queries/house-work.ts';
import type { Services } from '../context.ts';
import type { Dispatcher, HouseWork } from './dispatch.ts';

/** House work that its worker lost comes back after this. */
const leaseMs = 120_000;
const batch = 100;

/** Hands accepted house work to the queue; the rows say what is due. Returns how much was handed over. */
export async function dispatchHouse(services: Services, dispatcher: Dispatcher): Promise<number> {
  const now = services.clock.now();
  const until = new Date(now.getTime() + leaseMs);
  const jobIds = await takeHouseJobs(services.systemDb, { now, until, limit: batch });
  const work = jobIds.map((jobId): HouseWork => ({ kind: 'job', jobId }));
  if (work.length === 0) return 0;
  try {
    await dispatcher.sendHouse(work);
  } catch (error) {
    await releaseHouseJobs(services.systemDb, jobIds).catch(() => undefined);
    throw error;
  }
  return work.length;
}
