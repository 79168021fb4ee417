import { respond } from '#simulator/http/response.ts';
import type { ResponseContext } from '#simulator/http/response-context.ts';
import type { RequestMarket, SimulatedStore } from '#simulator/simulated-store.ts';
import type { SimApp } from '#simulator/world/apps.ts';
import { hintsOf } from '#simulator/world/hints.ts';
import { normalizePhrase } from '#simulator/world/ranking.ts';

const [firstPage, nextPage] = [40, 20];

export const meadowStore: SimulatedStore = {
  traits: {
    seedOffset: 5,
    makeAppId: (index) => `m-${String(index).padStart(6, '0')}`,
    makeReviewId: (a, b) => `${a}-${b}`,
    reviewsCountryOf: (country) => country,
    makeSubtitle: () => '',
    categoryName: (subject) => subject.name,
    isInCategory: () => true,
    allAppsCategory: '',
    maxHints: 8,
    listCountedApps: () => [],
    standardMode: () => 'deep',
    countVisible: (available) => available,
  },
  hosts: ['api.meadow.example'],
  guessHost: () => null,
  describeRequest,
  createRoutes: () => respondTo,
  hasAddressLimits: false,
};

function describeRequest({ url }: { url: URL }): RequestMarket {
  const phrase = url.searchParams.get('q');
  return {
    kind: url.pathname.split('/').at(-1) ?? 'other',
    country: url.searchParams.get('country'),
    phrase: phrase === null ? null : normalizePhrase(phrase),
  };
}

function respondTo(context: ResponseContext) {
  const { url, world, day, request } = context;
  const store = request.store!;
  const value = (name: string) => url.searchParams.get(name) ?? '';
  const country = value('country');
  const json = (body: object) => respond(200, 'json', JSON.stringify(body));
  switch (url.pathname) {
    case '/v1/search': {
      const all = world.order({ store, phrase: value('q'), country, day });
      const found = context.mutation === 'no-results' ? [] : all;
      const offset = Number(value('offset'));
      const page = found.slice(offset, offset + (offset === 0 ? firstPage : nextPage));
      return json({ total: found.length, apps: page.map((app) => render(context, app)) });
    }
    case '/v1/apps': {
      const apps = value('ids').split(',');
      const found = apps.map((id) => world.findApp(store, id, country, day));
      return json({ apps: found.flatMap((app) => (app === null ? [] : render(context, app))) });
    }
    case '/v1/hints':
      return json({ terms: hintsOf(world, { store, country, prefix: value('prefix'), day }) });
    default:
      return null;
  }
}

function render({ world, day, url }: ResponseContext, app: SimApp) {
  const country = url.searchParams.get('country') ?? 'us';
  const listing = world.listing(app, { country, language: 'en', day });
  return {
    id: app.storeAppId,
    title: listing.title,
    developer: app.developer,
    rating: listing.rating,
    ratings: listing.ratingCount,
    description: listing.description,
    version: listing.version,
  };
}
