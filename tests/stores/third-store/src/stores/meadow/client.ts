import type {
  AppCard,
  Cost,
  SearchResponse,
  Store,
  StoreRequestOptions,
} from '#domain/base/ports.ts';
import type { RequestKind } from '#stores/exchange.ts';
import { isAppIdOf } from '#stores/profiles.ts';
import { requestWithRetry, type StoreRequestContext } from '#stores/request-with-retry.ts';
import { requireCountry, requireIds, requirePrefix } from '#stores/request-validation.ts';
import { requireSearch } from '#stores/request-validation.ts';
import { notOffered } from '#stores/store-errors.ts';
import { parseHttpUrl, type HostRoot } from '#stores/urls.ts';
import { parseHints, parseListings, parseSearch } from './parsers.ts';
import { meadowProfile } from './profile.ts';

type Context = StoreRequestContext & { root: HostRoot };

const host = 'api.meadow.example';
const pageUrl = (storeAppId: string, country: string) =>
  `https://meadow.example/${country}/apps/${storeAppId}`;
const isId = (text: string) => isAppIdOf(meadowProfile, text);

export function createMeadowStore(context: Context): Store {
  const { store } = context;
  const lacks = (what: string) => () => Promise.reject(notOffered(store, what, `no ${what}`));
  return {
    name: store,
    search: (query, options) => search(context, query, options),
    async listings({ storeAppIds, country }, options) {
      requireCountry(store, country);
      const ids = requireIds(store, storeAppIds, isId);
      const cost = newCost();
      const found = await request(
        context,
        { kind: 'listing', options, cost },
        {
          path: '/v1/apps',
          query: { ids: ids.join(), country },
          parse: (body) => parseListings(store, body, (id) => pageUrl(id, country)),
        },
      );
      return {
        found: [...found.values()],
        missing: ids.filter((id) => !found.has(id)),
        language: 'en',
        cost,
      };
    },
    async hints({ prefix, country }, options) {
      requireCountry(store, country);
      requirePrefix(store, prefix);
      const cost = newCost();
      const terms = await request(
        context,
        { kind: 'hints', options, cost },
        {
          path: '/v1/hints',
          query: { prefix, country },
          parse: (body) => parseHints(store, body),
        },
      );
      return { terms, cost };
    },
    reviews: lacks('reviews'),
    chart: lacks('chart'),
    page: lacks('page'),
    similar: lacks('similar'),
    countries: () => [{ country: 'us', language: 'en' }],
    readUrl(text) {
      const url = parseHttpUrl(text);
      const parts = /^\/([a-z]{2})\/apps\/([^/]+)$/.exec(url?.pathname ?? '');
      const [, country, storeAppId] = parts ?? [];
      return url?.hostname === 'meadow.example' && storeAppId && isId(storeAppId)
        ? { storeAppId, country: country ?? null }
        : null;
    },
    isStoreAppId: isId,
    pageUrl,
  };
}

/** Reads pages until the depth is reached or the store has no more. */
async function search(
  context: Context,
  query: { phrase: string; country: string; depth: number },
  options: StoreRequestOptions,
): Promise<SearchResponse> {
  requireSearch(context.store, query);
  const cost = newCost();
  const items: AppCard[] = [];
  for (let total = 1; items.length < Math.min(total, query.depth);) {
    const page = await request(
      context,
      { kind: 'search', options, cost },
      {
        path: '/v1/search',
        query: { q: query.phrase, country: query.country, offset: String(items.length) },
        parse: (body) => parseSearch(context.store, body),
      },
    );
    ({ total } = page);
    items.push(...page.items);
    if (page.items.length === 0) break;
  }
  const isFull = items.length >= query.depth;
  return {
    items: items.slice(0, query.depth).map((card) => ({ storeAppId: card.storeAppId, card })),
    depthRequested: query.depth,
    depthReached: Math.min(items.length, query.depth),
    end: isFull ? 'depth' : 'exhausted',
    unread: [],
    provider: 'meadow',
    ads: null,
    language: 'en',
    cost,
  };
}

function request<Result>(
  context: Context,
  { kind, options, cost }: { kind: RequestKind; options: StoreRequestOptions; cost: Cost },
  what: { path: string; query: Record<string, string>; parse: (body: string) => Result },
): Promise<Result> {
  const url = `${context.root(host)}${what.path}?${new URLSearchParams(what.query).toString()}`;
  const read = ({ body }: { body: string }) => what.parse(body);
  return requestWithRetry(
    context,
    { kind, url, headers: { accept: 'application/json' }, consentHeaders: null, read },
    options,
    cost,
  );
}

const newCost = (): Cost => ({ requests: 0, bytes: 0, ms: 0 });
