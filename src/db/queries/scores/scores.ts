import { sql } from 'kysely';
import type { StoreName } from '#stores/profiles.ts';
import type { Db, Tx } from '#db/database.ts';
import type { Row } from '#db/row.ts';
import { packProvenance, unpackProvenance } from './packed-provenance.ts';
import { nameIn } from '../listings/listing-names.ts';
import { listKeptSerps, type KeptSerp } from '../serp-chains/kept-serps.ts';

/** Of a response: the position of the phrase, and since version 2 counts of the suggestions. */
type StoredOffer = [
  prefix: string,
  position: number | null,
  shown?: number,
  continuing?: number,
  plural?: number,
];

export interface EvidenceRow {
  marketId: number;
  store: StoreName;
  country: string;
  phrase: string;
  serp: {
    date: string;
    resultCount: number;
    ended: 'depth' | 'exhausted' | 'truncated';
    ids: Buffer;
    strengths: Buffer;
  } | null;
  hints: { date: string; offered: StoredOffer[] } | null;
}

interface EvidenceColumns extends Omit<EvidenceRow, 'serp' | 'hints'> {
  serpDate: string | null;
  hintsDate: string | null;
  offered: StoredOffer[];
}

const topBytes = 80;

/** The newest stored results (the first 20 positions) and hints of markets. Public facts only. */
export async function listEvidence(
  db: Db | Tx,
  marketIds: readonly number[],
): Promise<EvidenceRow[]> {
  const { rows } = await sql<
    Row<'score-evidence', EvidenceColumns, 'store' | 'offered'>
  >`/* score-evidence */
    select m.id as "marketId", m.store, m.country, m.phrase,
      coalesce((select p.on_date from serps p where p.market_id = m.id
        order by p.on_date desc limit 1), l.on_date) as "serpDate",
      h.on_date as "hintsDate", h.offered
    from markets m
    left join last_serps l on l.market_id = m.id
    left join hint_evidence h on h.market_id = m.id
    where m.id = any(${[...marketIds]}::int[]) order by m.id`.execute(db);
  const serps = await listKeptSerps(
    db,
    rows.flatMap(({ marketId, serpDate: date }) => (date === null ? [] : [{ marketId, date }])),
  );
  const newest = new Map(serps.map((serp) => [serp.marketId, serp]));
  return rows.map(({ serpDate: _serpDate, hintsDate, offered, ...market }) => ({
    ...market,
    serp: toTop(newest.get(market.marketId)),
    hints: hintsDate === null ? null : { date: hintsDate, offered },
  }));
}

function toTop(serp: KeptSerp | undefined): EvidenceRow['serp'] {
  if (serp === undefined) return null;
  const { date, resultCount, ended, ids, strengths } = serp;
  return { date, resultCount, ended, ids: ids.subarray(0, topBytes), strengths };
}

export interface TopListing {
  id: number;
  country: string;
  name: string | null;
  developer: string | null;
  /** In the store's own format. */
  releasedAt: string | null;
}

/** Listings as a country shows them: from their newest snapshot there, or else from their card. */
export async function listTopListings(
  db: Db | Tx,
  listings: readonly { id: number; country: string }[],
): Promise<TopListing[]> {
  const { rows } = await sql<Row<'score-listings', TopListing, 'country'>>`/* score-listings */
    select l.id, w.country, coalesce(s.name, ${nameIn(sql`w.country`)}) as name, l.developer,
      s."releasedAt"
    from unnest(${listings.map((listing) => listing.id)}::int[],
      ${listings.map((listing) => listing.country)}::text[]) as w(id, country)
    join listings l on l.id = w.id
    left join lateral (
      select fields->>'name' as name, fields->>'releasedAt' as "releasedAt"
      from snapshots where listing_id = l.id and country = w.country order by id desc limit 1
    ) s on true`.execute(db);
  return rows;
}

export interface NewestScore {
  id: number;
  marketId: number;
  scoredAt: Date;
  observedOn: string;
  traffic: number | null;
  difficulty: number | null;
  provenance: unknown;
}

/**
 * The newest score of markets with its provenance; those without one are omitted. The caller must
 * check who may see it.
 */
export async function listNewestScores(
  tx: Tx,
  marketIds: readonly number[],
): Promise<NewestScore[]> {
  const { rows } = await sql<Row<'newest-scores', Stored<NewestScore>>>`/* newest-scores */
    select s.id::float8 as id, s.market_id as "marketId", s.scored_at as "scoredAt",
      s.observed_on as "observedOn", s.traffic, s.difficulty, p.provenance, p.packed
    from market_scores m join scores s on s.id = m.score_id
      join market_provenance p on p.market_id = m.market_id
    where m.market_id = any(${[...marketIds]}::int[])`.execute(tx);
  return rows.map(withProvenance);
}

/** A row with one of the two forms of its provenance. */
export type Stored<Of extends { provenance: unknown }> = Of & { packed: Buffer | null };

export const withProvenance = <Of extends { provenance: unknown }>({
  packed,
  ...row
}: Stored<Of>): Omit<Of, 'packed'> =>
  packed === null ? row : { ...row, provenance: unpackProvenance(packed) };

export interface ChartRow {
  store: StoreName;
  country: string;
  ids: Buffer;
}

/** The newest reading of each chart of the countries, from `since` on. */
export async function listRecentCharts(
  db: Db | Tx,
  where: readonly { store: StoreName; country: string }[],
  since: string,
): Promise<ChartRow[]> {
  const { rows } = await sql<Row<'score-charts', ChartRow, 'store'>>`/* score-charts */
    select c.store, c.country, newest.ids
    from unnest(${where.map((storefront) => storefront.store)}::text[],
      ${where.map((storefront) => storefront.country)}::text[]) as w(store, country)
    join store_tasks c on c.store = w.store and c.kind = 'chart' and c.country = w.country
    join lateral (select ids from charts where store_task_id = c.id and on_date >= ${since}::date
      order by on_date desc limit 1) newest on true`.execute(db);
  return rows;
}

const writingLock = 7_470_733;

/** Serializes the writers of scores, whose ids are in the order of their instants. */
export async function lockScores(tx: Tx): Promise<void> {
  await sql`select pg_advisory_xact_lock(${writingLock}::bigint)`.execute(tx);
}

export interface NewScore {
  marketId: number;
  /** The oldest day of its evidence. */
  observedOn: string;
  serpOn: string | null;
  traffic: number | null;
  difficulty: number | null;
  formula: string;
  confidence: string;
  /** Null for an estimate. */
  trafficBasis: 'published' | 'bound' | null;
  /** Only of a score with low confidence. */
  trafficRange: { low: number; high: number } | null;
  difficultyRange: { low: number; high: number } | null;
  provenance: object;
}

/**
 * Inserts scores and updates their copies for lists. The provenance of the score before moves to
 * its month. A score equal to the market's newest one from the same evidence is skipped, so
 * repeated and concurrent calls change nothing; writers are serialized. Returns how many were new.
 */
export async function insertScores(
  tx: Tx,
  scores: readonly NewScore[],
  scoredAt: Date,
): Promise<number> {
  await lockScores(tx);
  const given = scores.map((score) => ({
    ...score,
    packed: `\\x${packProvenance(score.provenance).toString('hex')}`,
  }));
  const { rows } = await sql`/* insert-scores */
    with given as (
      select * from jsonb_to_recordset(${JSON.stringify(given)}::jsonb)
        as g("marketId" int, "observedOn" date, "serpOn" date,
        traffic smallint, difficulty smallint, formula text, confidence text, "trafficBasis" text,
        "trafficRange" jsonb, "difficultyRange" jsonb, provenance jsonb, packed bytea)
    ), inserted as (
      insert into scores (market_id, scored_at, observed_on, traffic, difficulty, formula)
      select g."marketId", ${scoredAt}, g."observedOn", g.traffic, g.difficulty, g.formula
      from given g left join market_scores m on m.market_id = g."marketId"
        left join market_provenance p on p.market_id = g."marketId"
      where m.market_id is null
        or case when p.packed is null then p.provenance is distinct from g.provenance
          else p.packed <> g.packed end
        or m.traffic is distinct from g.traffic
        or m.difficulty is distinct from g.difficulty
      order by g."marketId"
      returning id, market_id
    ), moved as (
      insert into score_provenance (score_id, scored_on, provenance, packed)
      select m.score_id, (m.scored_at at time zone 'UTC')::date, p.provenance, p.packed
      from inserted i join market_scores m on m.market_id = i.market_id
        join market_provenance p on p.market_id = i.market_id
      on conflict do nothing
    ), newest as (
      insert into market_provenance as p (market_id, packed)
      select i.market_id, g.packed
      from inserted i join given g on g."marketId" = i.market_id order by i.market_id
      on conflict (market_id) do update set provenance = null, packed = excluded.packed
    )
    insert into market_scores as m (market_id, score_id, scored_at, observed_on, serp_on, traffic,
      difficulty, confidence, traffic_basis, traffic_low, traffic_high, difficulty_low,
      difficulty_high)
    select i.market_id, i.id, ${scoredAt}, g."observedOn", g."serpOn", g.traffic, g.difficulty,
      g.confidence, g."trafficBasis", (g."trafficRange"->>'low')::smallint,
      (g."trafficRange"->>'high')::smallint,
      (g."difficultyRange"->>'low')::smallint, (g."difficultyRange"->>'high')::smallint
    from inserted i join given g on g."marketId" = i.market_id order by i.market_id
    on conflict (market_id) do update set score_id = excluded.score_id,
      scored_at = excluded.scored_at, observed_on = excluded.observed_on,
      serp_on = excluded.serp_on, traffic = excluded.traffic, difficulty = excluded.difficulty,
        confidence = excluded.confidence, traffic_basis = excluded.traffic_basis,
        traffic_low = excluded.traffic_low,
        traffic_high = excluded.traffic_high, difficulty_low = excluded.difficulty_low,
        difficulty_high = excluded.difficulty_high
    where excluded.score_id > m.score_id
    returning m.market_id`.execute(tx);
  return rows.length;
}

export interface MarketName {
  id: number;
  store: StoreName;
  country: string;
  phrase: string;
}

export async function findMarketName(
  db: Db | Tx,
  marketId: number,
): Promise<MarketName | undefined> {
  const { rows } = await sql<Row<'find-market-name', MarketName, 'store'>>`
      select id, store, country, phrase from markets where id = ${marketId}`.execute(db);
  return rows[0];
}

/** The last reading replaces the one before. */
export async function upsertHints(
  db: Db,
  hints: { marketId: number; day: string; offered: readonly StoredOffer[] },
): Promise<void> {
  await sql`
    insert into hint_evidence (market_id, on_date, offered)
      values (${hints.marketId}, ${hints.day}, ${JSON.stringify(hints.offered)}::jsonb)
    on conflict (market_id) do update set on_date = excluded.on_date, offered = excluded.offered
    where excluded.on_date >= hint_evidence.on_date`.execute(db);
}
