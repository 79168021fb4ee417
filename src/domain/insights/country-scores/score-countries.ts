import type { AppRow } from '#db/queries/apps/apps.ts';
import { findApp } from '#db/queries/apps/apps.ts';
import {
  findNextDue,
  listDueCountryScores,
  recordCountryFailure,
  recordCountryScore,
  rescheduleCountryScore,
  type DueCountryScore,
} from '#db/queries/country-scores/due-country-scores.ts';
import { addCountryScoreUses } from '#db/queries/country-scores/uses.ts';
import { isBackgroundJobOpen, type BackgroundJobRow } from '#db/queries/jobs/background-jobs.ts';
import { inSystem } from '#domain/base/context.ts';
import { PermanentFailure } from '#domain/base/jobs/permanent-failure.ts';
import { planStoreRetry, type StoreRetryPolicy } from '#domain/base/plan-store-retry.ts';
import { StoreError } from '#domain/base/ports.ts';
import type { CheckServices } from '#domain/tracking/rankings/check-market.ts';
import { hourOf } from './plan-country-scores.ts';
import { scoreCountry } from './score-country.ts';

/** Searches that wait for the store at a time, and those of one run: other jobs wait behind it. */
const [parallel, batchSize] = [4, 20];
/** A run begins no searches after this: at the pace of a store, twenty may take many minutes. */
const runMs = 20_000;
const pauseMs = 1_000;
const [minuteMs, hourMs] = [60_000, 3_600_000];
const retry: StoreRetryPolicy = {
  delaysMs: [minuteMs, 5 * minuteMs, 15 * minuteMs],
  refusedDelaysMs: [minuteMs, 15 * minuteMs, hourMs],
};

/**
 * Scores the rows of a job that are due, each in a transaction of its own: a crash repeats only
 * those that were under way. It ends when the job is cancelled. Returns when to go on, or the path
 * of the result. Throws PermanentFailure when the app was archived; a retry scores what is left.
 */
export async function scoreCountries(
  services: CheckServices,
  job: BackgroundJobRow,
  signal: AbortSignal,
  survived: () => Promise<void>,
): Promise<{ path: string } | { continueAt: Date } | null> {
  const { systemDb, clock } = services;
  const app = await inSystem(services, (tx) => findApp(tx, job.workspaceId, job.appId ?? 0));
  // The jobs of an app are deleted with it.
  if (!app) return null;
  if (app.archivedAt)
    throw new PermanentFailure('the app was archived meanwhile; restore it and try again');
  const due = await listDueCountryScores(systemDb, {
    jobId: job.id,
    now: clock.now(),
    limit: batchSize,
  });
  const endMs = clock.now().getTime() + runMs;
  for (let start = 0; start < due.length; start += parallel) {
    if (clock.now().getTime() >= endMs) break;
    if (!(await isBackgroundJobOpen(systemDb, job.id))) return null;
    const chunk = due.slice(start, start + parallel);
    await Promise.all(chunk.map((row) => scoreRow(services, { app, job, row }, signal)));
    await survived();
  }
  const next = await findNextDue(systemDb, job.id);
  if (next === null) return { path: `/apps/${app.id}/country-scores` };
  const earliest = clock.now().getTime() + pauseMs;
  return { continueAt: new Date(Math.max(next.getTime(), earliest)) };
}

interface Work {
  app: AppRow;
  job: BackgroundJobRow;
  row: DueCountryScore;
}

async function scoreRow(services: CheckServices, work: Work, signal: AbortSignal): Promise<void> {
  const { app, job, row } = work;
  const { phrase, country, device } = row;
  try {
    const market = { store: app.store, phrase, country, device };
    const options = { signal, lane: 'run', workspaceId: job.workspaceId } as const;
    const result = await scoreCountry(services, app, market, options);
    await inSystem(services, (tx) =>
      recordCountryScore(tx, { id: row.id, jobId: job.id, now: services.clock.now(), result }),
    );
  } catch (error) {
    signal.throwIfAborted();
    if (!(error instanceof StoreError)) throw error;
    await retryOrFail(services, work, error);
  }
}

async function retryOrFail(
  services: CheckServices,
  { job, row }: Work,
  error: StoreError,
): Promise<void> {
  const now = services.clock.now();
  const { id, attempts, country, phrase } = row;
  const decision = planStoreRetry(retry, error, attempts, now);
  const facts = { job: job.id, country, phrase, failure: error.failure, marker: error.marker };
  if (decision.kind === 'again') {
    services.log.info({ ...facts, at: decision.at }, 'score in a country failed, will retry');
    return rescheduleCountryScore(services.systemDb, { id, jobId: job.id, ...decision });
  }
  services.log.warn(facts, 'score in a country failed, no retry left');
  await inSystem(services, async (tx) => {
    const failed = { id, jobId: job.id, now, failure: error.failure };
    if (!(await recordCountryFailure(tx, failed))) return;
    const uses = { hour: hourOf(row.queuedAt), uses: -1 };
    await addCountryScoreUses(tx, job.workspaceId, uses);
  });
}
