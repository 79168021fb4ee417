import type { RequestMarket, RequestTarget, SimulatedStore } from '../simulated-store.ts';
import { normalizePhrase } from '../world/ranking.ts';
import { imageHost } from './artwork.ts';
import { createCards } from './cards.ts';
import { storefrontCountry } from './hints.ts';
import { kindOf } from './request-kind.ts';
import { createIosRoutes } from './routes.ts';
import { iosTraits } from './traits.ts';

export const iosStore: SimulatedStore = {
  traits: iosTraits,
  hosts: [
    'itunes.apple.com',
    'search.itunes.apple.com',
    'apps.apple.com',
    'rss.marketingtools.apple.com',
    imageHost,
  ],
  guessHost(path) {
    if (path === '/search' || path === '/lookup' || path.includes('/rss/'))
      return 'itunes.apple.com';
    if (/^\/[a-z]{2}\/(app\/|[a-z]+\/search$)/.test(path)) return 'apps.apple.com';
    return path.startsWith('/WebObjects/') ? 'search.itunes.apple.com' : null;
  },
  describeRequest,
  createRoutes: (world) => createIosRoutes(createCards(world)),
  hasAddressLimits: true,
};

function describeRequest({ host, url, storefront }: RequestTarget): RequestMarket {
  const country =
    url.searchParams.get('country') ??
    storefrontCountry(storefront) ??
    /^(?:\/api\/v2)?\/([a-z]{2})\//.exec(url.pathname)?.[1];
  const phrase = url.searchParams.get('term');
  return {
    kind: kindOf(host, url.pathname),
    country: country?.toLowerCase() ?? null,
    phrase: phrase === null ? null : normalizePhrase(phrase),
  };
}
