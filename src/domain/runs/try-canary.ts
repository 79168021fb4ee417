import { upsertCanary } from '../../db/queries/runs.ts';
import type { UtcDay } from '../../lib/dates.ts';
import { inSystem, type Services } from '../context.ts';
import { StoreError, type StoreName, type StoreRequestOptions } from '../ports.ts';

/** A search every store has answered plentifully for years. */
export const canaryQuery = { phrase: 'weather', country: 'us', depth: 20 };
const enoughResults = 10;

type Finding = { state: 'ok' | 'degraded' | 'unasked'; marker: string | null };

/** Asks the store something known; says whether the day's batch may be believed. Where nothing could be asked, nothing is judged. */
export async function tryCanary(
  services: Services,
  input: { store: StoreName; day: UtcDay },
  options: StoreRequestOptions,
): Promise<Finding['state']> {
  const { state, marker } = await askCanary(services, input.store, options);
  if (state === 'unasked') return state;
  const triedAt = services.clock.now();
  await inSystem(services, (tx) =>
    upsertCanary(tx, { store: input.store, date: input.day, state, triedAt, marker }),
  );
  if (state === 'degraded')
    services.log.error(
      { store: input.store, day: input.day, marker },
      'the store fails its canary search; its checks wait',
    );
  return state;
}

async function askCanary(
  services: Services,
  store: StoreName,
  options: StoreRequestOptions,
): Promise<Finding> {
  try {
    const answer = await services.stores[store].search(canaryQuery, options);
    const count = answer.items.length;
    return count >= enoughResults
      ? { state: 'ok', marker: null }
      : { state: 'degraded', marker: `only ${count} results` };
  } catch (error) {
    if (!(error instanceof StoreError)) throw error;
    // Such as while every way out cools: the next beat asks again.
    return { state: error.cost.requests === 0 ? 'unasked' : 'degraded', marker: error.marker };
  }
}
