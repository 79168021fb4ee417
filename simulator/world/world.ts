import { addDays, startOfDayMs, utcDayOf, type UtcDay } from '../../src/lib/dates.ts';
import type { StoreName } from '../store-name.ts';
import { buildCatalogue, type Catalogue, type SimApp } from './apps.ts';
import { BoundedCache } from './bounded-cache.ts';
import { dayNumber } from './day-number.ts';
import { hashText, mix } from './hash.ts';
import { describeListing, isOffered, ratingsAtFullAge, type SimListing } from './listing.ts';
import { createPlants, withReleases, withStandings } from './plants.ts';
import { findField, normalizePhrase, rankField, type Field } from './ranking.ts';
import { regimeFor, type MarketRegime, type Regime, type RegimeRule } from './regimes.ts';

export interface WorldOptions {
  /** Apps per store; 3000. At most 60 000. */
  apps?: number;
  /** Caps the results of every search, for small bodies. */
  resultsPerSearch?: number;
  /** `full` writes cards of about 4 kB as the real store does, `lean` of about 1.5 kB. */
  detail?: 'lean' | 'full';
  /** Share of mac-software mixed into iOS app searches; 0. */
  kindMix?: number;
  /** What Android does where no rule says otherwise; `deep`. */
  androidRegime?: Regime;
  androidFirstPage?: number;
  androidNextPage?: number;
  /** Adds an Android app with 2^63-1 installs. */
  hugeInstalls?: boolean;
  /** Android continuation pages answer nothing without the first page's cookie. */
  requireSessionCookie?: boolean;
  /** From the day on nothing moves by itself in these countries: what is planted there is all that happens. */
  still?: { since: UtcDay; countries: readonly string[] };
}

export interface Truth {
  store: StoreName;
  phrase: string;
  country: string;
  day: UtcDay;
  storeAppId: string;
  /** 1-based place among everything the market has, or null. */
  position: number | null;
  /** How many results the market really has on that day. */
  available: number;
  /** How many of them a store client can get to see. */
  visible: number;
  /** The position when it lies within what can be seen, else null. */
  visiblePosition: number | null;
  regime: Regime;
}

export interface MarketDay {
  store: StoreName;
  phrase: string;
  country: string;
  day: UtcDay;
}

export type World = ReturnType<typeof createWorld>;

/** Everything both stores know, as pure functions of (seed, question, day); only the regime rules can be changed. */
export function createWorld(seed: number, options: WorldOptions = {}) {
  const settings = {
    apps: Math.min(60_000, options.apps ?? 3_000),
    resultsPerSearch: options.resultsPerSearch ?? null,
    detail: options.detail ?? ('lean' as const),
    kindMix: options.kindMix ?? 0,
    androidRegime: options.androidRegime ?? 'deep',
    androidFirstPage: options.androidFirstPage ?? 30,
    androidNextPage: options.androidNextPage ?? 25,
    requireSessionCookie: options.requireSessionCookie ?? false,
  };
  const build = (store: StoreName) =>
    buildCatalogue(store, {
      seed,
      apps: settings.apps,
      hugeInstalls: options.hugeInstalls ?? false,
    });
  const catalogues: Record<StoreName, Catalogue> = { ios: build('ios'), android: build('android') };
  const fields = new BoundedCache<Field>(6_000);
  const orders = new BoundedCache<readonly SimApp[]>(3_000);
  const plants = createPlants();
  let regimeRules: readonly RegimeRule[] = [];

  /** The instant whose world a country shows: the asked one, or that at which it began to stand still. */
  const instantIn = (country: string, at: Date): Date => {
    const { still } = options;
    const since = still?.countries.includes(country) ? startOfDayMs(still.since) : Infinity;
    return at.getTime() > since ? new Date(since) : at;
  };
  const dayIn = (country: string, day: UtcDay): UtcDay =>
    options.still === undefined ? day : utcDayOf(instantIn(country, new Date(startOfDayMs(day))));

  const regimeOf = (market: Omit<MarketDay, 'day'>): MarketRegime => {
    const standard = market.store === 'ios' ? 'deep' : settings.androidRegime;
    return regimeFor(regimeRules, { ...market, phrase: normalizePhrase(market.phrase) }, standard);
  };

  /** The whole true order of a market on a day, best first. */
  const order = (market: MarketDay): readonly SimApp[] => {
    const phrase = normalizePhrase(market.phrase);
    const { store, country, day } = market;
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
    const { results, regime } = regimeOf(market);
    if (regime === 'no-results') return [];
    const standing = withStandings(
      ranked,
      plants.standingsOf({ store, country, phrase }, day),
      (id) => findApp(store, id, country, day),
    );
    return results === null ? standing : standing.slice(0, results);
  };

  const visibleCount = (market: MarketDay, available: number): number => {
    if (market.store === 'ios') return Math.min(200, available);
    return regimeOf(market).regime === 'deep'
      ? available
      : Math.min(settings.androidFirstPage, available);
  };

  const truth = (question: MarketDay & { storeAppId: string }): Truth => {
    const ranked = order(question);
    const place = ranked.findIndex((app) => app.storeAppId === question.storeAppId) + 1;
    const visible = visibleCount(question, ranked.length);
    return {
      ...question,
      phrase: normalizePhrase(question.phrase),
      position: place || null,
      available: ranked.length,
      visible,
      visiblePosition: place > 0 && place <= visible ? place : null,
      regime: regimeOf(question).regime,
    };
  };

  const findApp = (store: StoreName, id: string, country: string, day: UtcDay): SimApp | null => {
    const app = catalogues[store].byId.get(id) ?? null;
    return app && isOffered(app, country, dayNumber(dayIn(country, day))) ? app : null;
  };

  const listing = (
    app: SimApp,
    place: { country: string; language: string; day: UtcDay },
  ): SimListing =>
    withReleases(
      describeListing(app, {
        ...place,
        day: dayNumber(dayIn(place.country, place.day)),
        detail: settings.detail,
      }),
      plants.releasesOf(app, place.day),
    );

  /** A version planted for the app up to that instant, or null: then its own calendar holds. */
  const versionOf = (app: SimApp, at: Date): string | null =>
    plants.hasReleases()
      ? (plants.releasesOf(app, utcDayOf(at)).findLast(({ fields }) => fields.version !== undefined)
          ?.fields.version ?? null)
      : null;

  /** Apps of the same subject, ten where nobody asks for more, the same ones every day. */
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
    truth,
    regimeOf,
    visibleCount,
    findApp,
    listing,
    versionOf,
    ratingsAtFullAge,
    instantIn,
    dayIn,
    similar,
    plants,
    /** Replaces the rules; answers follow from the next request on. */
    setRegimes(rules: readonly RegimeRule[]) {
      regimeRules = [...rules];
    },
    regimeRules: () => regimeRules,
  };
}

export function yesterday(day: UtcDay): UtcDay {
  return addDays(day, -1);
}
