import { sql } from 'kysely';
import type { popularityMovements } from '#contract/choices.ts';
import type { PopularityGenre } from '#stores/profiles.ts';
import type { Tx } from '#db/database.ts';
import type { Row } from '#db/row.ts';
import type { Granularity, PopularitySource } from './sets.ts';

export interface PopularitySetRow {
  id: number;
  country: string;
  granularity: Granularity;
  period: string;
  source: PopularitySource;
  terms: number;
  genres: number;
  importedAt: Date;
}

/** Lists the stored sets, the newest periods first. */
export async function listPopularitySets(
  tx: Tx,
  country: string | null,
): Promise<PopularitySetRow[]> {
  const { rows } = await sql<
    Row<'list-popularity-sets', PopularitySetRow, 'granularity' | 'source'>
  >`/* list-popularity-sets */
    select s.id, s.country, s.granularity, s.period, s.source, s.terms,
      (select count(*)::int from popularity_floors f where f.set_id = s.id) as genres,
      s.created_at as "importedAt"
    from popularity_sets s
    where s.state = 'active' and (${country}::text is null or s.country = ${country})
    order by s.period desc, s.granularity, s.country`.execute(tx);
  return rows;
}

/** The newest set of a country until a day. */
export async function findPopularitySet(
  tx: Tx,
  at: { country: string; granularity: Granularity; until: string | null },
): Promise<PopularitySetRow | undefined> {
  const { rows } = await sql<
    Row<'find-popularity-set', PopularitySetRow, 'granularity' | 'source'>
  >`/* find-popularity-set */
    select s.id, s.country, s.granularity, s.period, s.source, s.terms,
      (select count(*)::int from popularity_floors f where f.set_id = s.id) as genres,
      s.created_at as "importedAt"
    from popularity_sets s
    where s.state = 'active' and s.country = ${at.country} and s.granularity = ${at.granularity}
      and (${at.until}::date is null or s.period <= ${at.until}::date)
    order by s.period desc limit 1`.execute(tx);
  return rows[0];
}

export interface PopularityTermRow {
  term: string;
  original: string | null;
  genre: PopularityGenre;
  rank: number;
  popularityInGenre: number;
  popularity: number;
  level: number;
  previousRank: number | null;
  total: number;
}

/**
 * A page of the terms of a set, with their ranks in an earlier one. Terms of a genre come by rank,
 * those of all genres by popularity, climbers and fallers by their change.
 */
export async function listPopularityTerms(
  tx: Tx,
  query: {
    setId: number;
    previousId: number | null;
    genre: PopularityGenre | null;
    movement: (typeof popularityMovements)[number] | null;
    text: string | null;
    offset: number;
    limit: number;
  },
): Promise<PopularityTermRow[]> {
  const { setId, previousId, genre, movement, text, offset, limit } = query;
  const { rows } = await sql<
    Row<'list-popularity-terms', PopularityTermRow, 'genre'>
  >`/* list-popularity-terms */
    select p.term, p.original, g.code as genre, p.rank,
      p.popularity_in_genre as "popularityInGenre", p.popularity, p.level,
      o.rank as "previousRank", (count(*) over ())::int as total
    from popularity p
    join popularity_genres g on g.id = p.genre
    left join lateral (
      select rank from popularity o
      where o.set_id = ${previousId}::int and o.term = p.term and o.genre = p.genre
      order by rank limit 1
    ) o on true
    where p.set_id = ${setId} and (${genre}::text is null or g.code = ${genre})
      and (${text}::text is null or position(${text} in p.term) > 0)
      and case ${movement}::text
        when 'climbers' then o.rank > p.rank
        when 'fallers' then o.rank < p.rank
        when 'new' then o.rank is null and ${previousId}::int is not null
        else true end
    order by case ${movement}::text
        when 'climbers' then p.rank - o.rank
        when 'fallers' then o.rank - p.rank
        else case when ${genre}::text is null then -p.popularity else p.rank end end,
      p.rank, p.genre
    offset ${offset}::int limit ${limit}::int`.execute(tx);
  return rows;
}

export interface TermKeyword {
  keywordId: number;
  appId: number;
  phrase: string;
}

/** The live keywords of a workspace with one of the phrases in a country. */
export async function listKeywordsOfTerms(
  tx: Tx,
  workspaceId: number,
  where: {
    stores: readonly string[];
    devices: readonly string[];
    country: string;
    phrases: readonly string[];
  },
): Promise<TermKeyword[]> {
  const { rows } = await sql<Row<'keywords-of-terms', TermKeyword>>`/* keywords-of-terms */
    select k.id as "keywordId", k.app_id as "appId", k.phrase
    from markets m join keywords k on k.market_id = m.id
    where m.store = any(${[...where.stores]}::text[]) and m.country = ${where.country}
      and m.device = any(${[...where.devices]}::text[])
      and m.phrase = any(${[...where.phrases]}::text[])
      and k.workspace_id = ${workspaceId} and k.archived_at is null
    order by k.id`.execute(tx);
  return rows;
}
