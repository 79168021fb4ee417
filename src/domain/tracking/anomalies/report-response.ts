import { insertAnomaly } from '#db/queries/anomalies/response-anomalies.ts';
import { coolEndpoint } from '#db/queries/pacing/cool-endpoint.ts';
import { upsertProbe } from '#db/queries/runs/store-probes.ts';
import { inSystem, type Services } from '#domain/base/context.ts';
import type { SearchResponse, StoreName } from '#domain/base/ports.ts';
import { utcDayOf } from '#lib/dates.ts';
import type { FoundAnomaly } from './find-anomaly.ts';
import { observeResponse } from './response-monitor.ts';

/** The reason of gaps and failed probes while a provider withholds results. */
export const withheldMarker = 'withheld';

const endpointCooldownSeconds = 3_600;
/** A response that withheld results may have looked plausible before the first short one. */
export const marginMs = 15 * 60_000;

interface Reported {
  store: StoreName;
  provider: string;
  isShort: boolean;
}

/**
 * Compares a response with the market's usual length. When more responses are short than honest
 * days make likely, the provider counts as degraded until known searches are whole again; an
 * endpoint whose responses alone are short cools down.
 */
export async function reportResponse(
  services: Services,
  { store, provider, isShort }: Reported,
  { cost: { endpoint = '' } }: Pick<SearchResponse, 'cost'>,
): Promise<void> {
  const atMs = services.clock.now().getTime();
  const endpoints = Math.max(1, services.settings.egress().length);
  const found = observeResponse(
    services,
    { store, provider, endpoints },
    { isShort, endpoint, atMs },
  );
  if (found === null) return;
  if (found.endpoint === null) await openAnomaly(services, { store, provider }, found);
  else await coolShortEndpoint(services, store, found.endpoint);
}

async function openAnomaly(
  services: Services,
  { store, provider }: Pick<Reported, 'store' | 'provider'>,
  { compared, short, sinceMs }: FoundAnomaly,
): Promise<void> {
  const now = services.clock.now();
  const date = utcDayOf(now);
  const isNew = await inSystem(services, async (tx) => {
    const unconfirmedFrom = new Date(sinceMs - marginMs);
    const anomaly = { store, provider, date, detectedAt: now, unconfirmedFrom, compared, short };
    await upsertProbe(tx, {
      store,
      provider,
      date,
      state: 'degraded',
      probedAt: now,
      marker: withheldMarker,
    });
    return insertAnomaly(tx, anomaly);
  });
  if (isNew)
    services.log.error(
      { store, provider, date, compared, short },
      'a search provider withholds results; it is left out until known searches are whole',
    );
}

async function coolShortEndpoint(
  services: Services,
  store: StoreName,
  endpoint: string,
): Promise<void> {
  await coolEndpoint(services.systemDb, {
    store,
    endpoint,
    marker: withheldMarker,
    cooldownSeconds: endpointCooldownSeconds,
  });
  services.log.error({ store, endpoint }, 'an egress endpoint gets short results and cools down');
}
