import { takeHouseJobs } from '../../src/db/queries/house-work.ts';
import { ListingCache } from '../../src/domain/listings/listing-cache.ts';
import { runHouseWork } from '../../src/jobs/house.ts';
import type { TestApi } from '../harness/api.ts';

/** What the scheduler and a worker do with accepted house work. */
export async function doHouseWork(api: TestApi): Promise<void> {
  const now = api.clock.now();
  const jobIds = await takeHouseJobs(api.services.systemDb, { now, until: new Date(now.getTime() + 120_000), limit: 100 });
  const services = { ...api.services, listingCache: new ListingCache() };
  for (const jobId of jobIds) await runHouseWork(services, { kind: 'job', jobId }, AbortSignal.timeout(60_000));
}
