import {
  listEvidence,
  listRecentCharts,
  listTopListings,
  type EvidenceRow,
  type TopListing,
} from '#db/queries/scores/scores.ts';
import type { Db, Tx } from '#db/database.ts';
import { addDays, isUtcDay, type UtcDay } from '#lib/dates.ts';
import type { StorefrontListing } from '#db/queries/listings/listing-ratings.ts';
import type { StoreName } from '#domain/base/ports.ts';
import { loadRatings } from '#domain/tracking/listings/storefront-ratings.ts';
import {
  loadPublished,
  type PublishedPopularity,
} from '#domain/tracking/popularity/load-published.ts';
import { unpackIds, unpackStrengths, type Strength } from '#domain/tracking/rankings/pack-serp.ts';
import type { MarketEvidence, SerpEvidence, TopApp } from './evidence.ts';
import { chartMaxAgeDays, difficultyFormulas, readPositions } from './formulas.ts';
import { toWords } from './title-match.ts';

/**
 * Stored evidence of markets, by id, in the form that both formulas read. Six statements for any
 * number; queries no store.
 */
export async function readEvidence(
  db: Db | Tx,
  marketIds: readonly number[],
  asOf: UtcDay,
): Promise<Map<number, MarketEvidence>> {
  const rows = await listEvidence(db, marketIds);
  const shown = listShown(rows);
  const listings = await readListings(db, shown);
  const ratingsOn = await loadRatings(db, shown, { from: asOf, to: asOf });
  const charts = await readChartPositions(db, rows, asOf);
  const published = await readPublished(db, marketIds, asOf);
  return new Map(
    rows.map((row) => {
      const positions = charts.get(storefrontKey(row)) ?? null;
      const toTop = (id: number, strength: Strength | null | undefined) =>
        toTopApp(row.store, strength, {
          listing: listings.get(listingKey(id, row.country)),
          knownCount: ratingsOn({ id, country: row.country }, asOf)?.ratingCount ?? null,
          chartPosition: positions?.get(id),
        });
      return [
        row.marketId,
        {
          store: row.store,
          country: row.country,
          phrase: toWords(row.phrase),
          asOf,
          serp: row.serp && getSerp(row.serp, toTop),
          hints: row.hints,
          chartsKnown: positions !== null,
          ...(published.get(row.marketId) ?? unpublished),
        },
      ];
    }),
  );
}

type Popularity = Pick<MarketEvidence, 'popularity' | 'popularityBound' | 'publishedList'>;

/** A month of which nothing newer was imported says little about today. */
const publishedMaxAgeDays = 120;
const unpublished: Popularity = { popularity: null, popularityBound: null };

/** The numbers that a store publishes for phrases, or else the bounds that its lists prove. */
async function readPublished(
  db: Db | Tx,
  marketIds: readonly number[],
  asOf: UtcDay,
): Promise<Map<number, Popularity>> {
  const markets = marketIds.map((marketId) => ({ marketId, hasResults: true }));
  const published = await loadPublished(db, markets);
  return new Map([...published].map(([marketId, found]) => [marketId, toPopularity(found, asOf)]));
}

/** The published number or bound as evidence of a day, which counts unless it is too old. */
export function toPopularity(published: PublishedPopularity | undefined, asOf: UtcDay): Popularity {
  if (!published || published.period < addDays(asOf, -publishedMaxAgeDays)) return unpublished;
  const { popularity, atMost, genre, granularity, period, source } = published;
  return {
    popularity: popularity === null ? null : { popularity, genre, period },
    popularityBound: atMost,
    publishedList: { genre, granularity, period, source },
  };
}

type ListingWords = Pick<TopApp, 'title' | 'developer' | 'releasedOn'>;

const listingKey = (id: number, country: string): string => `${country} ${id}`;
const storefrontKey = ({ store, country }: { store: string; country: string }): string =>
  `${store} ${country}`;

/** The same apps appear in many markets. */
function listShown(rows: readonly EvidenceRow[]): StorefrontListing[] {
  const shown = new Map<string, StorefrontListing>();
  for (const { serp, country } of rows) {
    for (const id of serp ? unpackIds(serp.ids) : [])
      shown.set(listingKey(id, country), { id, country });
  }
  return [...shown.values()];
}

/** Each title is split into words once. */
async function readListings(
  db: Db | Tx,
  shown: readonly StorefrontListing[],
): Promise<Map<string, ListingWords>> {
  const listings = await listTopListings(db, shown);
  return new Map(
    listings.map((listing) => [listingKey(listing.id, listing.country), toListingWords(listing)]),
  );
}

export function toListingWords({
  name,
  developer,
  releasedAt,
}: Omit<TopListing, 'id' | 'country'>): ListingWords {
  const day = releasedAt?.slice(0, 10) ?? '';
  return {
    title: toWords(name ?? ''),
    developer: toWords(developer ?? ''),
    releasedOn: isUtcDay(day) ? day : null,
  };
}

/** By store and country: each listing's best position in any of the charts. */
export async function readChartPositions(
  db: Db | Tx,
  where: readonly { store: StoreName; country: string }[],
  asOf: UtcDay,
): Promise<Map<string, Map<number, number>>> {
  const countries = new Map(
    where.map(({ store, country }) => [storefrontKey({ store, country }), { store, country }]),
  );
  const since = addDays(asOf, -chartMaxAgeDays);
  const charts = new Map<string, Map<number, number>>();
  for (const chart of await listRecentCharts(db, [...countries.values()], since)) {
    const best = charts.get(storefrontKey(chart)) ?? new Map<number, number>();
    unpackIds(chart.ids).forEach((id, index) =>
      best.set(id, Math.min(index + 1, best.get(id) ?? Number.MAX_SAFE_INTEGER)),
    );
    charts.set(storefrontKey(chart), best);
  }
  return charts;
}

type Serp = NonNullable<EvidenceRow['serp']>;

function getSerp(
  serp: Serp,
  toTop: (id: number, strength: Strength | null | undefined) => TopApp,
): SerpEvidence {
  const kept = unpackStrengths(serp.strengths);
  const top = unpackIds(serp.ids)
    .slice(0, readPositions)
    .map((id, index) => toTop(id, kept[index]));
  return toSerp(serp, top);
}

/** `top` has the first results, as many as count if there are that many. */
export function toSerp(
  { date, resultCount, ended }: Pick<Serp, 'date' | 'resultCount' | 'ended'>,
  top: TopApp[],
): SerpEvidence {
  const isWhole = ended === 'exhausted' && resultCount <= top.length;
  return { date, resultCount, top, positions: isWhole ? readPositions : top.length };
}

const unknownListing = toListingWords({ name: null, developer: null, releasedAt: null });

/**
 * The day's own numbers; where the results show no rating count, the one that is known in the
 * country. A result that shows no ratings in a store that shows all has none, whatever was known.
 */
export function toTopApp(
  store: StoreName,
  strength: Strength | null | undefined,
  of: {
    listing: ListingWords | undefined;
    knownCount: number | null;
    chartPosition: number | undefined;
  },
): TopApp {
  const { title, developer, releasedOn } = of.listing ?? unknownListing;
  const { unknownRatingsAreNone } = difficultyFormulas[store].normalisations;
  const isUnrated = strength?.rating === null && unknownRatingsAreNone;
  return {
    title,
    developer,
    releasedOn,
    rating: strength?.rating ?? null,
    ratingCount: strength?.ratingCount ?? (isUnrated ? null : of.knownCount),
    ...(strength === null && { isUnread: true }),
    chartPosition: of.chartPosition ?? null,
  };
}
