import {
  beginHouseJob,
  endHouseJob,
  putOffHouseJob,
  type HouseJobRow,
} from '../../db/queries/house-work.ts';
import type { CheckServices } from '../rankings/check-market.ts';
import { tellFailure } from './tell-failure.ts';

export type { HouseJobRow };

/** Accepted work that asks no store. It may be begun again after a crash: its effects must be idempotent. */
export interface HouseJob {
  kind: HouseJobRow['kind'];
  /** What it answers is where to look. Throws when it failed; without `waitsMs` it is tried three times at once. */
  run(
    services: CheckServices,
    job: HouseJobRow,
    signal: AbortSignal,
  ): Promise<{ path: string } | null>;
  /** For what hangs on others: how long to wait after each failed attempt. Who fails once more has failed. */
  waitsMs?: readonly number[];
}

const maxAttempts = 3;

/** Does one piece of house work and writes its end down. */
export async function doHouseJob(
  services: CheckServices,
  table: readonly HouseJob[],
  jobId: number,
  signal: AbortSignal,
): Promise<void> {
  const { systemDb, clock, log } = services;
  const job = await beginHouseJob(systemDb, jobId, clock.now());
  if (!job) return;
  const handler = table.find((candidate) => candidate.kind === job.kind);
  try {
    if (!handler) throw new Error(`nobody does ${job.kind}`);
    const result = await handler.run(services, job, signal);
    await endHouseJob(systemDb, jobId, {
      state: 'succeeded',
      error: null,
      result,
      now: clock.now(),
    });
  } catch (error) {
    if (signal.aborted) throw error;
    log.warn(
      { job: jobId, kind: job.kind, attempts: job.attempts, error: (error as Error).message },
      'house work failed',
    );
    const now = clock.now();
    const waitMs = handler?.waitsMs?.[job.attempts - 1];
    if (waitMs !== undefined)
      return putOffHouseJob(systemDb, jobId, new Date(now.getTime() + waitMs));
    if (!handler?.waitsMs && job.attempts < maxAttempts) throw error;
    const reason = tellFailure(error);
    const told = reason === null ? '; the log says why' : `, at last because: ${reason}`;
    await endHouseJob(systemDb, jobId, {
      state: 'failed',
      error: `it failed ${job.attempts} times${told}`,
      result: null,
      now,
    });
  }
}
