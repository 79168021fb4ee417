import { sql } from 'kysely';
import { storeProfiles, type PopularityGenre, type StoreName } from '#stores/profiles.ts';
import type { Db, Tx } from '#db/database.ts';
import type { Row } from '#db/row.ts';
import type { Granularity, PopularitySource } from './sets.ts';

/** The published popularity of a market in the newest period of its country. */
export interface PublishedRow {
  marketId: number;
  setId: number;
  granularity: Granularity;
  /** The first day of the period. */
  period: string;
  source: PopularitySource;
  /** 1–100; null when the phrase is not listed. */
  popularity: number | null;
  rankInGenre: number | null;
  /** The genre in which it is listed, where it has its highest popularity. */
  genre: PopularityGenre | null;
}

const counted = storeProfiles.flatMap(({ id, popularity }) =>
  (popularity?.devices ?? []).map((device) => ({ store: id, device })),
);

/**
 * The published popularity of markets, whatever their number, in one statement. Markets of stores
 * and devices that publish none, and of countries without data, are omitted.
 */
export async function listPublished(
  tx: Db | Tx,
  marketIds: readonly number[],
): Promise<PublishedRow[]> {
  const { rows } = await sql<
    Row<'published-popularity', PublishedRow, 'granularity' | 'source' | 'genre'>
  >`/* published-popularity */
    with market as (
      select m.id, m.country, m.phrase from markets m
      join unnest(${counted.map(({ store }) => store)}::text[],
        ${counted.map(({ device }) => device)}::text[]) as c(store, device)
        on c.store = m.store and c.device = m.device
      where m.id = any(${[...marketIds]}::int[])
    ), newest as (
      select w.country, s.id, s.granularity, s.period, s.source
      from (select distinct country from market) w
      join lateral (
        select * from popularity_sets s where s.state = 'active' and s.country = w.country
        order by s.period desc, s.granularity desc limit 1
      ) s on true
    )
    select m.id as "marketId", n.id as "setId", n.granularity, n.period, n.source,
      p.popularity, p.rank as "rankInGenre", g.code as genre
    from market m join newest n on n.country = m.country
    left join lateral (
      select * from popularity p where p.set_id = n.id and p.term = m.phrase
      order by p.popularity desc, p.rank limit 1
    ) p on true
    left join popularity_genres g on g.id = p.genre`.execute(tx);
  return rows;
}

export interface BoundRow {
  marketId: number;
  /** The most frequent genre of the first ten stored results; null when it is unknown. */
  genre: PopularityGenre | null;
  /** The lowest popularity listed in the genre; without one the highest of these numbers. */
  atMost: number;
}

const categories = storeProfiles.flatMap(({ id: store, popularity }) =>
  Object.entries(popularity?.categories ?? {}).flatMap(([genre, ids]) =>
    ids.split(' ').map((id) => ({ store, id, genre })),
  ),
);

/**
 * Common table expressions: the most frequent genre of the first ten stored results of markets in
 * `requested` (market_id, has_results), as `majority` (market_id, genre).
 */
const genresOfRequested = sql`category as (
      select c.store, c.id, g.id as genre
      from unnest(${categories.map(({ store }) => store)}::text[],
        ${categories.map(({ id }) => id)}::text[],
        ${categories.map(({ genre }) => genre)}::text[]) as c(store, id, code)
      join popularity_genres g on g.code = c.code
    ), result as (
      select r.market_id, m.store, m.country, rank.number,
        (get_byte(l.ids, rank.number * 4) << 24) + (get_byte(l.ids, rank.number * 4 + 1) << 16)
          + (get_byte(l.ids, rank.number * 4 + 2) << 8) + get_byte(l.ids, rank.number * 4 + 3)
          as listing_id
      from requested r join markets m on m.id = r.market_id
      join last_serps l on l.market_id = m.id
      cross join lateral generate_series(0, least(length(l.ids) / 4, 10) - 1) as rank(number)
      where r.has_results
    ), majority as (
      select distinct on (t.market_id) t.market_id, c.genre
      from result t
      join lateral (
        select fields->>'categoryId' as category from snapshots s
        where s.listing_id = t.listing_id and s.country = t.country order by s.id desc limit 1
      ) s on true
      join category c on c.store = t.store and c.id = s.category
      group by t.market_id, c.genre
      order by t.market_id, count(*) desc, min(t.number)
    )`;

/**
 * The bounds of markets that are not listed in a set. The genre is that of the stored results where
 * `hasResults` is true: whether others track a market must not be visible.
 */
export async function listBounds(
  tx: Db | Tx,
  markets: readonly { marketId: number; setId: number; hasResults: boolean }[],
): Promise<BoundRow[]> {
  const { rows } = await sql<Row<'popularity-bounds', BoundRow, 'marketId' | 'genre' | 'atMost'>>`
    /* popularity-bounds */
    with requested as (
      select * from unnest(${markets.map(({ marketId }) => marketId)}::int[],
        ${markets.map(({ setId }) => setId)}::int[],
        ${markets.map(({ hasResults }) => hasResults)}::boolean[])
        as r(market_id, set_id, has_results)
    ), ${genresOfRequested}
    select r.market_id as "marketId", g.code as genre,
      coalesce(own.floor, (select max(floor) from popularity_floors f where f.set_id = r.set_id))
        as "atMost"
    from requested r
    left join majority m on m.market_id = r.market_id
    left join popularity_floors own on own.set_id = r.set_id and own.genre = m.genre
    left join popularity_genres g on g.id = own.genre
    where exists (select from popularity_floors f where f.set_id = r.set_id)`.execute(tx);
  return rows;
}

/** The genres of markets by their stored results; markets whose genre is unknown are omitted. */
export async function listGenresOfResults(
  db: Db,
  marketIds: readonly number[],
): Promise<{ marketId: number; genre: PopularityGenre }[]> {
  const { rows } = await sql<
    Row<'genres-of-results', { marketId: number; genre: PopularityGenre }, 'marketId' | 'genre'>
  >`/* genres-of-results */
    with requested as (
      select market_id, true as has_results from unnest(${[...marketIds]}::int[]) as r(market_id)
    ), ${genresOfRequested}
    select m.market_id as "marketId", g.code as genre
    from majority m join popularity_genres g on g.id = m.genre`.execute(db);
  return rows;
}

export interface CountedMarket {
  marketId: number;
  store: StoreName;
  phrase: string;
}

/**
 * One market of each phrase in a country whose searches a store counts, one with hints if there is
 * one.
 */
export async function listCountedMarkets(db: Db, country: string): Promise<CountedMarket[]> {
  const { rows } = await sql<Row<'counted-markets', CountedMarket, 'store'>>`/* counted-markets */
    select distinct on (m.store, m.phrase) m.id as "marketId", m.store, m.phrase
    from unnest(${counted.map(({ store }) => store)}::text[],
      ${counted.map(({ device }) => device)}::text[]) as c(store, device)
    join markets m on m.store = c.store and m.device = c.device and m.country = ${country}
    left join hint_evidence h on h.market_id = m.id
    order by m.store, m.phrase, h.market_id is null, m.id`.execute(db);
  return rows;
}
