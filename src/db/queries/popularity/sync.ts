import { sql } from 'kysely';
import type { Db, Tx } from '#db/database.ts';
import type { Row } from '#db/row.ts';

export interface SyncFailure {
  code: string;
  message: string;
  at: string;
}

export interface PopularitySyncRow {
  clientId: string;
  teamId: string;
  keyId: string;
  /** Encrypted. */
  privateKey: Buffer;
  accountId: string;
  accountName: string;
  savedBy: string;
  savedAt: Date;
  rejectedAt: Date | null;
  requestedAt: Date | null;
  nextAt: Date;
  leasedUntil: Date | null;
  startedAt: Date | null;
  finishedAt: Date | null;
  failures: number;
  failure: SyncFailure | null;
  requestsOn: string | null;
  requests: number;
}

const columns = sql`client_id as "clientId", team_id as "teamId", key_id as "keyId",
  private_key as "privateKey", account_id as "accountId", account_name as "accountName",
  saved_by as "savedBy", saved_at as "savedAt", rejected_at as "rejectedAt",
  requested_at as "requestedAt", next_at as "nextAt", leased_until as "leasedUntil",
  started_at as "startedAt", finished_at as "finishedAt", failures, failure,
  requests_on as "requestsOn", requests`;

/** Undefined without credentials. */
export async function findPopularitySync(db: Db | Tx): Promise<PopularitySyncRow | undefined> {
  const { rows } = await sql<Row<'find-popularity-sync', PopularitySyncRow, 'failure'>>`
    /* find-popularity-sync */
    select ${columns} from popularity_sync`.execute(db);
  return rows[0];
}

export interface NewPopularityCredentials extends Pick<
  PopularitySyncRow,
  'clientId' | 'teamId' | 'keyId' | 'privateKey' | 'accountId' | 'accountName' | 'savedBy'
> {
  now: Date;
}

/** Replaces the credentials. A sync is due at once, and one that runs with the old ones ends. */
export async function upsertPopularityCredentials(
  db: Db | Tx,
  row: NewPopularityCredentials,
): Promise<void> {
  const { clientId, teamId, keyId, privateKey, accountId, accountName, savedBy, now } = row;
  await sql`/* upsert-popularity-credentials */
    insert into popularity_sync (client_id, team_id, key_id, private_key, account_id,
      account_name, saved_by, saved_at, next_at)
    values (${clientId}, ${teamId}, ${keyId}, ${privateKey}, ${accountId}, ${accountName},
      ${savedBy}, ${now}, ${now})
    on conflict (id) do update set client_id = excluded.client_id, team_id = excluded.team_id,
      key_id = excluded.key_id, private_key = excluded.private_key,
      account_id = excluded.account_id, account_name = excluded.account_name,
      saved_by = excluded.saved_by, saved_at = excluded.saved_at, next_at = excluded.next_at,
      rejected_at = null, leased_until = null, started_at = null, failures = 0,
      failure = null`.execute(db);
}

/** False when there were none. */
export async function deletePopularityCredentials(db: Db | Tx): Promise<boolean> {
  const { numAffectedRows } = await sql`/* delete-popularity-credentials */
    delete from popularity_sync`.execute(db);
  return Number(numAffectedRows ?? 0) > 0;
}

/** Makes a sync due now, which reads the newest week again. */
export async function requestPopularitySync(db: Db | Tx, now: Date): Promise<void> {
  await sql`/* request-popularity-sync */
    update popularity_sync set requested_at = ${now}, next_at = ${now}`.execute(db);
}

/**
 * Takes the sync that is due; undefined when none is, or another process has it. One that waits for
 * more than a week was rescheduled by a clock that was ahead.
 */
export async function acquirePopularitySync(
  db: Db | Tx,
  { now, leasedUntil }: { now: Date; leasedUntil: Date },
): Promise<PopularitySyncRow | undefined> {
  const { rows } = await sql<Row<'acquire-popularity-sync', PopularitySyncRow, 'failure'>>`
    /* acquire-popularity-sync */
    update popularity_sync set leased_until = ${leasedUntil}, started_at = ${now}
    where rejected_at is null
      and (next_at <= ${now} or next_at > ${now}::timestamptz + interval '8 days')
      and (leased_until is null or leased_until <= ${now})
    returning ${columns}`.execute(db);
  return rows[0];
}

/** False when the credentials were replaced or removed, or another process has the sync. */
export async function renewPopularityLease(
  db: Db | Tx,
  startedAt: Date,
  leasedUntil: Date,
): Promise<boolean> {
  const { numAffectedRows } = await sql`/* renew-popularity-lease */
    update popularity_sync set leased_until = ${leasedUntil}
    where started_at = ${startedAt} and leased_until is not null`.execute(db);
  return Number(numAffectedRows ?? 0) > 0;
}

/** Locks the sync for the transaction; false when it is no longer the caller's. */
export async function lockPopularitySync(tx: Tx, startedAt: Date): Promise<boolean> {
  const { rows } = await sql<Row<'lock-popularity-sync'>>`/* lock-popularity-sync */
    select id from popularity_sync
    where started_at = ${startedAt} and leased_until is not null for update`.execute(tx);
  return rows.length > 0;
}

/** Counts a request of a day. Returns how many there were on it with this one. */
export async function countPopularityRequest(db: Db | Tx, day: string): Promise<number> {
  const { rows } = await sql<Row<'count-popularity-request'>>`/* count-popularity-request */
    update popularity_sync set requests_on = ${day}::date,
      requests = case when requests_on = ${day}::date then requests + 1 else 1 end
    returning requests`.execute(db);
  return rows[0]?.requests ?? 0;
}

/** Ends a sync. A request that came while it ran stays and is due at once. */
export async function finishPopularitySync(
  db: Db | Tx,
  { startedAt, nextAt, now }: { startedAt: Date; nextAt: Date; now: Date },
): Promise<void> {
  await sql`/* finish-popularity-sync */
    update popularity_sync set leased_until = null, finished_at = ${now}, failures = 0,
      failure = null,
      next_at = case when requested_at > ${startedAt}::timestamptz then ${now}::timestamptz
        else ${nextAt}::timestamptz end,
      requested_at = case when requested_at > ${startedAt}::timestamptz then requested_at end
    where started_at = ${startedAt} and leased_until is not null`.execute(db);
}

/** Ends a sync that failed. `isRejected` stops it until the credentials are replaced. */
export async function failPopularitySync(
  db: Db | Tx,
  end: {
    startedAt: Date;
    nextAt: Date;
    failures: number;
    failure: SyncFailure | null;
    isRejected: boolean;
    now: Date;
  },
): Promise<void> {
  const { startedAt, nextAt, failures, failure, isRejected, now } = end;
  await sql`/* fail-popularity-sync */
    update popularity_sync set leased_until = null, next_at = ${nextAt}, failures = ${failures},
      failure = coalesce(${failure === null ? null : JSON.stringify(failure)}::jsonb, failure),
      rejected_at = case when ${isRejected}::boolean then ${now}::timestamptz else rejected_at end
    where started_at = ${startedAt} and leased_until is not null`.execute(db);
}

/** Countries in which live keywords of stores and devices with published popularity are tracked. */
export async function listCountriesToSync(
  db: Db | Tx,
  where: { stores: readonly string[]; devices: readonly string[] },
): Promise<string[]> {
  const { rows } = await sql<Row<'list-countries-to-sync'>>`/* list-countries-to-sync */
    select distinct m.country from markets m
    join unnest(${[...where.stores]}::text[], ${[...where.devices]}::text[]) as c(store, device)
      on c.store = m.store and c.device = m.device
    where exists (select from keywords k where k.market_id = m.id and k.archived_at is null)
    order by m.country`.execute(db);
  return rows.map(({ country }) => country);
}
