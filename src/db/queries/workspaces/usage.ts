import { sql } from 'kysely';
import type { Tx } from '#db/database.ts';
import type { Row } from '#db/row.ts';

export interface RequestCount {
  workspaceId: number;
  /** A UTC day. */
  date: string;
  /** 0 for sessions. */
  tokenId: number;
  rateClass: string;
  requests: number;
}

export interface OnDemandCount {
  workspaceId: number;
  kind: string;
  /** The first instant of the hour. */
  hour: Date;
  uses: number;
}

// Several processes add to the same rows, so all use one order. Workspaces deleted in the meantime
// are skipped.

export async function addRequestCounts(tx: Tx, counts: readonly RequestCount[]): Promise<void> {
  const column = <K extends keyof RequestCount>(name: K) => counts.map((count) => count[name]);
  await sql`
    insert into request_days as kept (workspace_id, on_date, token_id, rate_class, requests)
    select w.id, c.on_date, c.token_id, c.rate_class, c.requests
    from unnest(${column('workspaceId')}::int[], ${column('date')}::date[],
      ${column('tokenId')}::int[], ${column('rateClass')}::text[],
      ${column('requests')}::bigint[]) as c(workspace_id, on_date, token_id, rate_class, requests)
    join workspaces w on w.id = c.workspace_id
    order by 1, 2, 3, 4
    on conflict (workspace_id, on_date, token_id, rate_class) do update
      set requests = kept.requests + excluded.requests`.execute(tx);
}

export async function addOnDemandCounts(tx: Tx, counts: readonly OnDemandCount[]): Promise<void> {
  const column = <K extends keyof OnDemandCount>(name: K) => counts.map((count) => count[name]);
  await sql`
    insert into on_demand_hours as kept (workspace_id, kind, hour, uses)
    select w.id, c.kind, c.hour, c.uses
    from unnest(${column('workspaceId')}::int[], ${column('kind')}::text[],
      ${column('hour')}::timestamptz[], ${column('uses')}::int[])
      as c(workspace_id, kind, hour, uses)
    join workspaces w on w.id = c.workspace_id
    order by 1, 2, 3
    on conflict (workspace_id, kind, hour) do update set uses = kept.uses + excluded.uses`.execute(
    tx,
  );
}

export interface UsageRange {
  from: string;
  to: string;
  tokenId: number | null;
}

export async function sumRequestsByDay(
  tx: Tx,
  workspaceId: number,
  { from, to, tokenId }: UsageRange,
): Promise<{ date: string; rateClass: string; requests: bigint }[]> {
  const { rows } = await sql<
    Row<'sum-requests-by-day', { date: string; rateClass: string; requests: bigint }, 'requests'>
  >`
    select on_date as date, rate_class as "rateClass", sum(requests)::bigint as requests
      from request_days
    where workspace_id = ${workspaceId} and on_date between ${from} and ${to}
      and (${tokenId}::int is null or token_id = ${tokenId})
    group by 1, 2`.execute(tx);
  return rows;
}

export async function sumRequestsByToken(
  tx: Tx,
  workspaceId: number,
  { from, to, tokenId }: UsageRange,
): Promise<{ tokenId: number; rateClass: string; requests: bigint }[]> {
  const { rows } = await sql<
    Row<
      'sum-requests-by-token',
      { tokenId: number; rateClass: string; requests: bigint },
      'requests'
    >
  >`
    select token_id as "tokenId", rate_class as "rateClass", sum(requests)::bigint as requests
      from request_days
    where workspace_id = ${workspaceId} and on_date between ${from} and ${to}
      and (${tokenId}::int is null or token_id = ${tokenId})
    group by 1, 2`.execute(tx);
  return rows;
}

/** Names by id, of all tokens or of one person's. */
export async function listTokenNames(
  tx: Tx,
  workspaceId: number,
  userId: number | null,
): Promise<Map<number, string>> {
  const { rows } = await sql<Row<'list-token-names'>>`
    select id, name from tokens where workspace_id = ${workspaceId}
      and (${userId}::int is null or user_id = ${userId})`.execute(tx);
  return new Map(rows.map((row) => [row.id, row.name]));
}

export async function listOnDemandHours(
  tx: Tx,
  workspaceId: number,
  since: Date,
): Promise<Omit<OnDemandCount, 'workspaceId'>[]> {
  const { rows } = await sql<Row<'list-on-demand-hours', Omit<OnDemandCount, 'workspaceId'>>>`
    select kind, hour, uses from on_demand_hours
      where workspace_id = ${workspaceId} and hour >= ${since}`.execute(tx);
  return rows;
}

const rowsAtOnce = 1_000;

/** Deletes request counts from before a day, at most a thousand. Returns how many. */
export async function purgeRequestDays(tx: Tx, before: string): Promise<number> {
  const { numAffectedRows } = await sql`/* purge-request-days */
    delete from request_days where ctid = any(array(select ctid from request_days
      where on_date < ${before}::date order by on_date limit ${rowsAtOnce}))`.execute(tx);
  return Number(numAffectedRows ?? 0);
}

/** Deletes allowances of hours before an instant, at most a thousand. Returns how many. */
export async function purgeOnDemandHours(tx: Tx, before: Date): Promise<number> {
  const { numAffectedRows } = await sql`/* purge-on-demand-hours */
    delete from on_demand_hours where ctid = any(array(select ctid from on_demand_hours
      where hour < ${before} order by hour limit ${rowsAtOnce}))`.execute(tx);
  return Number(numAffectedRows ?? 0);
}
