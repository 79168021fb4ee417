import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';
import type { replicaFaults } from '#contract/choices.ts';

/** A moment of the primary: everything that was committed before it is visible at `lsn`. */
export interface PrimaryMoment {
  lsn: string;
  system: string;
  database: string;
  timeline: number;
}

export type ReplicaFault = (typeof replicaFaults)[number];

export interface ReplicaFacts {
  /** Null when it has everything of that moment. */
  fault: Exclude<ReplicaFault, 'unreachable'> | null;
  /** The part of the write-ahead log that is missing there. */
  lagBytes: number;
}

const identity = `(select system_identifier::text from pg_control_system()) as system,
    (select oid::text || ' ' || datname from pg_database where datname = current_database())
      as database,
    (select timeline_id from pg_control_checkpoint()) as timeline`;

/**
 * A commit is visible after it is on the disk, unless synchronous_commit is off: then only the end
 * of the log includes it.
 */
const momentSql = `
  select case when current_setting('synchronous_commit') = 'off'
      then pg_current_wal_insert_lsn() else pg_current_wal_flush_lsn() end::text as lsn,
    ${identity}`;

const replicaSql = `
  select case when pg_is_in_recovery() then
      greatest(0, pg_wal_lsn_diff($1::pg_lsn, pg_last_wal_replay_lsn()))::float8 end
      as "lagBytes",
    ${identity}`;

const timeoutMs = 1_000;
/** A replica that streams is a few milliseconds behind. */
const maxWaitMs = 300;
const pauseMs = 10;

export async function readPrimaryMoment(primary: pg.Pool): Promise<PrimaryMoment> {
  const { rows } = await primary.query<PrimaryMoment>(momentSql);
  return rows[0]!;
}

/** Waits a little until the replica has everything of a moment of the primary. */
export async function waitForMoment(
  replica: pg.ClientBase,
  moment: PrimaryMoment,
): Promise<ReplicaFacts> {
  const endMs = performance.now() + maxWaitMs;
  for (;;) {
    const facts = await compareReplica(replica, moment);
    if (facts.fault !== 'behind' || performance.now() > endMs) return facts;
    await sleep(pauseMs);
  }
}

async function compareReplica(
  replica: pg.ClientBase,
  moment: PrimaryMoment,
): Promise<ReplicaFacts> {
  const { rows } = await replica.query<{ lagBytes: number | null } & Omit<PrimaryMoment, 'lsn'>>({
    text: replicaSql,
    values: [moment.lsn],
    query_timeout: timeoutMs,
  } as pg.QueryConfig);
  const { lagBytes, system, database, timeline } = rows[0]!;
  const fault = (() => {
    if (system !== moment.system || database !== moment.database) return 'another_database';
    if (lagBytes === null) return 'not_a_replica';
    if (timeline !== moment.timeline) return 'another_timeline';
    return lagBytes > 0 ? 'behind' : null;
  })();
  return { fault, lagBytes: lagBytes ?? 0 };
}
