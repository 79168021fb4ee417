import { startOfDayMs, utcDayOf, type UtcDay } from '#lib/dates.ts';
import { defaultDeviceOf, mapStores, type StoreName } from '#stores/profiles.ts';
import { buildCatalogue, type Catalogue, type SimApp } from './apps.ts';
import { BoundedCache } from './bounded-cache.ts';
import { dayNumber } from './day-number.ts';
import { hashText, mix } from './hash.ts';
import { describeListing, isOffered, ratingsAtFullAge, type SimListing } from './listing.ts';
import { createOverrideStore, withReleaseOverrides, withPositionOverrides } from './overrides.ts';
import { findField, moveApps, normalizePhrase, rankField, rerank, type Field } from './ranking.ts';
import type { StoreTraits } from './store-traits.ts';
import {
  searchModeFor,
  type MarketSearchMode,
  type SearchMode,
  type SearchModeRule,
} from './search-modes.ts';

export interface WorldOptions {
  /** Apps of each store; 3,000 by default, at most 60,000. */
  apps?: number;
  /** The most results of a search, for small responses. */
  resultsPerSearch?: number;
  /** `full` writes cards of about 4 kB like the real store, `lean` of about 1.5 kB. */
  detail?: 'lean' | 'full';
  /** The share of mac-software in iOS searches; 0 by default. */
  kindMix?: number;
  /** The search mode of Android without a rule; `deep` by default. */
  androidMode?: SearchMode;
  androidFirstPage?: number;
  androidNextPage?: number;
  /** Adds an Android app with 2^63-1 installs. */
  hugeInstalls?: boolean;
  /** Android's further pages are empty without the cookie of the first page. */
  requireSessionCookie?: boolean;
  /** About how many places an app is higher or lower in the API, or on another device. */
  pageDistance?: number;
  /** From that day on only overrides change these countries. */
  still?: { since: UtcDay; countries: readonly string[] };
}

export interface GroundTruth {
  store: StoreName;
  phrase: string;
  country: string;
  day: UtcDay;
  storeAppId: string;
  /** The 1-based position among all results of the market, or null. */
  position: number | null;
  /** The number of results of the market on that day. */
  available: number;
  /** The number of results that a client of the store can see. */
  visible: number;
  /** The position if a client can see it, else null. */
  visiblePosition: number | null;
  mode: SearchMode;
}

export interface MarketDay {
  store: StoreName;
  phrase: string;
  country: string;
  day: UtcDay;
  /** The API or device that shows another order than the search page of the first device. */
  shownOn?: string;
}

export type World = ReturnType<typeof createWorld>;

/** Worlds of one process share catalogues, which never change. */
const knownCatalogues = new BoundedCache<Catalogue>(8);

/**
 * The content of all stores as pure functions of seed, query and day. Only overrides and the rules
 * of search modes change it.
 */
export function createWorld(
  seed: number,
  traits: Readonly<Record<StoreName, StoreTraits>>,
  options: WorldOptions = {},
) {
  const settings = {
    apps: Math.min(60_000, options.apps ?? 3_000),
    resultsPerSearch: options.resultsPerSearch ?? null,
    detail: options.detail ?? ('lean' as const),
    kindMix: options.kindMix ?? 0,
    androidMode: options.androidMode ?? 'deep',
    androidFirstPage: options.androidFirstPage ?? 30,
    androidNextPage: options.androidNextPage ?? 25,
    requireSessionCookie: options.requireSessionCookie ?? false,
    hugeInstalls: options.hugeInstalls ?? false,
    pageDistance: options.pageDistance ?? 6,
  };
  const catalogues: Record<StoreName, Catalogue> = mapStores(({ id: store }) =>
    knownCatalogues.take(JSON.stringify([store, seed, settings]), () =>
      buildCatalogue({ store, traits: traits[store], seed, apps: settings.apps, settings }),
    ),
  );
  const fields = new BoundedCache<Field>(6_000);
  const orders = new BoundedCache<readonly SimApp[]>(3_000);
  const overrides = createOverrideStore();
  let searchModeRules: readonly SearchModeRule[] = [];

  /** The instant of a country's content: at the latest the one at which it became still. */
  const instantIn = (country: string, at: Date): Date => {
    const { still } = options;
    const since = still?.countries.includes(country) ? startOfDayMs(still.since) : Infinity;
    return at.getTime() > since ? new Date(since) : at;
  };
  const dayIn = (country: string, day: UtcDay): UtcDay =>
    options.still === undefined ? day : utcDayOf(instantIn(country, new Date(startOfDayMs(day))));

  const searchModeOf = (market: Omit<MarketDay, 'day'>): MarketSearchMode => {
    const standard = traits[market.store].standardMode(settings);
    return searchModeFor(
      searchModeRules,
      { ...market, phrase: normalizePhrase(market.phrase) },
      standard,
    );
  };

  /** All results of a market on a day, best first. */
  const order = (market: MarketDay): readonly SimApp[] => {
    const phrase = normalizePhrase(market.phrase);
    const { store, country, day, shownOn } = market;
    const shownDay = dayIn(country, day);
    const catalogue = catalogues[store];
    const marketKey = `${store}|${country}|${phrase}`;
    const ranked = orders.take(`${shownDay}|${marketKey}`, () => {
      const { resultsPerSearch } = settings;
      const field = fields.take(marketKey, () =>
        findField(catalogue, { seed, phrase, country, resultsPerSearch }),
      );
      return rankField(catalogue, field, country, dayNumber(shownDay));
    });
    const shown =
      shownOn === undefined || shownOn === defaultDeviceOf(store)
        ? ranked
        : orders.take(`${shownDay}|${marketKey}|${shownOn}`, () =>
            moveApps(ranked, shownOn, settings.pageDistance),
          );
    const { results, mode } = searchModeOf(market);
    if (mode === 'no-results') return [];
    const reranked = overrides.rerankedShare(shownDay);
    const overridden = withPositionOverrides(
      reranked === 0 ? shown : rerank(shown, reranked, hashText(marketKey)),
      overrides.positionOverridesOf({ store, country, phrase }, day),
      (id) => findApp(store, id, country, day),
    );
    return results === null ? overridden : overridden.slice(0, results);
  };

  const visibleCount = (market: MarketDay, available: number): number =>
    traits[market.store].countVisible(available, searchModeOf(market).mode, settings);

  const groundTruth = (query: MarketDay & { storeAppId: string }): GroundTruth => {
    const ranked = order(query);
    const position = ranked.findIndex((app) => app.storeAppId === query.storeAppId) + 1;
    const visible = visibleCount(query, ranked.length);
    return {
      ...query,
      phrase: normalizePhrase(query.phrase),
      position: position || null,
      available: ranked.length,
      visible,
      visiblePosition: position > 0 && position <= visible ? position : null,
      mode: searchModeOf(query).mode,
    };
  };

  const findApp = (store: StoreName, id: string, country: string, day: UtcDay): SimApp | null => {
    const app = catalogues[store].byId.get(id) ?? null;
    return app && isOffered(app, country, dayNumber(dayIn(country, day))) ? app : null;
  };

  const listing = (
    app: SimApp,
    storefront: { country: string; language: string; day: UtcDay },
  ): SimListing =>
    withReleaseOverrides(
      describeListing(app, {
        ...storefront,
        day: dayNumber(dayIn(storefront.country, storefront.day)),
        detail: settings.detail,
      }),
      overrides.releaseOverridesOf(app, storefront.day),
    );

  /** The newest overridden version of the app up to that instant, or null without one. */
  const versionOf = (app: SimApp, at: Date): string | null =>
    overrides.hasReleases()
      ? (overrides
          .releaseOverridesOf(app, utcDayOf(at))
          .findLast(({ fields }) => fields.version !== undefined)?.fields.version ?? null)
      : null;

  /** Apps of the same subject, the same ones every day. */
  const similar = (app: SimApp, country: string, day: UtcDay, count = 10): SimApp[] => {
    const { apps, bySubject } = catalogues[app.store];
    const shelf = bySubject[app.subject] ?? [];
    const start = mix(app.seed, hashText('similar')) % Math.max(1, shelf.length);
    const found = Array.from(
      { length: Math.min(2 * count, shelf.length) },
      (_, step) => apps[shelf[(start + step) % shelf.length]!]!,
    );
    return found
      .filter((other) => other !== app && isOffered(other, country, dayNumber(dayIn(country, day))))
      .slice(0, count);
  };

  return {
    seed,
    settings,
    catalogues,
    order,
    groundTruth,
    searchModeOf,
    visibleCount,
    findApp,
    listing,
    versionOf,
    ratingsAtFullAge,
    instantIn,
    dayIn,
    similar,
    overrides,
    /** Replaces the rules; responses follow them from the next request on. */
    setSearchModeRules(rules: readonly SearchModeRule[]) {
      searchModeRules = [...rules];
    },
    searchModeRules: () => searchModeRules,
  };
}
