import { storefrontOf } from '#lib/apple-storefronts.ts';
import { respond, type SimulatedResponse } from '../http/response.ts';
import type { ResponseContext } from '../http/response-context.ts';
import { withhold } from '../http/withhold.ts';
import type { SimApp } from '../world/apps.ts';
import { languageOf } from '../world/countries.ts';
import { hashText, mix } from '../world/hash.ts';
import { iconOf } from '../world/artwork.ts';
import { imageAddress } from './artwork.ts';
import { storefrontCountry } from './hints.ts';

/** The name of this page's order in the ground truth. */
const mzStoreOrder = 'mzstore';
const detailedResults = 8;
const mostResults = 248;

interface Market {
  country: string;
  term: string;
  variant: number;
}

/**
 * `GET …/MZStore.woa/wa/search?clientApplication=Software&term=` with the header of a storefront:
 * ordered ids, and details of the first eight. Whether the page is in `pageData` or at the top, and
 * whether results without a position are between the apps, depends on the term.
 */
export function handleMzSearch(context: ResponseContext): SimulatedResponse {
  const country = storefrontCountry(context.request.storefront);
  const term = context.url.searchParams.get('term') ?? '';
  if (country === null || term.trim() === '')
    return respond(200, 'html', '<!DOCTYPE html><html><body>App Store</body></html>');
  const { mutation, world } = context;
  const market = { country, term, variant: mix(world.seed, hashText(`${term} ${country}`)) };
  const apps = listApps(context, market);
  const page = toPage(apps, market, mutation);
  const isInner = market.variant % 3 > 0;
  const storePlatformData = {
    [isInner ? 'native-search-lockup' : 'native-search-lockup-search']: {
      results: toDetails(context, apps.slice(0, detailedResults), market),
      version: 2,
      isAuthenticated: false,
    },
  };
  const inner = mutation === 'null-payload' ? null : page;
  const body = isInner ? { storePlatformData, pageData: inner } : { storePlatformData, ...inner };
  return respond(200, 'json', JSON.stringify(body));
}

function listApps(context: ResponseContext, { country, term }: Market): SimApp[] {
  const { world, day, mutation } = context;
  const market = { store: 'ios' as const, phrase: term, country, day, shownOn: mzStoreOrder };
  const found = mutation === 'no-results' ? [] : world.order(market);
  const offered = found.filter((app) => !context.isGone(app.storeAppId)).slice(0, mostResults);
  return [...withhold(offered, mutation)];
}

function toPage(
  apps: readonly SimApp[],
  { country, term, variant }: Market,
  mutation: ResponseContext['mutation'],
): Record<string, unknown> {
  const shown = mutation === 'wrong-intent' ? (country === 'us' ? 'gb' : 'us') : country;
  const entity = mutation === 'rpc-renamed' ? 'app' : 'software';
  const results = apps.map(({ storeAppId }) => ({ type: 8, id: storeAppId, entity }));
  if (variant % 4 === 1 && results.length > 0)
    results.splice(2, 0, { type: 8, id: '1700000002', entity: 'iphoneAppBundle' });
  const bubbles = apps.length === 0 ? [] : [{ results, name: 'software', totalCount: apps.length }];
  return {
    pageType: 'search',
    term,
    [mutation === 'index-moved' ? 'lists' : 'bubbles']: bubbles,
    metricsBase: { pageType: 'Search', language: '1', storeFront: String(storefrontOf(shown)) },
    metrics: { config: {}, fields: { searchTerm: term } },
  };
}

function toDetails(
  context: ResponseContext,
  apps: readonly SimApp[],
  { country }: Market,
): Record<string, unknown> {
  const storefront = { country, language: languageOf(country), day: context.day };
  const details = apps.map((app) => {
    const { title, subtitle, rating, ratingCount } = context.world.listing(app, storefront);
    const detail = {
      id: app.storeAppId,
      kind: 'iosSoftware',
      name: title,
      subtitle,
      artistName: app.developer,
      bundleId: app.bundleId,
      artwork: { url: imageAddress(iconOf(app), '{w}x{h}{c}.{f}'), width: 1024 },
      userRating: { value: rating ?? 0, ratingCount: ratingCount ?? 0 },
    };
    return [app.storeAppId, detail] as const;
  });
  return Object.fromEntries(details);
}
