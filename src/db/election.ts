import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';
import type { Logger } from '#lib/logger.ts';
import { openPool } from './pool.ts';

const lockKey = 7_470_732;

export interface ElectionOptions {
  url: string;
  log: Logger;
  /**
   * The server ends the leader's session when it was silent for this long: a process that is paused
   * or unreachable does not stay the leader. Sessions of dead processes end at once.
   */
  silenceMs?: number;
  /**
   * Present when no other process takes part or writes: calls the listener when a connection of
   * this process has done its work. The session is then confirmed after such work only, and in a
   * third of the time after which the server ends it.
   */
  onOwnWork?: (listener: () => void) => void;
}

export interface Election {
  /** Resolves after the first attempt to be elected. */
  decided: Promise<void>;
  isLeader(): boolean;
  /**
   * The transactions that the leader's session saw when it was last confirmed, or null. Between two
   * equal snapshots nothing was written.
   */
  snapshot(): string | null;
  /** Sets the function that is called when the snapshot differs from the one before. */
  onChange(listener: () => void): void;
  /** Another process may be elected at once. */
  close(): Promise<void>;
}

const aloneSilenceMs = 30_000;
/** Between two confirmations, however much this process works. */
const alonePauseMs = 1_000;

/**
 * Takes part in the election of one leader among the processes of a database: the one whose session
 * holds a lock. The leader confirms the session every second, and counts as one for less time than
 * the server needs to end a silent session. A statement that it has sent before may still run.
 */
export function joinElection(options: ElectionOptions): Election {
  const { url, log, onOwnWork } = options;
  const silenceMs = options.silenceMs ?? (onOwnWork ? aloneSilenceMs : 5_000);
  const [pauseMs, trustedMs] = [onOwnWork ? alonePauseMs : silenceMs / 5, silenceMs * 0.8];
  const pool = openPool({
    url,
    role: 'system',
    max: 1,
    statementTimeoutMs: silenceMs / 2,
    silenceTimeoutMs: silenceMs,
    keepIdle: true,
    log,
  });
  const closing = new AbortController();
  const decided = Promise.withResolvers<void>();
  let isElected = false;
  let leadsUntilMs = -Infinity;
  let snapshot: string | null = null;
  let notifyChange: () => void = () => undefined;
  const isLeader = () => performance.now() < leadsUntilMs;

  const ownWork = onOwnWork && watchOwnWork(onOwnWork, silenceMs / 3, closing.signal);

  const campaign = async (client: pg.PoolClient) => {
    for (; !closing.signal.aborted; await untilNextConfirmation()) {
      ownWork?.reset();
      const sentMs = performance.now();
      const { isOurs, seen } = await holdLock(client, isElected);
      if (isOurs) leadsUntilMs = sentMs + trustedMs;
      if (isOurs && !isElected) log.info({}, 'elected as the leader of the schedulers');
      isElected = isOurs;
      decided.resolve();
      if (!isOurs || seen === snapshot) continue;
      snapshot = seen;
      notifyChange();
    }
  };
  const pause = () => sleep(pauseMs, undefined, { signal: closing.signal }).catch(() => undefined);
  const untilNextConfirmation = async () => {
    await pause();
    if (isElected) await ownWork?.wait();
  };
  const takePart = async () => {
    while (!closing.signal.aborted) {
      await withSession(pool, campaign).catch((error: Error) => {
        if (isElected) log.warn({ error: error.message }, 'no longer the leader, will retry');
      });
      [isElected, leadsUntilMs, snapshot] = [false, -Infinity, null];
      decided.resolve();
      await pause();
    }
  };
  const over = takePart();
  return {
    decided: decided.promise,
    isLeader,
    snapshot: () => snapshot,
    onChange: (listener) => {
      notifyChange = listener;
    },
    close: async () => {
      closing.abort();
      await over;
      await pool.end();
    },
  };
}

/** Work that ends while the session is being confirmed leads to another confirmation. */
function watchOwnWork(
  onOwnWork: (listener: () => void) => void,
  longestMs: number,
  signal: AbortSignal,
): { reset(): void; wait(): Promise<void> } {
  let isDone = false;
  let notify: () => void = () => undefined;
  onOwnWork(() => {
    isDone = true;
    notify();
  });
  return {
    reset: () => {
      isDone = false;
    },
    wait: () =>
      new Promise((resolve) => {
        if (isDone || signal.aborted) return resolve();
        const end = () => {
          clearTimeout(timer);
          signal.removeEventListener('abort', end);
          resolve();
        };
        const timer = setTimeout(end, longestMs);
        signal.addEventListener('abort', end, { once: true });
        notify = end;
      }),
  };
}

/** Takes the lock, or confirms the session that has it. */
async function holdLock(
  client: pg.PoolClient,
  isHeld: boolean,
): Promise<{ isOurs: boolean; seen: string }> {
  const { rows } = await client.query<{ isOurs: boolean; seen: string }>({
    name: 'hold-lock',
    text:
      'select case when $1 then true else pg_try_advisory_lock($2) end as "isOurs", ' +
      'pg_current_snapshot()::text as seen',
    values: [isHeld, lockKey],
  });
  return rows[0]!;
}

/** The session ends with the work, and with it its locks. */
async function withSession(
  pool: pg.Pool,
  work: (client: pg.PoolClient) => Promise<void>,
): Promise<void> {
  const client = await pool.connect();
  try {
    await work(client);
  } finally {
    client.release(true);
  }
}
