import type { Queryable } from './pacing.ts';

export type { Queryable };

export interface RequestAsk {
  workspaceId: number;
  /** Null: only looks. */
  lease: string | null;
  leaseSeconds: number;
  parallel: number;
  names: string[];
  seconds: number[];
  limits: number[];
  at: Date | null;
}

export interface RequestAnswer {
  nowMs: number;
  took: boolean;
  open: number;
  used: number[];
}

export async function takeRequest(db: Queryable, ask: RequestAsk): Promise<RequestAnswer> {
  const { rows } = await db.query({
    name: 'take-request',
    text: `select now_ms as "nowMs", took, open, used from take_request($1, $2, $3, $4, $5, $6, $7, $8)`,
    values: [ask.workspaceId, ask.lease, ask.leaseSeconds, ask.parallel, ask.names, ask.seconds, ask.limits, ask.at],
  });
  return rows[0] as RequestAnswer;
}

/** Gives back while the lease stands, and only to windows that are open still. */
export async function endRequest(
  db: Queryable,
  end: { workspaceId: number; lease: string; names: string[]; openedAt: Date[]; at: Date | null },
): Promise<void> {
  await db.query({
    name: 'end-request',
    text: `with ended as (delete from limit_leases where id = $2 and workspace_id = $1 returning ends_at)
      update limit_windows l set used = l.used - 1 from unnest($3::text[], $4::timestamptz[]) as w(name, opened_at)
      where exists (select from ended where ends_at > coalesce($5::timestamptz, clock_timestamp())) and l.workspace_id = $1 and l.name = w.name and l.opened_at = w.opened_at and l.used > 0`,
    values: [end.workspaceId, end.lease, end.names, end.openedAt, end.at],
  });
}

export async function renewLeases(db: Queryable, renewal: { ids: string[]; seconds: number; at: Date | null }): Promise<void> {
  await db.query(
    `update limit_leases set ends_at = coalesce($3::timestamptz, clock_timestamp()) + $2 * interval '1 second' where id = any($1::uuid[])`,
    [renewal.ids, renewal.seconds, renewal.at],
  );
}
