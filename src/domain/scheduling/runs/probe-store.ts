import { closeAnomaly, hasOpenAnomaly } from '#db/queries/anomalies/response-anomalies.ts';
import { reopenProbeGaps, upsertProbe } from '#db/queries/runs/store-probes.ts';
import type { UtcDay } from '#lib/dates.ts';
import { inSystem, type Services } from '#domain/base/context.ts';
import { isProviderFailure } from '#domain/base/plan-store-retry.ts';
import { withheldMarker } from '#domain/tracking/anomalies/report-response.ts';
import { searchReferences } from '#domain/tracking/anomalies/search-references.ts';
import {
  defaultDeviceOf,
  devicesServedBy,
  profileOf,
  StoreError,
  type StoreName,
  type StoreRequestOptions,
} from '#domain/base/ports.ts';

const probeDepth = 20;
const enoughResults = 10;

type Finding = { state: 'ok' | 'degraded' | 'unasked'; marker: string | null };

/**
 * Searches for a known phrase and records whether the responses of a store's search provider can be
 * trusted today. A probe that could not be sent changes nothing, unless its host cools down for
 * long. A provider that withheld results passes only when random known markets are whole too. When
 * the provider of the positions passes after a failure, the markets that were not searched because
 * of it are due again.
 */
export async function probeStore(
  services: Services,
  { store, provider, day }: { store: StoreName; provider: string; day: UtcDay },
  options: StoreRequestOptions,
): Promise<Finding['state']> {
  const { state, marker } = await runProbe(services, { store, provider }, options);
  if (state === 'unasked') return state;
  const probedAt = services.clock.now();
  const reopened = await inSystem(services, async (tx) => {
    const hasFailed = await upsertProbe(tx, {
      store,
      provider,
      date: day,
      state,
      probedAt,
      marker,
    });
    if (state !== 'ok' || !hasFailed) return 0;
    return reopenProbeGaps(tx, { store, provider, date: day });
  });
  if (reopened > 0) services.log.info({ store, day, reopened }, 'markets are due again');
  if (state === 'degraded')
    services.log.error(
      { store, provider, day, marker },
      'the probe of a search provider fails; it is left out until it succeeds',
    );
  return state;
}

interface Probed {
  store: StoreName;
  provider: string;
}

async function runProbe(
  services: Services,
  probed: Probed,
  options: StoreRequestOptions,
): Promise<Finding> {
  const { store, provider } = probed;
  // One device is enough: the provider has one format for them.
  const [device = defaultDeviceOf(store)] = devicesServedBy(store, provider);
  try {
    const response = await services.stores[store].search(
      { provider, ...profileOf(store).probe, device, depth: probeDepth },
      options,
    );
    const count = response.items.length;
    if (count < enoughResults) return { state: 'degraded', marker: `only ${count} results` };
    return (await hasRecovered(services, probed, options))
      ? { state: 'ok', marker: null }
      : { state: 'degraded', marker: withheldMarker };
  } catch (error) {
    if (!(error instanceof StoreError)) throw error;
    // For example while every endpoint cools down: the next tick sends the probe again.
    const isUnasked = error.cost.requests === 0 && !isProviderFailure(error);
    return { state: isUnasked ? 'unasked' : 'degraded', marker: error.marker };
  }
}

/** A provider that withheld results has recovered once random known markets are whole again. */
async function hasRecovered(
  services: Services,
  probed: Probed,
  options: StoreRequestOptions,
): Promise<boolean> {
  if (!(await hasOpenAnomaly(services.systemDb, probed))) return true;
  if ((await searchReferences(services, probed, options)) === 'short') return false;
  const at = services.clock.now();
  return inSystem(services, (tx) => closeAnomaly(tx, { ...probed, at }));
}
