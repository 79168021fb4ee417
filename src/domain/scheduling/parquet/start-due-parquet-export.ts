import {
  acquireParquetExport,
  failParquetExport,
  renewParquetLease,
  saveParquetExport,
  type ParquetAttempt,
} from '#db/queries/parquet/parquet-exports.ts';
import { inSystem, type Services } from '#domain/base/context.ts';
import type { ParquetExporter } from '#domain/base/ports.ts';
import { withTimeLimit } from '#lib/time-limit.ts';
import { keepLease, lastScheduledInstant, leaseMs } from '../nightly.ts';

const retryAfterMs = 10 * 60_000;
const timeoutMs = 6 * 3_600_000;

/** The exports that run in this process, so that a shutdown can end them. */
const running = new WeakMap<ParquetExporter, Promise<void>>();

/**
 * Starts the Parquet export that is due, unless a process has written it or is writing it. It goes
 * on after this returns: it takes longer than a tick may.
 */
export async function startDueParquetExport(services: Services): Promise<void> {
  const { parquet: exporter, clock } = services;
  if (exporter === null || running.has(exporter)) return;
  const now = clock.now();
  const scheduledFor = lastScheduledInstant(now, exporter.atMinutes);
  const leasedUntil = new Date(now.getTime() + leaseMs);
  const isOurs = await inSystem(services, (tx) =>
    acquireParquetExport(tx, { scheduledFor, now, leasedUntil }),
  );
  if (!isOurs) return;
  const work = writeFiles(services, exporter, { scheduledFor, startedAt: now }).finally(() =>
    running.delete(exporter),
  );
  running.set(exporter, work);
}

/** Resolves when this process is writing no files. */
export const waitForParquetExport = ({ parquet }: Pick<Services, 'parquet'>): Promise<void> =>
  (parquet && running.get(parquet)) ?? Promise.resolve();

/** Never rejects: the row has the outcome, and a failed export is due again later. */
async function writeFiles(
  services: Services,
  exporter: ParquetExporter,
  attempt: ParquetAttempt,
): Promise<void> {
  const { systemDb, clock, log } = services;
  const renewal = keepLease(services, (leasedUntil) =>
    renewParquetLease(systemDb, attempt, leasedUntil),
  );
  try {
    const written = await withTimeLimit({ timeoutMs, signal: renewal.signal }, (signal) =>
      exporter.write(signal),
    );
    // The files stay after a lost lease: the other process writes the same ones.
    const isSaved = await inSystem(services, (tx) =>
      saveParquetExport(tx, attempt, clock.now(), written),
    );
    if (!isSaved) return logLost(services);
    log.info({ ...written }, 'the Parquet files were written');
  } catch (error) {
    if (renewal.signal.aborted) logLost(services);
    else await recordFailure(services, exporter, attempt, (error as Error).message);
  } finally {
    renewal.stop();
  }
}

const logLost = ({ log }: Services): void =>
  log.warn({}, 'the lease of a Parquet export was lost: another process has taken it over');

async function recordFailure(
  services: Services,
  exporter: ParquetExporter,
  attempt: ParquetAttempt,
  error: string,
): Promise<void> {
  const { clock, log } = services;
  const now = clock.now();
  const waitMs = exporter.isStopping() ? 0 : retryAfterMs;
  const failure = { now, retryAt: new Date(now.getTime() + waitMs), error };
  // Without a database the lease expires, and the export is repeated.
  const isHeld = await inSystem(services, (tx) => failParquetExport(tx, attempt, failure)).catch(
    () => true,
  );
  if (!isHeld) return logLost(services);
  if (exporter.isStopping()) log.info({}, 'a Parquet export was interrupted, will retry');
  else log.error({ alert: 'parquet.failed', error }, 'a Parquet export failed, will retry');
}
