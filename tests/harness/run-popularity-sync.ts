import { createRuntime } from '#boot/services.ts';
import { readConfig } from '#config/env.ts';
import { upsertPopularityCredentials } from '#db/queries/popularity/sync.ts';
import type { PopularityKey } from '#domain/base/ports.ts';
import { encryptPrivateKey } from '#domain/transfer/popularity/sync/private-key.ts';
import { startDueSync, waitForSync } from '#domain/transfer/popularity/sync/start-due-sync.ts';
import { silentLogger } from '#lib/logger.ts';

const sampleMs = 10;
const megabyte = 2 ** 20;

export interface MeasuredSync {
  seconds: number;
  /** Processor time of this process. */
  cpuSeconds: number;
  /** The growth of this process at its peak. */
  growthMb: number;
  peakMb: number;
}

/** Runs the sync that is due to its end, without waits between requests, and prints figures. */
export async function measureSync(given: {
  url: string;
  storeBaseUrl: string;
  key: PopularityKey;
}): Promise<void> {
  const runtime = await createRuntime({
    config: readConfig({
      STORE_BASE_URL: given.storeBaseUrl,
      ENCRYPTION_KEY: 'a key that encrypts secrets in tests',
    }),
    database: { urlOf: () => given.url },
    log: silentLogger,
    popularityWait: async () => undefined,
  });
  const { services } = runtime;
  const { privateKey, ...ids } = given.key;
  await upsertPopularityCredentials(services.systemDb, {
    ...ids,
    privateKey: encryptPrivateKey(await services.encryptionKey(), privateKey),
    accountId: '4815162',
    accountName: 'made',
    savedBy: 'a@example.org',
    now: services.clock.now(),
  });
  const before = process.memoryUsage.rss();
  let peak = before;
  const sampler = setInterval(() => {
    peak = Math.max(peak, process.memoryUsage.rss());
  }, sampleMs);
  const cpu = process.cpuUsage();
  const startedMs = performance.now();
  await startDueSync(services);
  await waitForSync(services);
  clearInterval(sampler);
  const { user, system } = process.cpuUsage(cpu);
  const figures: MeasuredSync = {
    seconds: (performance.now() - startedMs) / 1_000,
    cpuSeconds: (user + system) / 1e6,
    growthMb: (peak - before) / megabyte,
    peakMb: peak / megabyte,
  };
  await runtime.close();
  process.stdout.write(`${JSON.stringify(figures)}\n`);
}
