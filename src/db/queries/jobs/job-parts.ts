import { sql, type RawBuilder } from 'kysely';
import type { JobPartKind } from '#contract/choices.ts';
import type { Tx } from '#db/database.ts';
import type { Row } from '#db/row.ts';

/** The work that a job requested from the stores, by the ids of its rows. */
export interface StoreJobPayload {
  day: string;
  marketIds?: number[];
  listingId?: number;
  /** The countries in which the listing is read. */
  countries?: string[];
  storeTaskIds?: number[];
}

/** A payload with the app of its job; without an app nothing is requested. */
interface OwnParts<Payload> {
  appId: number | null;
  payload: Payload;
}

/** The parts of one kind; those without an outcome are `total - done - missing`. */
export interface StoredPart {
  kind: JobPartKind;
  total: number;
  done: number;
  missing: number;
  /** They have no outcome yet, and are tried again not before `until`. */
  awaited: number;
  /** The most frequent reason of missing and awaited parts. */
  reason: string | null;
  /** ISO 8601, of the next attempt. */
  until: string | null;
}

/** The columns of a job on which its parts depend. */
type PartColumns = Record<'workspaceId' | 'appId' | 'payload', RawBuilder<unknown>>;

/**
 * The parts of a payload that the job's app still requests, counted by kind and together, as a
 * derived table.
 */
export const storedParts = (
  { workspaceId, appId, payload }: PartColumns,
  { now, probeRetryMs }: { now: Date; probeRetryMs: number },
) => sql`(
  select coalesce(sum(total), 0)::int as total, coalesce(sum(done), 0)::int as done,
    coalesce(sum(missing), 0)::int as missing, coalesce(sum(awaited), 0)::int as awaited,
    coalesce(sum(total - done - missing - awaited), 0)::int as pending, min(until) as until,
    coalesce(jsonb_agg(jsonb_build_object('kind', kind, 'total', total, 'done', done,
      'missing', missing, 'awaited', awaited, 'reason', reason, 'until', until) order by kind),
      '[]') as parts
  from (
    select kind, count(*) as total, count(*) filter (where outcome = 'done') as done,
      count(*) filter (where outcome = 'missing') as missing,
      count(*) filter (where outcome = 'awaited') as awaited,
      mode() within group (order by reason) as reason, min(until) as until
    from list_job_parts(${workspaceId}, ${appId}, ${payload}, (${payload}->>'day')::date,
      ${now}::timestamptz, make_interval(secs => ${probeRetryMs / 1_000}::float8))
    group by kind
  ) as by_kind
)`;

/** The parts of work that is about to be accepted, and those that were done earlier that day. */
export async function countJobParts(
  tx: Tx,
  workspaceId: number,
  { appId, payload }: OwnParts<StoreJobPayload>,
  now: Date,
): Promise<{ total: number; done: number; parts: StoredPart[] }> {
  const job = {
    workspaceId: sql`${workspaceId}::int`,
    appId: sql`${appId}::int`,
    payload: sql`${JSON.stringify(payload)}::jsonb`,
  };
  const { rows } = await sql<
    Row<'count-job-parts', { total: number; done: number; parts: StoredPart[] }, 'parts'>
  >`/* count-job-parts */
    select total, done + missing as done, parts
    from ${storedParts(job, { now, probeRetryMs: 0 })} c`.execute(tx);
  return rows[0]!;
}

/** The parts of a payload that the workspace's app requests at the moment. */
export async function listRequestedParts(
  tx: Tx,
  workspaceId: number,
  { appId, payload }: OwnParts<Partial<StoreJobPayload>>,
): Promise<{ marketIds: number[]; countries: string[]; storeTaskIds: number[] }> {
  const { rows } = await sql<Row<'list-requested-parts'>>`/* list-requested-parts */
    select market_id as "marketId", country, store_task_id as "storeTaskId"
    from list_requested_parts(${workspaceId}, ${appId}, ${JSON.stringify(payload)}::jsonb)
    order by 1, 2, 3`.execute(tx);
  const isKnown = <T>(value: T | null): value is T => value !== null;
  return {
    marketIds: rows.map(({ marketId }) => marketId).filter(isKnown),
    countries: rows.map(({ country }) => country).filter(isKnown),
    storeTaskIds: rows.map(({ storeTaskId }) => storeTaskId).filter(isKnown),
  };
}

/** The countries in which any workspace requests a listing. */
export async function listListingCountries(tx: Tx, listingId: number): Promise<string[]> {
  const { rows } = await sql<Row<'list-listing-countries'>>`
    select country from listing_schedule where listing_id = ${listingId} and active
    order by country`.execute(tx);
  return rows.map(({ country }) => country);
}
