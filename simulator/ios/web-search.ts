import { respond, type SimulatedResponse } from '../http/response.ts';
import type { ResponseContext } from '../http/response-context.ts';
import { withhold } from '../http/withhold.ts';
import type { SimApp } from '../world/apps.ts';
import { isCountry, languageOf } from '../world/countries.ts';
import { hashText, mix } from '../world/hash.ts';
import { toLockup } from './app-page.ts';
import { showCount } from './shown-count.ts';

const shelfLength = 12;
const mostResults = 240;

/**
 * `GET https://apps.apple.com/{cc}/{iphone|ipad|mac}/search?term=`: the first results with their
 * facts, all further ones by id. Whether the page has an ad, an event, an editorial item, escaped
 * data, counts as texts, and further ids that repeat the first ones depends on the term.
 */
export function handleWebSearch(context: ResponseContext): SimulatedResponse {
  const { url, world, day, mutation } = context;
  const match = /^\/([a-z]{2})\/(iphone|ipad|mac)\/search$/.exec(url.pathname);
  const [, country = '', device = ''] = match ?? [];
  const term = url.searchParams.get('term') ?? '';
  if (!isCountry(country) || term.trim() === '')
    return respond(404, 'html', '<!DOCTYPE html><html><body>Page not found</body></html>');
  const market = { store: 'ios' as const, phrase: term, country, day, shownOn: device };
  const found = mutation === 'no-results' ? [] : world.order(market);
  const offered = found.filter((app) => !context.isGone(app.storeAppId)).slice(0, mostResults);
  const visible = withhold(offered, mutation);
  const variant = mix(world.seed, hashText(`${country} ${term}`));
  const intent = {
    $kind: 'SearchResultsPageIntent',
    storefront: mutation === 'wrong-intent' ? (country === 'us' ? 'gb' : 'us') : country,
    language: languageOf(country),
    platform: mutation === 'wrong-platform' ? otherPlatformOf(device) : device,
    term,
  };
  const page = {
    $kind: 'SearchResultsPage',
    [mutation === 'index-moved' ? 'sections' : 'shelves']: [
      {
        $kind: 'Shelf',
        id: 'SearchResults.shelfId',
        contentType: 'searchResult',
        items: listItems(context, visible.slice(0, shelfLength), { country, variant }),
      },
    ],
    nextPage: nextPageOf(visible, variant),
  };
  const entry = { intent, [mutation === 'rpc-renamed' ? 'content' : 'data']: page };
  const data = variant % 7 === 0 ? [entry] : { data: [entry], userTokenHash: '' };
  return respond(200, 'html', toHtml(data, variant % 3 === 0));
}

/** The store shows the search of another device when it takes the client for one. */
const otherPlatformOf = (device: string): string => (device === 'iphone' ? 'ipad' : 'iphone');

/** The apps with what else stands between them on a search page. */
function listItems(
  context: ResponseContext,
  apps: readonly SimApp[],
  { country, variant }: { country: string; variant: number },
): Record<string, unknown>[] {
  const lockupOf = (app: SimApp) => {
    const language = languageOf(country);
    const listing = context.world.listing(app, { country, language, day: context.day });
    const count = listing.ratingCount ?? 0;
    return {
      ...toLockup(listing),
      developerName: app.developer,
      ratingCount: variant % 2 === 0 ? showCount(count, language) : count,
    };
  };
  const items: Record<string, unknown>[] = apps.map((app) => ({
    $kind: 'AppSearchResult',
    resultType: 'content',
    lockup: lockupOf(app),
  }));
  const first = apps[0];
  if (first === undefined) return items;
  if (variant % 4 === 1)
    items.splice(1, 0, {
      $kind: 'AppEventSearchResult',
      resultType: 'appEvent',
      lockup: lockupOf(first),
    });
  if (variant % 5 === 2)
    items.splice(3, 0, { $kind: 'EditorialSearchResult', resultType: 'editorial' });
  const advertised = context.world.catalogues.ios.apps[variant % 50]!;
  if (variant % 2 === 0)
    items.unshift({ $kind: 'AppSearchResult', resultType: 'ad', lockup: lockupOf(advertised) });
  return items;
}

function nextPageOf(
  apps: readonly SimApp[],
  variant: number,
): { results: { id: string; type: string }[] } | null {
  if (apps.length <= shelfLength) return null;
  const repeated = variant % 2 === 0 ? apps : apps.slice(shelfLength);
  const results = repeated.map(({ storeAppId }) => ({ id: storeAppId, type: 'apps' }));
  if (variant % 3 === 1) results.splice(20, 0, { id: '1700000001', type: 'editorial-items' });
  return { results };
}

function toHtml(data: unknown, isEscaped: boolean): string {
  const json = JSON.stringify(data).replace(/</g, '\\u003c');
  const island = isEscaped ? json.replace(/&/g, '&amp;').replace(/"/g, '&quot;') : json;
  return [
    '<!DOCTYPE html><html><head><title>Search</title></head><body>',
    `<script type="application/json" id="serialized-server-data">${island}</script></body></html>`,
  ].join('\n');
}
