import type pg from 'pg';
import type { Logger } from '#lib/logger.ts';
import { openReadDatabase, type Db } from '../database.ts';
import { replicaSession } from '../driver/replica-session.ts';
import { sharedReadPool } from '../driver/shared-read-pool.ts';
import { openPool } from '../pool.ts';
import { faultDescriptions } from './describe-fault.ts';
import { createReplicaCheck } from './replica-check.ts';
import { readPrimaryMoment, type ReplicaFault } from './replica-facts.ts';

/** A replica that could not be used is left alone for this long, so that few reads wait for it. */
const retryAfterMs = (fault: ReplicaFault) => (fault === 'behind' ? 1_000 : 5_000);
const connectTimeoutMs = 1_000;

export interface ReplicaReads {
  /**
   * A database for one read, of the replica when it has all that the primary has committed before
   * this call, else of the primary. `release` it at the end of the read.
   */
  acquire(): Promise<{ db: Db; isReplica: boolean; release(): void }>;
  close(): Promise<void>;
}

export interface ReplicaReadsOptions {
  url: string;
  /** Connections that read, in the API's role; closed by their owner. */
  primary: pg.Pool;
  /** Reads at the same time. */
  max: number;
  log: Logger;
}

/** Reads of a workspace at a streaming replica that are never older than those at the primary. */
export function openReplicaReads({ url, primary, max, log }: ReplicaReadsOptions): ReplicaReads {
  const sharedPrimary = sharedReadPool(primary);
  const primaryDb = openReadDatabase(primary, sharedPrimary);
  const pool = openPool({
    url,
    role: 'app',
    max,
    statementTimeoutMs: 10_000,
    isReading: true,
    isSequential: true,
    endsWithClient: true,
    plansForValues: true,
    connectTimeoutMs,
    log,
  });
  const state = new ReplicaState(log);
  const check = createReplicaCheck(url);

  const connect = async (): Promise<pg.PoolClient | null> => {
    if (state.isLeftOut()) return null;
    const moment = await readPrimaryMoment(primary);
    let client: pg.PoolClient;
    try {
      client = await pool.connect();
    } catch (error) {
      state.failed('unreachable', error as Error);
      return null;
    }
    try {
      const { fault } = await check(client, moment);
      if (fault === null) {
        state.served();
        return client;
      }
      state.failed(fault);
      client.release();
    } catch (error) {
      state.failed('unreachable', error as Error);
      client.release(true);
    }
    return null;
  };

  return {
    acquire: async () => {
      const replica = await connect();
      if (replica === null) return { db: primaryDb, isReplica: false, release: () => {} };
      let isBroken = false;
      const session = replicaSession({
        replica,
        primary: sharedPrimary,
        onFailure: (error) => {
          isBroken = true;
          state.failed('unreachable', error);
        },
      });
      const db = openReadDatabase(primary, session);
      return { db, isReplica: true, release: () => replica.release(isBroken) };
    },
    close: () => pool.end(),
  };
}

/** Logs once when the replica is left alone, and once when it is used again. */
class ReplicaState {
  private readonly log: Logger;
  private fault: ReplicaFault | null = null;
  private retryAtMs = -Infinity;

  constructor(log: Logger) {
    this.log = log;
  }

  isLeftOut(): boolean {
    return performance.now() < this.retryAtMs;
  }

  failed(fault: ReplicaFault, error?: Error): void {
    this.retryAtMs = performance.now() + retryAfterMs(fault);
    if (this.fault === fault) return;
    this.fault = fault;
    const { message, remedy } = faultDescriptions[fault];
    this.log.warn(
      { fault, ...(error && { error: error.message }), remedy },
      `${message} Heavy reads use the primary until it can be used again.`,
    );
  }

  served(): void {
    if (this.fault === null) return;
    this.fault = null;
    this.log.info({}, 'the replica at DATABASE_READ_URL is used again');
  }
}
