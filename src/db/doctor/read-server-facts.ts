import pg from 'pg';
import { applySettings } from '../driver/session-settings.ts';
import { keepsSessions } from '../require-session-mode.ts';

/** Facts that every PostgreSQL server reports, with a schema of ours or without. */
export interface ServerFacts {
  /** Such as `18.4`. */
  version: string;
  majorVersion: number;
  /** How far its clock is ahead of ours in milliseconds, give or take half a round trip. */
  clockAheadMs: number;
  roundTripMs: number;
  /** False for a standby, and where transactions are read-only. */
  acceptsWrites: boolean;
  /** False behind a pooler that shares sessions. */
  keepsSessions: boolean;
  databaseBytes: number;
  connections: number;
  connectionsMax: number;
  mayCreateRoles: boolean;
  hasRoles: boolean;
  /** False when a role of ours exists to which connections of this user may not switch. */
  mayUseRoles: boolean;
  /** Every start needs it, because it applies migrations. */
  mayCreateTables: boolean;
  /** Null without a schema of ours. */
  migrations: { name: string; hash: string }[] | null;
  /** Jobs of the queue in PostgreSQL; null where it has none. */
  queueJobs: number | null;
}

const timeoutMs = 5_000;

/** PostgreSQL before version 16 has no privilege SET. */
const facts = `
  with roles as (
    select oid, case when current_setting('server_version_num')::int < 160000 then 'member'
      else 'set' end as privilege
    from pg_roles where rolname in ('toprung_app', 'toprung_system')
  )
  select current_setting('server_version') as version,
    current_setting('server_version_num')::int / 10000 as "majorVersion",
    not pg_is_in_recovery() and current_setting('default_transaction_read_only') = 'off'
      as "acceptsWrites",
    pg_database_size(current_database())::float8 as "databaseBytes",
    (select count(*)::int from pg_stat_activity where backend_type = 'client backend')
      as connections,
    current_setting('max_connections')::int as "connectionsMax",
    (select rolsuper or rolcreaterole from pg_roles where rolname = current_user)
      as "mayCreateRoles",
    (select count(*) = 2 from roles) as "hasRoles",
    (select coalesce(bool_and(pg_has_role(oid, privilege)), true) from roles) as "maySetRoles",
    (select coalesce(bool_and(pg_has_role(oid, 'member with admin option')), true) from roles)
      as "mayGrantRoles",
    has_database_privilege(current_database(), 'create') and exists (select from pg_namespace
      where nspname = 'public' and has_schema_privilege(oid, 'create')) as "mayCreateTables",
    to_regclass('public.migrations') is not null as "hasMigrations",
    to_regclass('bullmq.job') is not null as "hasQueue"`;

type Row = Omit<
  ServerFacts,
  'clockAheadMs' | 'roundTripMs' | 'keepsSessions' | 'mayUseRoles' | 'migrations' | 'queueJobs'
> & {
  maySetRoles: boolean;
  mayGrantRoles: boolean;
  hasMigrations: boolean;
  hasQueue: boolean;
};

/** Reads in the role of `url` and writes nothing. Throws when the server does not respond. */
export async function readServerFacts(url: string, now: () => Date): Promise<ServerFacts> {
  const client = new pg.Client({
    connectionString: url,
    connectionTimeoutMillis: timeoutMs,
    query_timeout: timeoutMs,
    application_name: 'toprung-doctor',
  });
  client.on('error', () => undefined);
  await client.connect();
  try {
    const isOwn = await keepsSessions(url);
    await applySettings(client, { timezone: 'UTC' });
    await client.query('begin read only');
    // The first statement of a connection takes longer, so the clock is read by the second one.
    const { rows } = await client.query<Row>(facts);
    const { hasMigrations, hasQueue, maySetRoles, mayGrantRoles, ...row } = rows[0]!;
    const clock = await readClock(client, now);
    const migrations = hasMigrations ? await readApplied(client) : null;
    const queueJobs = hasQueue ? await countQueueJobs(client) : null;
    // The first migration grants the roles to its user, as a user with the admin option may.
    const mayUseRoles = maySetRoles || (mayGrantRoles && !migrations?.length);
    return { ...row, ...clock, keepsSessions: isOwn, mayUseRoles, migrations, queueJobs };
  } finally {
    await client.end().catch(() => undefined);
  }
}

async function readClock(
  client: pg.Client,
  now: () => Date,
): Promise<Pick<ServerFacts, 'clockAheadMs' | 'roundTripMs'>> {
  const startedMs = performance.now();
  const { rows } = await client.query<{ ms: number }>(
    'select (extract(epoch from clock_timestamp()) * 1000)::float8 as ms',
  );
  const roundTripMs = performance.now() - startedMs;
  const oursMs = now().getTime() - roundTripMs / 2;
  return { clockAheadMs: Math.round(rows[0]!.ms - oursMs), roundTripMs: Math.round(roundTripMs) };
}

async function readApplied(client: pg.Client): Promise<{ name: string; hash: string }[]> {
  const { rows } = await client.query<{ name: string; hash: string }>(
    'select name, hash from public.migrations order by name',
  );
  return rows;
}

async function countQueueJobs(client: pg.Client): Promise<number> {
  const { rows } = await client.query<{ jobs: number }>(
    'select count(*)::int as jobs from bullmq.job',
  );
  return rows[0]!.jobs;
}
