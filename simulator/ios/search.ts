import { respond, type SimulatedResponse } from '../http/response.ts';
import type { ResponseContext } from '../http/response-context.ts';
import { withhold } from '../http/withhold.ts';
import type { SimApp } from '../world/apps.ts';
import { isCountry } from '../world/countries.ts';
import { invalidValue } from './invalid-value.ts';
import { wrapResults, type RenderCard } from './cards.ts';

/** `GET /search?term=&country=&entity=&limit=`: at most 200 results, 50 by default, no offset. */
export function handleSearch(context: ResponseContext, renderCard: RenderCard): SimulatedResponse {
  const { url, world, day, mutation } = context;
  const country = (url.searchParams.get('country') ?? 'us').toLowerCase();
  const term = url.searchParams.get('term') ?? '';
  if (!isCountry(country)) return invalidValue('country');
  const limit = readLimit(url.searchParams.get('limit'));
  if (limit === null) return invalidValue('limit');
  const market = { store: 'ios' as const, phrase: term, country, day, shownOn: 'api' };
  const found = term.trim() === '' || mutation === 'no-results' ? [] : world.order(market);
  const shown = withhold(found, mutation, world.visibleCount(market, found.length));
  const offered = shown.filter((app) => !context.isGone(app.storeAppId));
  const kinds = mixKinds(
    offered,
    url.searchParams.get('entity') ?? 'software',
    world.settings.kindMix,
  );
  const cards = kinds
    .slice(0, limit)
    .map(({ app, mac }) =>
      renderCard(app, { country, day, ...(mac ? { kind: 'mac-software' } : {}) }),
    );
  const made = respond(200, 'script', '');
  return { ...made, body: wrapResults(cards, mutation === 'index-moved') };
}

function readLimit(text: string | null): number | null {
  if (text === null || text === '') return 50;
  if (!/^-?\d+$/.test(text)) return null;
  return Math.min(200, Math.max(1, Number(text)));
}

/**
 * Mixes Mac software into the apps: nearly all results for Mac entities, else the share of the
 * option.
 */
function mixKinds(
  apps: readonly SimApp[],
  entity: string,
  share: number,
): { app: SimApp; mac: boolean }[] {
  if (/^(mac|desktop)Software$/.test(entity))
    return apps.map((app, index) => ({ app, mac: index % 20 !== 9 }));
  if (share <= 0) return apps.map((app) => ({ app, mac: false }));
  const every = Math.max(1, Math.round(1 / share));
  return apps.flatMap((app, index) => {
    const own = { app, mac: false };
    return index % every === every - 1 ? [{ app, mac: true }, own] : [own];
  });
}
