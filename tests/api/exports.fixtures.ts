import { takeBackgroundJobs } from '#db/queries/jobs/background-jobs.ts';
import { ListingCache } from '#domain/tracking/listings/listing-cache.ts';
import { registry } from '#jobs/registry.ts';
import { runBackgroundWork } from '#jobs/run-background-work.ts';
import type { Account, TestApi } from '../harness/api.ts';
import { jobKinds } from '../harness/background-work.ts';

/** Runs accepted background jobs, as the scheduler and a worker do. */
export async function runAcceptedJobs(api: TestApi): Promise<void> {
  const now = api.clock.now();
  const taken = await takeBackgroundJobs(api.services.systemDb, {
    now,
    until: new Date(now.getTime() + 120_000),
    limit: 100,
    kinds: jobKinds,
  });
  const services = { ...api.services, listingCache: new ListingCache() };
  for (const { id: jobId } of taken)
    await runBackgroundWork(
      registry,
      services,
      { kind: 'job', jobId },
      AbortSignal.timeout(60_000),
    );
}

/** The text of a new export of the workspace. */
export async function exportWorkspace(api: TestApi, account: Account): Promise<string> {
  const { poll } = await api.ok('POST /workspace/exports', { body: {} }, account);
  await runAcceptedJobs(api);
  const { status, text } = await api.raw(`${poll}/file`, {}, account);
  if (status !== 200) throw new Error(`${poll}: ${status} ${text}`);
  return text;
}

/** Uploads a file in parts and imports it. */
export async function importFile(
  api: TestApi,
  account: Account,
  text: string,
  { size = 250_000, asPublicFacts = false } = {},
) {
  const parts = Math.ceil(text.length / size);
  for (let part = 1; part <= parts; part += 1)
    await api.ok(
      'PUT /workspace/imports/parts/{part}',
      { params: { part }, body: { text: text.slice((part - 1) * size, part * size) } },
      account,
    );
  const { poll } = (await api.ok(
    'POST /workspace/imports',
    { body: { format: 'ndjson', parts, asPublicFacts } },
    account,
  )) as { poll: string };
  await runAcceptedJobs(api);
  return api.ok('GET /workspace/imports/{importId}', { params: { importId: idIn(poll) } }, account);
}

/** An export and an import that are accepted and not done yet. */
export async function requestFiles(
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
