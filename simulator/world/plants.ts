import { startOfDayMs, type UtcDay } from '../../src/lib/dates.ts';
import type { StoreName } from '../store-name.ts';
import type { SimApp } from './apps.ts';
import type { SimListing } from './listing.ts';
import { normalizePhrase } from './ranking.ts';

/** A review somebody wants to be there; the same id planted again with a later `at` is an edit. */
export interface PlantedReview {
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

/** Facts of a listing in every country from this day on, until they are planted anew. */
export interface PlantedRelease {
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

/** An app that is in no answer for the phrase before the day, and at this place from then on. */
export interface PlantedEntrant {
  store: StoreName;
  phrase: string;
  country: string;
  day: UtcDay;
  storeAppId: string;
  /** 1-based. */
  position: number;
}

/** Where an app stands for the phrase from the day on, until it is planted anew; null: nowhere. */
export interface PlantedPlace extends Omit<PlantedEntrant, 'position'> {
  position: number | null;
}

export interface Planting {
  reviews?: readonly PlantedReview[];
  releases?: readonly PlantedRelease[];
  entrants?: readonly PlantedEntrant[];
  places?: readonly PlantedPlace[];
}

export type Plants = ReturnType<typeof createPlants>;

/** What tests add to the invented world, so that a certain thing happens on a certain day. */
export function createPlants() {
  const nothing = (): Required<Planting> => ({
    reviews: [],
    releases: [],
    entrants: [],
    places: [],
  });
  let planted = nothing();
  let version = 0;
  return {
    add({ reviews = [], releases = [], entrants = [], places = [] }: Planting) {
      planted = {
        reviews: [...planted.reviews, ...reviews],
        releases: [...planted.releases, ...releases].sort((a, b) => (a.day < b.day ? -1 : 1)),
        entrants: [...planted.entrants, ...entrants],
        places: [...planted.places, ...places].sort((a, b) => (a.day < b.day ? -1 : 1)),
      };
      version++;
    },
    clear() {
      planted = nothing();
      version++;
    },
    list: (): Required<Planting> => planted,
    /** Changes whenever something kept may be out of date. */
    version: () => version,
    reviewsOf: (app: SimApp, country: string): PlantedReview[] =>
      planted.reviews.filter((review) => isOf(review, app) && review.country === country),
    hasReleases: (): boolean => planted.releases.length > 0,
    /** Releases up to the day, the oldest first. */
    releasesOf: (app: SimApp, day: UtcDay): PlantedRelease[] =>
      planted.releases.filter((release) => isOf(release, app) && release.day <= day),
    /** Who stands where by planting, whatever the market says: null is nowhere. */
    standingsOf(
      market: { store: StoreName; phrase: string; country: string },
      day: UtcDay,
    ): ReadonlyMap<string, number | null> {
      const isOfMarket = (place: PlantedPlace) =>
        place.store === market.store &&
        place.country === market.country &&
        normalizePhrase(place.phrase) === market.phrase;
      const entrants = planted.entrants
        .filter(isOfMarket)
        .map(
          (entrant) => [entrant.storeAppId, entrant.day <= day ? entrant.position : null] as const,
        );
      const places = planted.places.filter((place) => isOfMarket(place) && place.day <= day);
      return new Map([
        ...entrants,
        ...places.map((place) => [place.storeAppId, place.position] as const),
      ]);
    },
  };
}

function isOf(planted: { store: StoreName; storeAppId: string }, app: SimApp): boolean {
  return planted.store === app.store && planted.storeAppId === app.storeAppId;
}

/** The listing as its planted releases have left it. */
export function withReleases(listing: SimListing, releases: readonly PlantedRelease[]): SimListing {
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

/** The same number of ratings, of five stars and of one, so many of each that they come to `rating` as nearly as can be. */
function rate(listing: SimListing, rating: number): void {
  const count = listing.ratingCount ?? 0;
  const fives = Math.round((count * (rating - 1)) / 4);
  listing.histogram = [fives, 0, 0, 0, count - fives];
  listing.rating =
    count === 0 ? null : Math.round(((5 * fives + (count - fives)) / count) * 100_000) / 100_000;
}

/** The order with those taken out whose standing is planted, and put in where it is. */
export function withStandings(
  ranked: readonly SimApp[],
  standings: ReadonlyMap<string, number | null>,
  findApp: (storeAppId: string) => SimApp | null,
): readonly SimApp[] {
  if (standings.size === 0) return ranked;
  const order = ranked.filter((app) => !standings.has(app.storeAppId));
  for (const [storeAppId, position] of [...standings].sort(([, a], [, b]) => (a ?? 0) - (b ?? 0))) {
    const app = position === null ? null : findApp(storeAppId);
    if (app !== null) order.splice(position! - 1, 0, app);
  }
  return order.slice(0, Math.max(ranked.length, standings.size));
}
