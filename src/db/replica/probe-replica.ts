import type pg from 'pg';
import type { Logger } from '#lib/logger.ts';
import { openPool, type DatabaseRole } from '../pool.ts';
import { createReplicaCheck } from './replica-check.ts';
import { readPrimaryMoment, type ReplicaFault } from './replica-facts.ts';

const probeEveryMs = 5_000;

export interface ReplicaHealth {
  /** Why reads use the primary; null while the replica serves them. */
  fault: ReplicaFault | null;
  /** The part of the write-ahead log that is missing there; null when it does not respond. */
  lagBytes: number | null;
}

export interface ReplicaProbe {
  /** Throws when the primary does not respond. Callers share a probe for five seconds. */
  read(): Promise<ReplicaHealth>;
  close(): Promise<void>;
}

/** Looks at the replica as a read does. `primary` is closed by its owner. */
export function openReplicaProbe(options: {
  url: string;
  primary: pg.Pool;
  role: DatabaseRole;
  log: Logger;
}): ReplicaProbe {
  const { url, primary, role, log } = options;
  const pool = openPool({
    url,
    role,
    max: 1,
    statementTimeoutMs: 2_000,
    isReading: true,
    isSequential: true,
    connectTimeoutMs: 1_000,
    log,
  });
  const check = createReplicaCheck(url);
  let last: { startedMs: number; health: Promise<ReplicaHealth> } | null = null;
  const probe = async (): Promise<ReplicaHealth> => {
    const moment = await readPrimaryMoment(primary);
    let client: pg.PoolClient | null = null;
    try {
      client = await pool.connect();
      const facts = await check(client, moment);
      client.release();
      return facts;
    } catch {
      client?.release(true);
      return { fault: 'unreachable', lagBytes: null };
    }
  };
  return {
    read: () => {
      if (last === null || performance.now() - last.startedMs > probeEveryMs)
        last = { startedMs: performance.now(), health: probe() };
      return last.health;
    },
    close: () => pool.end(),
  };
}
