import { respond, type SimulatedResponse } from '../http/response.ts';
import type { ResponseContext } from '../http/response-context.ts';
import { withhold } from '../http/withhold.ts';
import type { SimApp } from '../world/apps.ts';
import { isCountry } from '../world/countries.ts';
import { invalidValue } from './invalid-value.ts';
import { wrapResults, type RenderCard } from './cards.ts';

/** The entities that a device runs, with the name of its order in the ground truth. */
const entities: Readonly<Record<string, { order: string; isMac: boolean }>> = {
  software: { order: 'api', isMac: false },
  iPadSoftware: { order: 'api-ipad', isMac: false },
  macSoftware: { order: 'api-mac', isMac: true },
  desktopSoftware: { order: 'api-mac', isMac: true },
};

/** `GET /search?term=&country=&entity=&limit=`: at most 200 results, 50 by default, no offset. */
export function handleSearch(context: ResponseContext, renderCard: RenderCard): SimulatedResponse {
  const { url, world, day, mutation } = context;
  const country = (url.searchParams.get('country') ?? 'us').toLowerCase();
  const term = url.searchParams.get('term') ?? '';
  if (!isCountry(country)) return invalidValue('country');
  const limit = readLimit(url.searchParams.get('limit'));
  if (limit === null) return invalidValue('limit');
  const entity = entities[url.searchParams.get('entity') ?? 'software'];
  if (entity === undefined) return invalidValue('entity');
  const market = { store: 'ios' as const, phrase: term, country, day, shownOn: entity.order };
  const found = term.trim() === '' || mutation === 'no-results' ? [] : world.order(market);
  const shown = withhold(found, mutation, world.visibleCount(market, found.length));
  const offered = shown.filter((app) => !context.isGone(app.storeAppId));
  const cards = mixKinds(offered, entity.isMac, world.settings.kindMix)
    .slice(0, limit)
    .map(({ app, isMac }) =>
      renderCard(app, { country, day, ...(isMac ? { kind: 'mac-software' } : {}) }),
    );
  const made = respond(200, 'script', '');
  return { ...made, body: wrapResults(cards, mutation === 'index-moved') };
}

function readLimit(text: string | null): number | null {
  if (text === null || text === '') return 50;
  if (!/^-?\d+$/.test(text)) return null;
  return Math.min(200, Math.max(1, Number(text)));
}

/** The share of apps of another kind among Mac software, as in a recording of 2025. */
const macShare = 0.05;

/** Mixes apps of the other kind into the results: they have no position. */
function mixKinds(
  apps: readonly SimApp[],
  isMac: boolean,
  kindMix: number,
): { app: SimApp; isMac: boolean }[] {
  const share = isMac ? macShare : kindMix;
  if (share <= 0) return apps.map((app) => ({ app, isMac }));
  const every = Math.max(1, Math.round(1 / share));
  return apps.flatMap((app, index) => {
    const own = { app, isMac };
    return index % every === every - 1 ? [{ app, isMac: !isMac }, own] : [own];
  });
}
