import type { UtcDay } from '../../src/lib/dates.ts';
import { startOfDayMs } from '../../src/lib/dates.ts';
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
  fields: { title?: string; subtitle?: string; description?: string; version?: string; priceMicros?: number };
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

export interface Planting {
  reviews?: readonly PlantedReview[];
  releases?: readonly PlantedRelease[];
  entrants?: readonly PlantedEntrant[];
}

export type Plants = ReturnType<typeof createPlants>;

/** What tests add to the invented world, so that a certain thing happens on a certain day. */
export function createPlants() {
  let planted = { reviews: [] as PlantedReview[], releases: [] as PlantedRelease[], entrants: [] as PlantedEntrant[] };
  let version = 0;
  return {
    add({ reviews = [], releases = [], entrants = [] }: Planting) {
      planted = {
        reviews: [...planted.reviews, ...reviews],
        releases: [...planted.releases, ...releases].sort((a, b) => (a.day < b.day ? -1 : 1)),
        entrants: [...planted.entrants, ...entrants],
      };
      version++;
    },
    clear() {
      planted = { reviews: [], releases: [], entrants: [] };
      version++;
    },
    list: (): Required<Planting> => planted,
    /** Changes whenever something kept may be out of date. */
    version: () => version,
    reviewsOf: (app: SimApp, country: string): PlantedReview[] => planted.reviews.filter((review) => isOf(review, app) && review.country === country),
    hasReleases: (): boolean => planted.releases.length > 0,
    /** Releases up to the day, the oldest first. */
    releasesOf: (app: SimApp, day: UtcDay): PlantedRelease[] => planted.releases.filter((release) => isOf(release, app) && release.day <= day),
    entrantsOf: (market: { store: StoreName; phrase: string; country: string }): PlantedEntrant[] =>
      planted.entrants.filter(
        (entrant) => entrant.store === market.store && entrant.country === market.country && normalizePhrase(entrant.phrase) === market.phrase,
      ),
  };
}

function isOf(planted: { store: StoreName; storeAppId: string }, app: SimApp): boolean {
  return planted.store === app.store && planted.storeAppId === app.storeAppId;
}

/** The listing as its planted releases have left it. */
export function withReleases(listing: SimListing, releases: readonly PlantedRelease[]): SimListing {
  const changed = { ...listing };
  for (const { day, fields } of releases) {
    const { version, priceMicros, ...texts } = fields;
    Object.assign(changed, texts);
    if (priceMicros !== undefined) changed.priceCents = Math.round(priceMicros / 10_000);
    if (version === undefined) continue;
    changed.version = version;
    changed.updatedOn = Math.round(startOfDayMs(day) / 86_400_000);
  }
  return changed;
}

/** The order with its entrants: each is taken out, and put in at its place once its day has come. */
export function withEntrants(
  ranked: readonly SimApp[],
  entrants: readonly PlantedEntrant[],
  day: UtcDay,
  findApp: (storeAppId: string) => SimApp | null,
): readonly SimApp[] {
  if (entrants.length === 0) return ranked;
  const strangers = new Set(entrants.map((entrant) => entrant.storeAppId));
  const order = ranked.filter((app) => !strangers.has(app.storeAppId));
  for (const entrant of [...entrants].sort((a, b) => a.position - b.position)) {
    const app = entrant.day <= day ? findApp(entrant.storeAppId) : null;
    if (app !== null) order.splice(entrant.position - 1, 0, app);
  }
  return order.slice(0, Math.max(ranked.length, entrants.length));
}
