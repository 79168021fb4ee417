import { afterAll, beforeAll, expect, test } from 'vitest';
import type { StoreWork } from '../../src/domain/runs/dispatch.ts';
import { tick } from '../../src/domain/runs/tick.ts';
import { tryCanary } from '../../src/domain/runs/try-canary.ts';
import { refused, withCost } from '../../src/stores/failures.ts';
import { startPipeline, type Pipeline } from '../harness/pipeline.ts';
import { makePhrases } from '../harness/truth.ts';

const day = '2026-05-10';
let pipeline: Pipeline;

beforeAll(async () => {
  pipeline = await startPipeline({ day, work: false, simulator: { world: { apps: 300 } } });
  await pipeline.track({ store: 'ios', storeAppId: '1500000001' }, makePhrases(2));
  pipeline.clock.set(`${day}T02:00:00Z`);
});
afterAll(() => pipeline.close());

const canaries = async () => (await pipeline.db.pool.query('select state, marker, attempts from canaries')).rows;

/** The canary as a worker tries it, at a store that fails like this. */
const tryAt = (marker: string, requests: number) => {
  const { services } = pipeline.runtime;
  const search = () => Promise.reject(withCost(refused('ios', marker, 60_000), { requests, bytes: 0, ms: 0 }));
  const stores = { ...services.stores, ios: { ...services.stores.ios, search } };
  return tryCanary({ ...services, stores }, { store: 'ios', day }, { signal: AbortSignal.timeout(10_000), lane: 'run' });
};

/** What a beat hands to the store's queue. */
const beat = async () => {
  const sent: StoreWork[] = [];
  await tick(pipeline.runtime.services, { send: async (_, work) => void sent.push(...work), sendHouse: async () => undefined });
  return sent.map((work) => work.kind);
};

test('a store that could not be asked, since every way out cools, is not judged: the canary is asked again', async () => {
  expect(await beat()).toEqual(['canary']);
  expect(await tryAt('cooling', 0)).toBe('unasked');
  expect(await canaries()).toEqual([]);
  expect(await beat()).toEqual(['canary']);
  expect(await tryAt('403', 1)).toBe('degraded');
  expect(await tryAt('cooling', 0)).toBe('unasked');
  expect(await canaries()).toEqual([{ state: 'degraded', marker: '403', attempts: 1 }]);
  expect(await beat()).toEqual([]);
  pipeline.clock.advance(5 * 60_000);
  expect(await beat()).toEqual(['canary']);
});

test('the run is degraded while one of its stores is, and no longer', async () => {
  const { services } = pipeline.runtime;
  const runState = async () => (await pipeline.db.pool.query('select state from runs where date = $1', [day])).rows.map((row) => row.state as string);
  const tryReal = (store: 'ios' | 'android') => tryCanary(services, { store, day }, { signal: AbortSignal.timeout(10_000), lane: 'run' });
  await tryAt('403', 1);
  expect([await tryReal('android'), await runState()]).toEqual(['ok', ['degraded']]);
  expect([await tryReal('ios'), await runState()]).toEqual(['ok', ['running']]);
});
