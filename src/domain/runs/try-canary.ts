import { upsertCanary } from '../../db/queries/runs.ts';
import type { UtcDay } from '../../lib/dates.ts';
import type { Services } from '../context.ts';
import { StoreError, type StoreName, type StoreRequestOptions } from '../ports.ts';

/** A search every store has answered plentifully for years. */
export const canaryQuery = { phrase: 'weather', country: 'us', depth: 20 };
const enoughResults = 10;

/** Asks the store something known; says whether the day's batch may be believed. */
export async function tryCanary(
  services: Services,
  input: { store: StoreName; day: UtcDay },
  options: StoreRequestOptions,
): Promise<'ok' | 'degraded'> {
  const marker = await askCanary(services, input.store, options);
  const state = marker === null ? 'ok' : 'degraded';
  await upsertCanary(services.systemDb, { store: input.store, date: input.day, state, triedAt: services.clock.now(), marker });
  if (marker !== null) services.log.error({ store: input.store, day: input.day, marker }, 'the store fails its canary search; its checks wait');
  return state;
}

async function askCanary(services: Services, store: StoreName, options: StoreRequestOptions): Promise<string | null> {
  try {
    const answer = await services.stores[store].search(canaryQuery, options);
    return answer.items.length >= enoughResults ? null : `only ${answer.items.length} results`;
  } catch (error) {
    if (error instanceof StoreError) return error.marker;
    throw error;
  }
}
