import { sql } from 'kysely';
import type { Db, Tx } from '#db/database.ts';
import type { Row } from '#db/row.ts';

export type Granularity = 'month' | 'week';
export type PopularitySource = 'file' | 'api';

/** Begins a set that nobody sees yet. */
export async function insertPopularitySet(
  db: Db | Tx,
  set: {
    country: string;
    granularity: Granularity;
    period: string;
    source: PopularitySource;
    importId: number | null;
    now: Date;
  },
): Promise<number> {
  const { country, granularity, period, source, importId, now } = set;
  const { rows } = await sql<Row<'insert-popularity-set'>>`/* insert-popularity-set */
    insert into popularity_sets (country, granularity, period, source, import_id, created_at)
    values (${country}, ${granularity}, ${period}::date, ${source}, ${importId}, ${now})
    returning id`.execute(db);
  return rows[0]!.id;
}

export interface NewPopularityTerm {
  setId: number;
  /** The index in `popularityGenres`. */
  genre: number;
  rank: number;
  popularityInGenre: number;
  popularity: number;
  level: number;
  term: string;
  original: string | null;
}

/**
 * Adds terms to sets that nobody sees yet. Throws when one of them was discarded meanwhile: its
 * rows may be deleted already, and nothing would delete these.
 */
export async function insertPopularityTerms(
  db: Db | Tx,
  terms: readonly NewPopularityTerm[],
): Promise<void> {
  const column = <T>(read: (term: NewPopularityTerm) => T) => terms.map(read);
  const setIds = [...new Set(column((term) => term.setId))];
  const { numAffectedRows } = await sql`/* insert-popularity-terms */
    with open as (
      select id from popularity_sets where id = any(${setIds}::int[]) and state = 'staging'
      for key share
    )
    insert into popularity (set_id, genre, rank, popularity_in_genre, popularity, level, term,
      original)
    select t.* from unnest(${column((term) => term.setId)}::int[],
      ${column((term) => term.genre)}::smallint[], ${column((term) => term.rank)}::smallint[],
      ${column((term) => term.popularityInGenre)}::smallint[],
      ${column((term) => term.popularity)}::smallint[],
      ${column((term) => term.level)}::smallint[], ${column((term) => term.term)}::text[],
      ${column((term) => term.original)}::text[])
        as t(set_id, genre, rank, popularity_in_genre, popularity, level, term, original)
    join open on open.id = t.set_id`.execute(db);
  if (Number(numAffectedRows ?? 0) !== terms.length)
    throw new Error('a set of published popularity was discarded while it was read');
}

/** Computes the lowest popularity of each genre of a set, once it is complete. */
export async function insertPopularityFloors(db: Db | Tx, setId: number): Promise<void> {
  await sql`/* insert-popularity-floors */
    insert into popularity_floors (set_id, genre, terms, floor)
    select set_id, genre, count(*), min(popularity) from popularity where set_id = ${setId}
    group by set_id, genre`.execute(db);
}

/**
 * Makes complete sets active and ends those of the same country and period, in the caller's
 * transaction. Throws when one of them was discarded meanwhile. Returns how many terms the ended
 * ones had.
 */
export async function activatePopularitySets(
  tx: Tx,
  sets: readonly { id: number; terms: number }[],
): Promise<Map<number, number>> {
  const ids = sets.map(({ id }) => id);
  // Two imports of the same month end one after the other.
  await sql`/* lock-popularity */
    select pg_advisory_xact_lock(hashtext('popularity'))`.execute(tx);
  const { rows: ended } = await sql<Row<'end-popularity-sets'>>`/* end-popularity-sets */
    update popularity_sets o set state = 'discarded'
    from popularity_sets n where n.id = any(${ids}::int[]) and o.state = 'active'
      and o.country = n.country and o.granularity = n.granularity and o.period = n.period
    returning n.id, o.terms`.execute(tx);
  const { numAffectedRows } = await sql`/* activate-popularity-sets */
    update popularity_sets s set state = 'active', terms = n.terms
    from unnest(${ids}::int[], ${sets.map(({ terms }) => terms)}::int[]) as n(id, terms)
    where s.id = n.id and s.state = 'staging'`.execute(tx);
  if (Number(numAffectedRows ?? 0) !== sets.length)
    throw new Error('a set of published popularity was discarded while it was read');
  return new Map(ended.map(({ id, terms }) => [id, terms]));
}

/** Discards what an earlier run of an import has left. */
export async function discardStagedPopularity(db: Db | Tx, importId: number): Promise<void> {
  await sql`/* discard-staged-popularity */
    update popularity_sets set state = 'discarded'
    where import_id = ${importId} and state = 'staging'`.execute(db);
}

/** Discards what is older than its retention period, and what imports that ended have left. */
export async function discardOldPopularity(
  db: Db | Tx,
  { before, staleBefore }: { before: string; staleBefore: Date },
): Promise<void> {
  await sql`/* discard-old-popularity */
    update popularity_sets set state = 'discarded'
    where state in ('active', 'quarantined') and period < ${before}::date`.execute(db);
  await sql`/* delete-old-popularity-weeks */
    delete from popularity_weeks where week < ${before}::date`.execute(db);
  await sql`/* discard-abandoned-popularity */
    update popularity_sets s set state = 'discarded'
    where s.state = 'staging' and s.created_at < ${staleBefore} and not exists (
      select from popularity_imports i join jobs j on j.id = i.job_id
      where i.id = s.import_id and i.finished_at is null
        and j.state in ('queued', 'running'))`.execute(db);
}

const rowsAtOnce = 2_000;

/**
 * Deletes rows of discarded sets, at most two thousand, and sets without rows. Returns how many
 * rows and sets it deleted. Several processes may do this at once: each has another set.
 */
export async function purgeDiscardedPopularity(db: Db | Tx): Promise<number> {
  const { numAffectedRows: terms } = await sql`/* purge-popularity-terms */
    delete from popularity where (set_id, genre, rank) in (
      select p.set_id, p.genre, p.rank from popularity p
      where p.set_id in (select s.id from popularity_sets s where s.state = 'discarded'
        and exists (select from popularity r where r.set_id = s.id)
        order by s.id limit 1 for update skip locked)
      limit ${rowsAtOnce})`.execute(db);
  if (Number(terms ?? 0) > 0) return Number(terms);
  const { numAffectedRows: sets } = await sql`/* purge-popularity-sets */
    delete from popularity_sets where id in (select s.id from popularity_sets s
      where s.state = 'discarded' and not exists (select from popularity r where r.set_id = s.id)
      order by s.id limit 1 for update skip locked)`.execute(db);
  return Number(sets ?? 0);
}
