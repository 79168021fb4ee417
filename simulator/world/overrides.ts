import { startOfDayMs, type UtcDay } from '#lib/dates.ts';
import type { StoreName } from '#stores/profiles.ts';
import type { SimApp } from './apps.ts';
import type { SimListing } from './listing.ts';
import { normalizePhrase } from './ranking.ts';

/** An added review. The same id with a later `at` is an edit. */
export interface ReviewOverride {
  store: StoreName;
  storeAppId: string;
  country: string;
  /** ISO instant. */
  at: string;
  rating: number;
  title?: string;
  body: string;
  author?: string;
  version?: string;
  storeReviewId?: string;
}

/** Facts of a listing in all countries, from this day until its next override. */
export interface ReleaseOverride {
  store: StoreName;
  storeAppId: string;
  day: UtcDay;
  fields: {
    title?: string;
    subtitle?: string;
    description?: string;
    version?: string;
    priceMicros?: number;
    rating?: number;
  };
}

/** An app that is not in the results before the day, and at this position from then on. */
export interface EntrantOverride {
  store: StoreName;
  phrase: string;
  country: string;
  day: UtcDay;
  storeAppId: string;
  /** 1-based. */
  position: number;
}

/**
 * The position of an app from the day on, until its next override; null takes it out of the
 * results.
 */
export interface PositionOverride extends Omit<EntrantOverride, 'position'> {
  position: number | null;
}

/** From the day on, a share of all places of every market, 0–1, has other apps. */
export interface RerankingOverride {
  day: UtcDay;
  share: number;
}

export interface Overrides {
  reviews?: readonly ReviewOverride[];
  releases?: readonly ReleaseOverride[];
  entrants?: readonly EntrantOverride[];
  positions?: readonly PositionOverride[];
  rerankings?: readonly RerankingOverride[];
}

/** Changes to the world by tests, which make something happen on a certain day. */
export function createOverrideStore() {
  const nothing = (): Required<Overrides> => ({
    reviews: [],
    releases: [],
    entrants: [],
    positions: [],
    rerankings: [],
  });
  let current = nothing();
  let version = 0;
  return {
    add(added: Overrides) {
      const { reviews = [], releases = [], entrants = [], positions = [], rerankings = [] } = added;
      current = {
        rerankings: [...current.rerankings, ...rerankings],
        reviews: [...current.reviews, ...reviews],
        releases: [...current.releases, ...releases].sort((a, b) => (a.day < b.day ? -1 : 1)),
        entrants: [...current.entrants, ...entrants],
        positions: [...current.positions, ...positions].sort((a, b) => (a.day < b.day ? -1 : 1)),
      };
      version++;
    },
    clear() {
      current = nothing();
      version++;
    },
    list: (): Required<Overrides> => current,
    /** Changes when cached content may be out of date. */
    version: () => version,
    reviewsOf: (app: SimApp, country: string): ReviewOverride[] =>
      current.reviews.filter(
        (review) => isOf(review, app) && app.traits.reviewsCountryOf(review.country) === country,
      ),
    /** The share of places that have other apps by this day; 0 for none. */
    rerankedShare: (day: UtcDay): number =>
      Math.max(0, ...current.rerankings.filter((one) => one.day <= day).map(({ share }) => share)),
    hasReleases: (): boolean => current.releases.length > 0,
    /** Releases up to the day, oldest first. */
    releaseOverridesOf: (app: SimApp, day: UtcDay): ReleaseOverride[] =>
      current.releases.filter((release) => isOf(release, app) && release.day <= day),
    /** The overridden positions of a market by store id; null means not in the results. */
    positionOverridesOf(
      market: { store: StoreName; phrase: string; country: string },
      day: UtcDay,
    ): ReadonlyMap<string, number | null> {
      const isOfMarket = (override: PositionOverride) =>
        override.store === market.store &&
        override.country === market.country &&
        normalizePhrase(override.phrase) === market.phrase;
      const entrants = current.entrants
        .filter(isOfMarket)
        .map(
          (entrant) => [entrant.storeAppId, entrant.day <= day ? entrant.position : null] as const,
        );
      const positions = current.positions.filter(
        (override) => isOfMarket(override) && override.day <= day,
      );
      return new Map([
        ...entrants,
        ...positions.map(({ storeAppId, position }) => [storeAppId, position] as const),
      ]);
    },
  };
}

function isOf(override: { store: StoreName; storeAppId: string }, app: SimApp): boolean {
  return override.store === app.store && override.storeAppId === app.storeAppId;
}

/** The listing with the overrides of its releases applied, oldest first. */
export function withReleaseOverrides(
  listing: SimListing,
  releases: readonly ReleaseOverride[],
): SimListing {
  const changed = { ...listing };
  for (const { day, fields } of releases) {
    const { version, priceMicros, rating, ...texts } = fields;
    Object.assign(changed, texts);
    if (rating !== undefined) rate(changed, rating);
    if (priceMicros !== undefined) changed.priceCents = Math.round(priceMicros / 10_000);
    if (version === undefined) continue;
    changed.version = version;
    changed.updatedOn = Math.round(startOfDayMs(day) / 86_400_000);
  }
  return changed;
}

/**
 * Divides the same number of ratings between five stars and one star, so that their mean is as near
 * to `rating` as possible.
 */
function rate(listing: SimListing, rating: number): void {
  const count = listing.ratingCount ?? 0;
  const fives = Math.round((count * (rating - 1)) / 4);
  listing.histogram = [fives, 0, 0, 0, count - fives];
  listing.rating =
    count === 0 ? null : Math.round(((5 * fives + (count - fives)) / count) * 100_000) / 100_000;
}

/** The order with the overridden apps moved to their positions, or taken out. */
export function withPositionOverrides(
  ranked: readonly SimApp[],
  positions: ReadonlyMap<string, number | null>,
  findApp: (storeAppId: string) => SimApp | null,
): readonly SimApp[] {
  if (positions.size === 0) return ranked;
  const order = ranked.filter((app) => !positions.has(app.storeAppId));
  for (const [storeAppId, position] of [...positions].sort(([, a], [, b]) => (a ?? 0) - (b ?? 0))) {
    const app = position === null ? null : findApp(storeAppId);
    if (app !== null) order.splice(position! - 1, 0, app);
  }
  return order.slice(0, Math.max(ranked.length, positions.size));
}
