import pLimit from 'p-limit';
import type { Config } from '#config/env.ts';
import { providersIn } from '#config/provider-settings.ts';
import type { EndpointPace } from '#db/queries/admin/admin.ts';
import {
  searchHostOf,
  storeNames,
  storeProfiles,
  StoreError,
  type StoreName,
  type Stores,
} from '#domain/base/ports.ts';
import { systemClock } from '#lib/clock.ts';
import { createEgressPool, createStores, type Pacer } from '#stores/index.ts';
import type { StoreReading } from './readings.ts';

const parallel = 4;
const searchTimeoutMs = 10_000;
const totalTimeoutMs = 30_000;
const depth = 10;

type Outcome = Pick<StoreReading, 'outcome' | 'marker'>;
const cooling: Outcome = { outcome: 'cooling', marker: 'cooling' };

/**
 * Sends the search of each store's probe through each endpoint, as the product would, and nothing
 * through one whose host of searches cools down. No grants are taken, because that would write to
 * the database.
 */
export async function searchStores(
  config: Config,
  paces: readonly EndpointPace[],
): Promise<StoreReading[]> {
  const egress = createEgressPool({ proxies: config.EGRESS_PROXIES });
  const limit = pLimit(parallel);
  const signal = AbortSignal.timeout(totalTimeoutMs);
  const providers = providersIn(config);
  const read = async (stores: Stores, store: StoreName, endpoint: string) => {
    const provider = providers[store][0]!;
    const host = searchHostOf(store, provider) ?? '';
    const isCooling = paces.some(
      (pace) =>
        pace.store === store && pace.host === host && pace.endpoint === endpoint && pace.isCooling,
    );
    const outcome = isCooling ? cooling : await search(stores, store, provider, signal);
    return { store, endpoint, ...outcome };
  };
  try {
    const readings = egress.endpoints.flatMap(({ name: endpoint }) => {
      const stores = createStores({
        baseUrl: config.STORE_BASE_URL,
        pacer: paceOf(endpoint),
        egress,
        clock: systemClock,
        searchTimeoutMs,
      });
      return storeNames.map((store) => limit(() => read(stores, store, endpoint)));
    });
    return await Promise.all(readings);
  } finally {
    await egress.close();
  }
}

/** Grants at once, through one endpoint. */
function paceOf(endpoint: string): Pacer {
  return {
    acquire: async (store, { host = '' }) => ({ store, host, endpoint, atUs: 0, strikes: 0 }),
    refused: async () => undefined,
    succeeded: () => undefined,
    counted: () => undefined,
  };
}

async function search(
  stores: Stores,
  store: StoreName,
  provider: string,
  signal: AbortSignal,
): Promise<Outcome> {
  const { probe, devices } = storeProfiles.find(({ id }) => id === store)!;
  const query = { ...probe, provider, device: devices[0].id, depth };
  try {
    await stores[store].search(query, { signal, lane: 'interactive' });
    return { outcome: 'ok', marker: null };
  } catch (error) {
    if (!(error instanceof StoreError)) return { outcome: 'unavailable', marker: 'timeout' };
    const { failure, marker } = error;
    const isKnown = failure === 'refused' || failure === 'unreadable';
    return { outcome: isKnown ? failure : 'unavailable', marker };
  }
}
