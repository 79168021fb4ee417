import { describe, expect, test } from 'vitest';
import { jobKinds } from '#contract/choices.ts';
import { longestPauseMs } from '#db/queries/jobs/background-jobs.ts';
import { longestLeaseMs } from '#db/queries/runs/leases.ts';
import { longestRetryMs } from '#db/queries/webhooks/due-deliveries.ts';
import type { StoreWork } from '#domain/scheduling/runs/store-work.ts';
import { checkRegistry } from '#jobs/check-registry.ts';
import { isDelivery, isJob, type Registry, type RegistryEntry } from '#jobs/registry-entry.ts';
import { registry } from '#jobs/registry.ts';
import { backgroundWorkId, storeWorkId } from '#jobs/store-work-id.ts';

const { entries } = registry;
const withEntries = (changed: readonly RegistryEntry[]): Registry => ({
  ...registry,
  entries: changed,
});
const renamed = (name: string, to: string): RegistryEntry[] =>
  entries.map((entry) => (entry.name === name ? ({ ...entry, name: to } as never) : entry));

describe('the registry of background work', () => {
  test('is complete', () => {
    expect(() => checkRegistry(registry)).not.toThrow();
  });

  test.each(
    entries
      .filter(({ queue }) => queue !== 'scheduler')
      .map((entry) => [entry.name, entry] as const),
  )('stops the boot without %s, and with two of it', (name, entry) => {
    const others = entries.filter((one) => one !== entry);
    expect(() => checkRegistry(withEntries(others))).toThrow(`${name} has 0 entries`);
    expect(() => checkRegistry(withEntries([...entries, entry]))).toThrow(`${name} has 2 entries`);
  });

  test('stops the boot with two periodic tasks of the same name', () => {
    const twice = renamed('emit-digests', 'count-days');
    expect(() => checkRegistry(withEntries(twice))).toThrow('count-days has two entries');
  });

  test.each(['import', 'chart', 'webhook-delivery'])(
    'stops the boot with an entry beside %s that nothing enqueues',
    (name) => {
      const extra = { ...entries.find((entry) => entry.name === name)!, name: 'laundry' } as never;
      expect(() => checkRegistry(withEntries([...entries, extra]))).toThrow(
        'laundry is in src/jobs/registry.ts and nothing enqueues it',
      );
    },
  );

  test('stops the boot when an accepted job has no entry and no planned work', () => {
    const { score: _, ...storeJobs } = registry.storeJobs;
    expect(() => checkRegistry({ ...registry, storeJobs } as Registry)).toThrow(
      'accepted job score has 0 entries',
    );
    const unknown = { ...registry.storeJobs, score: ['laundry'] } as never;
    expect(() => checkRegistry({ ...registry, storeJobs: unknown })).toThrow('waits for laundry');
  });

  test('has leases of store work and deliveries that do not seem to be of a wrong clock', () => {
    const { store, deliveries } = registry.queues;
    for (const leaseMs of [store.leaseMs, store.urgentLeaseMs, deliveries.leaseMs])
      expect(2 * leaseMs).toBeLessThanOrEqual(longestLeaseMs);
  });

  test('has pauses before retries that do not seem to be of a wrong clock', () => {
    const jobs = entries.filter(isJob);
    const delays = jobs.flatMap(({ retry }) => retry.delaysMs);
    const leases = jobs.map(({ queue }) => registry.queues[queue].leaseMs);
    expect(Math.max(...delays, ...leases)).toBeLessThan(longestPauseMs);
    const waits = entries.filter(isDelivery).flatMap(({ retry }) => retry.delaysMs);
    // With a jitter of a fifth.
    expect(1.2 * Math.max(...waits)).toBeLessThan(longestRetryMs);
  });

  test('has one entry, or planned work, for every job kind of the contract', () => {
    const found = [
      ...entries.filter(({ trigger }) => trigger === 'accepted').map(({ name }) => name),
      ...Object.keys(registry.storeJobs),
    ];
    expect(found.toSorted()).toEqual([...jobKinds].toSorted());
  });

  test.each(entries.map((entry) => [entry.name, entry] as const))(
    'has a time limit for %s that a timer can hold, and finite delays',
    (_name, { timeoutMs, retry }) => {
      expect(timeoutMs).toBeGreaterThan(0);
      expect(timeoutMs).toBeLessThanOrEqual(24 * 3_600_000);
      const delays = Object.values(retry).flat();
      expect(delays.length).toBeGreaterThan(0);
      expect(delays.every((delayMs) => Number.isFinite(delayMs) && delayMs >= 0)).toBe(true);
    },
  );
});

test('urgent work has another id than the same planned work', () => {
  const at = { store: 'android', day: '2026-05-10', urgent: false } as const;
  const planned: Extract<StoreWork, { urgent: boolean }>[] = [
    { ...at, kind: 'rank-check', marketId: 7, attempt: 0 },
    { ...at, kind: 'app-refresh', country: 'us', listingIds: [7] },
    { ...at, kind: 'store-task', storeTaskId: 7, task: 'page', attempt: 0 },
  ];
  for (const work of planned)
    expect(storeWorkId({ ...work, urgent: true })).not.toBe(storeWorkId(work));
});

test('two jobs of a queue share an id only if they are the same work', () => {
  const at = { store: 'ios', day: '2026-05-10', urgent: false } as const;
  const ids = [
    storeWorkId({ kind: 'store-probe', store: 'ios', provider: 'web', day: at.day, attempt: 1 }),
    storeWorkId({ ...at, kind: 'rank-check', marketId: 1, attempt: 1 }),
    storeWorkId({ ...at, kind: 'rank-check', marketId: 1, attempt: 2 }),
    storeWorkId({ ...at, kind: 'store-task', storeTaskId: 1, task: 'page', attempt: 1 }),
    storeWorkId({ ...at, kind: 'app-refresh', country: 'us', listingIds: [1, 2] }),
    storeWorkId({ ...at, kind: 'app-refresh', country: 'us', listingIds: [12] }),
    storeWorkId({
      ...at,
      kind: 'listing-names',
      country: 'us',
      device: 'iphone',
      listingIds: [12],
    }),
    backgroundWorkId({ kind: 'job', jobId: 1 }),
    backgroundWorkId({ kind: 'delivery', deliveryId: 1, attempt: 1 }),
    backgroundWorkId({ kind: 'delivery', deliveryId: 1, attempt: 2 }),
  ];
  expect(new Set(ids).size).toBe(ids.length);
  expect(ids.every((id) => !id.includes(':') && !/^\d+$/.test(id))).toBe(true);
});
