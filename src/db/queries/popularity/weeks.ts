import { sql } from 'kysely';
import type { PopularityGenre } from '#stores/profiles.ts';
import type { Db, Tx } from '#db/database.ts';
import type { Row } from '#db/row.ts';

export type WeekOutcome = 'synced' | 'empty' | 'quarantined' | 'discarded';

export interface PopularityWeekRow {
  country: string;
  week: string;
  outcome: WeekOutcome;
  setId: number | null;
  terms: number;
  termsBefore: number | null;
  unreadable: number;
  reasons: unknown;
  decidedBy: string | null;
  updatedAt: Date;
}

const columns = sql`country, week, outcome, set_id as "setId", terms,
  terms_before as "termsBefore", unreadable, reasons, decided_by as "decidedBy",
  updated_at as "updatedAt"`;

/** Lists the weeks from a day on, the newest first. */
export async function listPopularityWeeks(
  db: Db | Tx,
  since: string,
): Promise<PopularityWeekRow[]> {
  const { rows } = await sql<Row<'list-popularity-weeks', PopularityWeekRow, 'outcome'>>`
    /* list-popularity-weeks */
    select ${columns} from popularity_weeks where week >= ${since}::date
    order by week desc, country`.execute(db);
  return rows;
}

export async function listQuarantinedWeeks(db: Db | Tx): Promise<PopularityWeekRow[]> {
  const { rows } = await sql<Row<'list-quarantined-weeks', PopularityWeekRow, 'outcome'>>`
    /* list-quarantined-weeks */
    select ${columns} from popularity_weeks where outcome = 'quarantined'
    order by week desc, country`.execute(db);
  return rows;
}

/** Locks a quarantined week for the transaction. */
export async function lockQuarantinedWeek(
  tx: Tx,
  setId: number,
): Promise<PopularityWeekRow | undefined> {
  const { rows } = await sql<Row<'lock-quarantined-week', PopularityWeekRow, 'outcome'>>`
    /* lock-quarantined-week */
    select ${columns} from popularity_weeks
    where set_id = ${setId} and outcome = 'quarantined' for update`.execute(tx);
  return rows[0];
}

export async function upsertPopularityWeek(
  db: Db | Tx,
  row: Omit<PopularityWeekRow, 'decidedBy' | 'updatedAt'> & { now: Date },
): Promise<void> {
  const { country, week, outcome, setId, terms, termsBefore, unreadable, reasons, now } = row;
  await sql`/* upsert-popularity-week */
    insert into popularity_weeks (country, week, outcome, set_id, terms, terms_before, unreadable,
      reasons, updated_at)
    values (${country}, ${week}::date, ${outcome}, ${setId}, ${terms}, ${termsBefore},
      ${unreadable}, ${JSON.stringify(reasons)}::jsonb, ${now})
    on conflict (country, week) do update set outcome = excluded.outcome,
      set_id = excluded.set_id, terms = excluded.terms, terms_before = excluded.terms_before,
      unreadable = excluded.unreadable, reasons = excluded.reasons, decided_by = null,
      updated_at = excluded.updated_at`.execute(db);
}

export async function decidePopularityWeek(
  tx: Tx,
  { setId, outcome, by, now }: { setId: number; outcome: WeekOutcome; by: string; now: Date },
): Promise<void> {
  await sql`/* decide-popularity-week */
    update popularity_weeks set outcome = ${outcome}, decided_by = ${by}, updated_at = ${now}
    where set_id = ${setId}`.execute(tx);
}

/** Discards sets of a week that are not visible: what a killed sync left, and quarantined ones. */
export async function discardHiddenWeek(
  db: Db | Tx,
  of: { country: string; week: string; states: readonly ('staging' | 'quarantined')[] },
): Promise<void> {
  await sql`/* discard-hidden-week */
    update popularity_sets set state = 'discarded'
    where state = any(${[...of.states]}::text[]) and source = 'api' and granularity = 'week'
      and country = ${of.country} and period = ${of.week}::date`.execute(db);
}

/** Throws when the set was discarded while it was read. */
export async function quarantinePopularitySet(
  tx: Tx,
  { setId, terms }: { setId: number; terms: number },
): Promise<void> {
  const { numAffectedRows } = await sql`/* quarantine-popularity-set */
    update popularity_sets set state = 'quarantined', terms = ${terms}
    where id = ${setId} and state = 'staging'`.execute(tx);
  if (Number(numAffectedRows ?? 0) === 0)
    throw new Error('a set of published popularity was discarded while it was read');
}

export async function setQuarantinedState(
  tx: Tx,
  setId: number,
  state: 'staging' | 'discarded',
): Promise<void> {
  await sql`/* set-quarantined-state */
    update popularity_sets set state = ${state}
    where id = ${setId} and state = 'quarantined'`.execute(tx);
}

export interface WeekFigures {
  terms: number;
  genres: number;
  /** Terms with the most frequent popularity. */
  sameValue: number;
  /** Null without a set to compare with. */
  before: { terms: number; genres: number; shared: number } | null;
}

/** Figures of a set, and how many of its terms the visible set of the week before has. */
export async function readWeekFigures(
  db: Db | Tx,
  { setId, country, week, since }: { setId: number; country: string; week: string; since: string },
): Promise<WeekFigures> {
  const { rows } = await sql<Row<'week-figures'>>`/* week-figures */
    with before as (
      select id from popularity_sets
      where state = 'active' and granularity = 'week' and country = ${country}
        and period between ${since}::date and ${week}::date
      order by period desc limit 1
    )
    select (select count(*)::int from popularity where set_id = ${setId}) as terms,
      (select count(distinct genre)::int from popularity where set_id = ${setId}) as genres,
      (select coalesce(max(c), 0)::int from (select count(*) as c from popularity
        where set_id = ${setId} group by popularity) s) as "sameValue",
      (select id from before) as "beforeId",
      (select count(*)::int from popularity where set_id = (select id from before))
        as "termsBefore",
      (select count(distinct genre)::int from popularity where set_id = (select id from before))
        as "genresBefore",
      (select count(distinct p.term)::int from popularity p
        join popularity o on o.set_id = (select id from before) and o.term = p.term
        where p.set_id = ${setId}) as shared`.execute(db);
  const { terms, genres, sameValue, beforeId, termsBefore, genresBefore, shared } = rows[0]!;
  return {
    terms: terms ?? 0,
    genres: genres ?? 0,
    sameValue: sameValue ?? 0,
    before:
      beforeId === null
        ? null
        : { terms: termsBefore ?? 0, genres: genresBefore ?? 0, shared: shared ?? 0 },
  };
}

export interface FirstTerm {
  setId: number | null;
  genre: PopularityGenre;
  rank: number;
  popularity: number;
  term: string;
}

/** The most popular terms of sets, at most `limit` of each. */
export async function listFirstTerms(
  db: Db | Tx,
  setIds: readonly number[],
  limit: number,
): Promise<FirstTerm[]> {
  const { rows } = await sql<Row<'first-popularity-terms', FirstTerm, 'genre'>>`
    /* first-popularity-terms */
    select s.id as "setId", g.code as genre, p.rank, p.popularity, p.term
    from unnest(${[...setIds]}::int[]) as s(id)
    cross join lateral (
      select * from popularity where set_id = s.id order by popularity desc, rank, genre
      limit ${limit}::int
    ) p
    join popularity_genres g on g.id = p.genre
    order by s.id, p.popularity desc, p.rank, p.genre`.execute(db);
  return rows;
}
