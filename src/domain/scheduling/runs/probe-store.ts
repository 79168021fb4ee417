import { upsertProbe } from '#db/queries/runs/runs.ts';
import type { UtcDay } from '#lib/dates.ts';
import { inSystem, type Services } from '#domain/base/context.ts';
import {
  profileOf,
  StoreError,
  type StoreName,
  type StoreRequestOptions,
} from '#domain/base/ports.ts';

const probeDepth = 20;
const enoughResults = 10;

type Finding = { state: 'ok' | 'degraded' | 'unasked'; marker: string | null };

/**
 * Searches for a known phrase and records whether the store's responses can be trusted today. A
 * probe that could not be sent changes nothing.
 */
export async function probeStore(
  services: Services,
  input: { store: StoreName; day: UtcDay },
  options: StoreRequestOptions,
): Promise<Finding['state']> {
  const { state, marker } = await runProbe(services, input.store, options);
  if (state === 'unasked') return state;
  const probedAt = services.clock.now();
  await inSystem(services, (tx) =>
    upsertProbe(tx, { store: input.store, date: input.day, state, probedAt, marker }),
  );
  if (state === 'degraded')
    services.log.error(
      { store: input.store, day: input.day, marker },
      'the store’s probe fails; its checks wait until it succeeds',
    );
  return state;
}

async function runProbe(
  services: Services,
  store: StoreName,
  options: StoreRequestOptions,
): Promise<Finding> {
  try {
    const response = await services.stores[store].search(
      { ...profileOf(store).probe, depth: probeDepth },
      options,
    );
    const count = response.items.length;
    return count >= enoughResults
      ? { state: 'ok', marker: null }
      : { state: 'degraded', marker: `only ${count} results` };
  } catch (error) {
    if (!(error instanceof StoreError)) throw error;
    // For example while every endpoint cools down: the next tick sends the probe again.
    return { state: error.cost.requests === 0 ? 'unasked' : 'degraded', marker: error.marker };
  }
}
