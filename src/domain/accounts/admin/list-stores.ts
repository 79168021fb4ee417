import type { z } from 'zod';
import type { admin } from '#contract/admin.ts';
import { listNewestProbes, listPaces, type EndpointPace } from '#db/queries/admin/admin.ts';
import { listRequestMetrics } from '#db/queries/health/metrics.ts';
import { utcDayOf } from '#lib/dates.ts';
import { roundTo } from '#domain/base/budget/cost.ts';
import type { Ctx, EgressHealth } from '#domain/base/context.ts';
import { storeProfiles, type StoreName } from '#domain/base/ports.ts';

export type StoreList = z.input<(typeof admin)['GET /admin/stores']['responses'][200]>;
export type ProxyList = z.input<(typeof admin)['GET /admin/proxies']['responses'][200]>;

const round = roundTo(2);

/** How each store responds, and the current pace of all processes together. */
export async function listStores(ctx: Ctx): Promise<StoreList> {
  const { systemDb, settings } = ctx;
  const [probes, allPaces, counts] = await Promise.all([
    listNewestProbes(systemDb),
    listPaces(systemDb),
    listRequestMetrics(systemDb, utcDayOf(ctx.clock.now())),
  ]);
  const names = settings.egress().map((endpoint) => endpoint.name);
  const paceOf = (store: StoreName, host: string, perMinute: number) =>
    describePace(
      allPaces.filter(
        (pace) => pace.store === store && pace.host === host && names.includes(pace.endpoint),
      ),
      { endpoints: names.length, perMinute },
    );
  const items = storeProfiles.map(({ id: store, pace }): StoreList['items'][number] => {
    const probe = probes.find((row) => row.store === store);
    const count = counts.find((row) => row.store === store);
    return {
      store,
      probe: probe
        ? {
            date: probe.date,
            state: probe.state,
            probedAt: probe.probedAt.toISOString(),
            attempts: probe.attempts,
            marker: probe.marker,
          }
        : null,
      requestsToday: count?.requests ?? 0,
      refusedToday: count?.refused ?? 0,
      ...paceOf(store, '', settings.requestsPerMinute[store]),
      hosts: (pace.hosts ?? []).map(({ host }) => ({
        host,
        ...paceOf(store, host, settings.hostRequestsPerMinute[host]!),
      })),
    };
  });
  return { items, nextCursor: null, total: items.length };
}

/** The pace of a store or of one of its hosts, over all endpoints. */
function describePace(
  paces: readonly EndpointPace[],
  { endpoints, perMinute }: { endpoints: number; perMinute: number },
): Pick<StoreList['items'][number], 'requestsPerMinute' | 'lastRefusal'> {
  const refused = paces
    .filter((pace) => pace.lastRefusedAt !== null)
    .toSorted((a, b) => Number(b.lastRefusedAt) - Number(a.lastRefusedAt))[0];
  // An endpoint that was never used has no row.
  const unused = endpoints - paces.length;
  const inUse = paces
    .filter((pace) => !pace.isCooling)
    .reduce((sum, pace) => sum + perMinute / pace.slowFactor, unused * perMinute);
  return {
    requestsPerMinute: { allowed: perMinute * endpoints, inUse: round(inUse) },
    lastRefusal: refused
      ? {
          at: refused.lastRefusedAt!.toISOString(),
          endpoint: refused.endpoint,
          marker: refused.lastMarker,
          cooldownUntil: cooldownUntil(refused),
        }
      : null,
  };
}

/** The health of each egress endpoint: whether it is usable, and how each store responds there. */
export async function listProxies({ systemDb, settings }: Ctx): Promise<ProxyList> {
  const paces = await listPaces(systemDb);
  const items = settings.egress().map((own): ProxyList['items'][number] => {
    const rows = paces.filter((pace) => pace.endpoint === own.name);
    return {
      endpoint: own.name,
      connection: presentConnection(own, rows),
      stores: rows.map(presentPace),
    };
  });
  return { items, nextCursor: null, total: items.length };
}

/** What this process or another one knows of the endpoint. */
function presentConnection(
  own: EgressHealth,
  rows: readonly EndpointPace[],
): ProxyList['items'][number]['connection'] {
  const untilMs = Math.max(...[own, ...rows].map((known) => Number(known.unavailableUntil ?? 0)));
  return {
    state: untilMs === 0 ? 'ok' : 'resting',
    consecutiveFailures: Math.max(
      own.consecutiveFailures,
      ...rows.map(({ connectionFailures }) => connectionFailures),
    ),
    unavailableUntil: untilMs === 0 ? null : new Date(untilMs).toISOString(),
  };
}

function presentPace(pace: EndpointPace): ProxyList['items'][number]['stores'][number] {
  return {
    store: pace.store,
    host: pace.host === '' ? null : pace.host,
    state: pace.isCooling ? 'cooling' : pace.slowFactor > 1 ? 'slowed' : 'ok',
    slowFactor: round(pace.slowFactor),
    strikes: pace.strikes,
    cooldownUntil: cooldownUntil(pace),
    granted: pace.granted,
    refused: pace.refused,
    lastRefusedAt: pace.lastRefusedAt?.toISOString() ?? null,
    lastMarker: pace.lastMarker,
  };
}

function cooldownUntil({ isCooling, cooldownUntil }: EndpointPace): string | null {
  return isCooling ? cooldownUntil!.toISOString() : null;
}
