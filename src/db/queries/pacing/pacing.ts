import type { QueryResultRow } from 'pg';
import type { StoreName } from '#stores/profiles.ts';
import type { Row } from '#db/row.ts';

/** A pace: a store's, or that of one host of it. `''` is the pace of the store's other hosts. */
export interface PaceKey {
  store: StoreName;
  host: string;
}

/** A pg.Pool fits. Each query is one statement, so none needs a transaction. */
export interface Queryable {
  query<T extends QueryResultRow>(
    statement: string | PreparedStatement,
    values?: unknown[],
  ): Promise<{ rows: T[] }>;
}

/** Parsed and planned once per connection. */
interface PreparedStatement {
  name: string;
  text: string;
  values: unknown[];
}

/**
 * A block of instants of one endpoint: `firstAtUs`, and then one every `intervalUs`. Both are
 * microseconds of the database's clock.
 */
export interface GrantBlock {
  endpoint: string;
  firstAtUs: number;
  intervalUs: number;
  strikes: number;
  nowUs: number;
  /** The clock had been set back by so many seconds since the grant before; else 0. */
  setBackSeconds: number;
}

/**
 * How many times slower than its base interval a row of `pacing` is now: a slowed endpoint regains
 * a fifth of its speed every ten minutes without a refusal. The column has the factor of its last
 * grant or refusal.
 */
export const currentSlowFactor = `greatest(1, slow_factor * power(0.8, least(60, coalesce(
  greatest(0, floor(extract(epoch from clock_timestamp() - recovered_at) / 600)), 0))))`;

const epochUs = (expression: string) => `(extract(epoch from ${expression}) * 1000000)::bigint`;

/**
 * Inserts rows for new endpoints. An instant far in the future was left by a clock that has since
 * been set back, and is reset.
 */
export async function insertPacing(
  db: Queryable,
  row: PaceKey & { endpoints: string[]; baseIntervalUs: number },
): Promise<void> {
  await db.query(
    `insert into pacing (store, host, endpoint, interval_us, next_at)
     select $1, $4, name, $3::bigint, clock_timestamp() from unnest($2::text[]) name
     on conflict (store, host, endpoint) do update
       set next_at = clock_timestamp() + $3::bigint * interval '1 microsecond'
       where pacing.next_at > clock_timestamp() + interval '1 hour'`,
    [row.store, row.endpoints, row.baseIntervalUs, row.host],
  );
}

/**
 * Takes the next `count` instants of the endpoint that is free first; null while all of them cool
 * down. Unused instants in the past are not saved up. After the clock was set back, instants and
 * cooldowns from before count from its last grant.
 * `skip locked` lets processes take from different endpoints at once; the caller falls back to
 * waiting for the lock.
 */
export async function takeGrants(
  db: Queryable,
  request: PaceKey & {
    endpoints: string[];
    baseIntervalUs: number;
    count: number;
    skipLocked: boolean;
  },
): Promise<GrantBlock | null> {
  const name = request.skipLocked ? 'take-grants-of-unlocked' : 'take-grants';
  const text = `with free as (
       select store, host, endpoint, back.step, ${currentSlowFactor} as factor
       from pacing,
         lateral (select case when granted_at > clock_timestamp() + interval '1 second'
           then granted_at - clock_timestamp() else interval '0' end as step) back
       where store = $1 and host = $5 and endpoint = any($2::text[])
         and (cooldown_until is null or cooldown_until - back.step <= clock_timestamp())
       order by next_at limit 1
       for update of pacing ${request.skipLocked ? 'skip locked' : ''}
     )
     update pacing set
       slow_factor = free.factor,
       recovered_at = case when free.factor < pacing.slow_factor then clock_timestamp()
         else pacing.recovered_at end,
       interval_us = ceil($3::bigint * free.factor),
       granted_at = clock_timestamp(),
       cooldown_until = pacing.cooldown_until - free.step,
       next_at = greatest(pacing.next_at - free.step, clock_timestamp())
         + $4::int * ceil($3::bigint * free.factor) * interval '1 microsecond',
       granted = pacing.granted + $4::int
     from free where pacing.store = free.store and pacing.host = free.host
       and pacing.endpoint = free.endpoint
     returning pacing.endpoint, pacing.interval_us, pacing.strikes,
       extract(epoch from free.step)::float8 as set_back_seconds,
       ${epochUs('pacing.next_at')} as next_us, ${epochUs('clock_timestamp()')} as now_us`;
  const { rows } = await db.query<Row<'take-grants'>>({
    name,
    text,
    values: [request.store, request.endpoints, request.baseIntervalUs, request.count, request.host],
  });
  const row = rows[0];
  if (row === undefined) return null;
  const intervalUs = Number(row.interval_us);
  const firstAtUs = Number(row.next_us) - request.count * intervalUs;
  return {
    endpoint: row.endpoint,
    firstAtUs,
    intervalUs,
    strikes: row.strikes,
    nowUs: Number(row.now_us),
    setBackSeconds: row.set_back_seconds ?? 0,
  };
}

/**
 * Milliseconds until the first of the endpoints is free again; 0 when one of them is free now.
 * `restsMs` has each endpoint with the time for which it is not used after failed connections.
 */
export async function getCooldownMs(
  db: Queryable,
  { store, host }: PaceKey,
  restsMs: ReadonlyMap<string, number>,
): Promise<number> {
  const { rows } = await db.query<Row<'get-cooldown-ms'>>(
    `select ceil(min(greatest(rest.ms,
       1000 * extract(epoch from cooldown_until - clock_timestamp()))))::float8 as ms
     from pacing join unnest($2::text[], $4::float8[]) as rest(endpoint, ms) using (endpoint)
     where store = $1 and host = $3`,
    [store, [...restsMs.keys()], host, [...restsMs.values()]],
  );
  return rows[0]?.ms ?? 0;
}

/**
 * Cools down and slows an endpoint, and returns the cooldown in milliseconds. Refusals that arrive
 * during a cooldown belong to requests sent before it: they are counted, but add neither a strike
 * nor time, unless their pause is known and ends later.
 */
export async function updateAfterRefusal(
  db: Queryable,
  refusal: PaceKey & {
    endpoint: string;
    marker: string;
    /** Null: the next of `cooldownSeconds`. */
    pauseSeconds: number | null;
    cooldownSeconds: readonly [number, number, number];
  },
): Promise<number> {
  const { rows } = await db.query<Row<'update-after-refusal'>>(
    `update pacing set
       refused = refused + 1, last_refusal_at = clock_timestamp(), last_marker = $3,
         recovered_at = clock_timestamp(),
       strikes = case when cooldown_until > clock_timestamp() then strikes
         else least(strikes + 1, 100) end,
       slow_factor = case when cooldown_until > clock_timestamp() then slow_factor
         else least(16, slow_factor * 2) end,
       cooldown_until = case
         when cooldown_until > clock_timestamp() and $4::int is null then cooldown_until
         else greatest(cooldown_until, clock_timestamp() + coalesce($4::int,
           ($5::int[])[least(strikes + 1, 3)]) * interval '1 second') end
     where store = $1 and host = $6 and endpoint = $2
     returning extract(epoch from cooldown_until - clock_timestamp())::float8 * 1000 as ms`,
    [
      refusal.store,
      refusal.endpoint,
      refusal.marker,
      refusal.pauseSeconds,
      [...refusal.cooldownSeconds],
      refusal.host,
    ],
  );
  return rows[0]?.ms ?? 0;
}

/**
 * Called after a successful response to a request that was sent after the last refusal. The next
 * refusal counts as the first again.
 */
export async function clearStrikes(
  db: Queryable,
  { store, host }: PaceKey,
  endpoint: string,
  grantedAtUs: number,
): Promise<void> {
  await db.query(
    `update pacing set strikes = 0
     where store = $1 and host = $4 and endpoint = $2 and strikes > 0
       and (last_refusal_at is null or ${epochUs('last_refusal_at')} < $3::bigint)`,
    [store, endpoint, Math.floor(grantedAtUs), host],
  );
}

export interface RequestCount {
  store: StoreName;
  onDate: string;
  kind: string;
  requests: number;
  bytes: number;
  refused: number;
}

/** Adds the sent store requests to the totals of the UTC day, by kind. */
export async function addRequestCounts(
  db: Queryable,
  counts: readonly RequestCount[],
): Promise<void> {
  const column = <Key extends keyof RequestCount>(key: Key) => counts.map((count) => count[key]);
  await db.query(
    `insert into store_requests as sum (store, on_date, kind, requests, bytes, refused)
     select * from unnest($1::text[], $2::date[], $3::text[], $4::bigint[], $5::bigint[],
       $6::bigint[]) as added(a, b, c, d, e, f)
     order by a, b, c
     on conflict (store, on_date, kind) do update set
       requests = sum.requests + excluded.requests,
       bytes = sum.bytes + excluded.bytes,
       refused = sum.refused + excluded.refused`,
    [
      column('store'),
      column('onDate'),
      column('kind'),
      column('requests'),
      column('bytes'),
      column('refused'),
    ],
  );
}
