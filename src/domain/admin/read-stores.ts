import type { z } from 'zod';
import type { admin } from '../../contract/admin.ts';
import { listNewestCanaries, listPaces, type EndpointPace } from '../../db/queries/admin.ts';
import { listPaceReadings } from '../../db/queries/service.ts';
import { utcDayOf } from '../../lib/dates.ts';
import { roundTo } from '../budget/cost.ts';
import type { Ctx } from '../context.ts';
import { storeNames } from '../ports.ts';

export type StoreList = z.input<(typeof admin)['GET /admin/stores']['responses'][200]>;
export type ProxyList = z.input<(typeof admin)['GET /admin/proxies']['responses'][200]>;

const round = roundTo(2);
const usPerMinute = 60_000_000;

/** How each store answers, and at what pace it is asked: of all processes together. */
export async function readStores(ctx: Ctx): Promise<StoreList> {
  const { systemDb, settings } = ctx;
  const [canaries, allPaces, counts] = await Promise.all([
    listNewestCanaries(systemDb),
    listPaces(systemDb),
    listPaceReadings(systemDb, utcDayOf(ctx.clock.now())),
  ]);
  const names = settings.egress().map((endpoint) => endpoint.name);
  const items = storeNames.map((store): StoreList['items'][number] => {
    const canary = canaries.find((row) => row.store === store);
    const paces = allPaces.filter((pace) => pace.store === store && names.includes(pace.endpoint));
    const refused = paces
      .filter((pace) => pace.lastRefusedAt !== null)
      .toSorted((a, b) => Number(b.lastRefusedAt) - Number(a.lastRefusedAt))[0];
    const count = counts.find((row) => row.store === store);
    // A way out that was not taken yet has no pace of its own.
    const unused = names.length - paces.length;
    const perMinute = settings.requestsPerMinute[store];
    const inUse = paces
      .filter((pace) => !pace.isCooling)
      .reduce((sum, pace) => sum + usPerMinute / pace.intervalUs, unused * perMinute);
    return {
      store,
      canary: canary
        ? {
            date: canary.date,
            state: canary.state,
            triedAt: canary.triedAt.toISOString(),
            attempts: canary.attempts,
            marker: canary.marker,
          }
        : null,
      // A pace that was set higher before is taken back with the next request.
      requestsPerMinute: {
        allowed: perMinute * names.length,
        inUse: round(Math.min(inUse, perMinute * names.length)),
      },
      requestsToday: count?.requests ?? 0,
      refusedToday: count?.refused ?? 0,
      lastRefusal: refused
        ? {
            at: refused.lastRefusedAt!.toISOString(),
            endpoint: refused.endpoint,
            marker: refused.lastMarker,
            coolsUntil: coolsUntil(refused),
          }
        : null,
    };
  });
  return { items, nextCursor: null, total: items.length };
}

/** How each way out is: whether it can be taken, and how each store answers there. */
export async function readProxies({ systemDb, settings }: Ctx): Promise<ProxyList> {
  const paces = await listPaces(systemDb);
  const items = settings
    .egress()
    .map(({ name, failuresInRow, restsUntil }): ProxyList['items'][number] => ({
      endpoint: name,
      connection: {
        state: restsUntil === null ? 'ok' : 'resting',
        failuresInRow,
        restsUntil: restsUntil?.toISOString() ?? null,
      },
      stores: paces.filter((pace) => pace.endpoint === name).map(presentPace),
    }));
  return { items, nextCursor: null, total: items.length };
}

function presentPace(pace: EndpointPace): ProxyList['items'][number]['stores'][number] {
  return {
    store: pace.store,
    state: pace.isCooling ? 'cooling' : pace.slowFactor > 1 ? 'slowed' : 'ok',
    slowFactor: round(pace.slowFactor),
    strikes: pace.strikes,
    coolsUntil: coolsUntil(pace),
    granted: pace.granted,
    refused: pace.refused,
    lastRefusedAt: pace.lastRefusedAt?.toISOString() ?? null,
    lastMarker: pace.lastMarker,
  };
}

function coolsUntil({ isCooling, coolUntil }: EndpointPace): string | null {
  return isCooling ? coolUntil!.toISOString() : null;
}
