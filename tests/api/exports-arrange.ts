import { takeHouseJobs } from '../../src/db/queries/house-work.ts';
import { ListingCache } from '../../src/domain/listings/listing-cache.ts';
import { runHouseWork } from '../../src/jobs/house.ts';
import type { Account, TestApi } from '../harness/api.ts';

/** What the scheduler and a worker do with accepted house work. */
export async function doHouseWork(api: TestApi): Promise<void> {
  const now = api.clock.now();
  const jobIds = await takeHouseJobs(api.services.systemDb, {
    now,
    until: new Date(now.getTime() + 120_000),
    limit: 100,
  });
  const services = { ...api.services, listingCache: new ListingCache() };
  for (const jobId of jobIds)
    await runHouseWork(services, { kind: 'job', jobId }, AbortSignal.timeout(60_000));
}

/** An export and an import that are asked for and not done yet. */
export async function askForFiles(
  api: TestApi,
  account: Account,
): Promise<{ exportId: number; importId: number }> {
  const { poll } = await api.ok('POST /workspace/exports', { body: {} }, account);
  await api.ok(
    'PUT /workspace/imports/parts/{part}',
    { params: { part: 1 }, body: { text: 'words' } },
    account,
  );
  const asked = (await api.ok(
    'POST /workspace/imports',
    { body: { format: 'ndjson', parts: 1 } },
    account,
  )) as { poll: string };
  return { exportId: idIn(poll), importId: idIn(asked.poll) };
}

const idIn = (path: string): number => Number(path.split('/').at(-1));
