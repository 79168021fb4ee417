import type { Row } from '#db/row.ts';
import type { Queryable } from '../pacing/pacing.ts';

export type { Queryable };

export interface RateLimitInput {
  workspaceId: number;
  /** Null: only reads the counts. */
  lease: string | null;
  parallel: number;
  names: string[];
  seconds: number[];
  limits: number[];
}

export interface RateLimitRow {
  nowMs: number;
  allowed: boolean;
  open: number;
  used: number[];
}

/** Returns rows in the order of the input. Where `at` is null, the server's time counts. */
export async function admitRequests(
  db: Queryable,
  asks: readonly RateLimitInput[],
  leaseSeconds: number,
  at: Date | null,
): Promise<RateLimitRow[]> {
  const { rows } = await db.query<
    Row<'consume-requests', RateLimitRow, 'nowMs' | 'allowed' | 'open'>
  >({
    name: 'consume-requests',
    text:
      `select now_ms as "nowMs", allowed, open, coalesce(used, '{}') as used from ` +
      'consume_requests($1, $2, $3) order by n',
    values: [
      JSON.stringify(
        asks.map(({ workspaceId, ...ask }, n) => ({ n, workspace: workspaceId, ...ask })),
      ),
      leaseSeconds,
      at,
    ],
  });
  return rows;
}

export interface RequestEnd {
  workspaceId: number;
  lease: string;
  /** Released windows, with the time at which they opened. */
  unused: { name: string; openedAt: Date }[];
}

/** Releases requests only while their lease exists, and only into windows that are still open. */
export async function releaseRequests(
  db: Queryable,
  ends: readonly RequestEnd[],
  at: Date | null,
): Promise<void> {
  const unused = ends.flatMap((end) =>
    end.unused.map((window) => ({ lease: end.lease, workspace_id: end.workspaceId, ...window })),
  );
  await db.query({
    name: 'end-requests',
    text: 'select release_requests($1, $2, $3, $4)',
    values: [
      ends.map((end) => end.workspaceId),
      ends.map((end) => end.lease),
      JSON.stringify(unused),
      at,
    ],
  });
}

/** A lease that is being deleted is skipped: waiting for it could deadlock. */
export async function renewLeases(
  db: Queryable,
  renewal: { ids: string[]; seconds: number; at: Date | null },
): Promise<void> {
  await db.query(
    'update rate_limit_leases set ends_at = coalesce($3::timestamptz, clock_timestamp()) + ' +
      `$2 * interval '1 second' where id in (select id from rate_limit_leases ` +
      'where id = any($1::uuid[]) for update skip locked)',
    [renewal.ids, renewal.seconds, renewal.at],
  );
}

export interface AttemptCountInput {
  kind: string;
  key: string;
  most: number;
  lengthMs: number;
}

export interface AttemptCountRow {
  allowed: boolean;
  used: number;
  endsMs: number;
  nowMs: number;
}

/** Returns rows in the order of the input. Where `at` is null, the server's time counts. */
export async function countAttempts(
  db: Queryable,
  asks: readonly AttemptCountInput[],
  at: Date | null,
): Promise<AttemptCountRow[]> {
  const { rows } = await db.query<
    Row<'consume-attempts', AttemptCountRow, 'allowed' | 'used' | 'endsMs' | 'nowMs'>
  >({
    name: 'consume-attempts',
    text:
      'select allowed, used, ends_ms as "endsMs", now_ms as "nowMs" ' +
      'from consume_attempts($1, $2) order by n',
    values: [
      JSON.stringify(asks.map(({ lengthMs, ...ask }, n) => ({ n, length_ms: lengthMs, ...ask }))),
      at,
    ],
  });
  return rows;
}

export async function releaseAttempt(
  db: Queryable,
  { kind, key, endsAt }: { kind: string; key: string; endsAt: Date },
): Promise<void> {
  await db.query(
    'update attempt_windows set used = used - 1 where kind = $1 and key = $2 and ends_at = ' +
      '$3 and used > 0',
    [kind, key, endsAt],
  );
}

/**
 * The windows that end last, at most `rowsMax`. Ended windows are deleted at the same time, a
 * limited number of them.
 */
export async function listFullWindows(
  db: Queryable,
  { kind, most, rowsMax, at }: { kind: string; most: number; rowsMax: number; at: Date | null },
): Promise<{ key: string; restMs: number }[]> {
  const { rows } = await db.query<Row<'list-full-windows'>>({
    name: 'list-full-windows',
    text: `with clock as (select coalesce($4::timestamptz, clock_timestamp()) as now),
        over as (
          select kind, key from attempt_windows where ends_at <= (select now from clock)
            order by ends_at limit $3 for update skip locked
        ),
        gone as (delete from attempt_windows w using over
          where w.kind = over.kind and w.key = over.key)
      select key, (extract(epoch from ends_at - now) * 1000)::float8 as "restMs"
        from attempt_windows, clock
      where kind = $1 and used >= $2 and ends_at > now order by ends_at desc limit $3`,
    values: [kind, most, rowsMax, at],
  });
  return rows;
}
