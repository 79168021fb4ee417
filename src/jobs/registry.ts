/**
 * Everything that happens by itself, with its trigger, queue, retries, time limit and function.
 * ARCHITECTURE.md explains it under "Background work".
 *
 * every:    the elected scheduler runs it in its own process, at this interval.
 * daily:    the scheduler that opened the day's run runs it.
 * inPhase:  rows of the day's run; a phase begins when no row of the one before it is due.
 * accepted: rows of `jobs`, written with the request that asked for the work.
 * emitted:  rows of `deliveries`, written with their event.
 */
import { refreshStaleBudgets } from '#domain/base/budget/refresh-budget.ts';
import { purgeDeleted } from '#domain/accounts/auth/purge-deleted.ts';
import { reconcileWorkspaces } from '#domain/accounts/billing/reconcile-workspaces.ts';
import { syncSubscriptions } from '#domain/accounts/billing/sync-subscriptions.ts';
import { evaluateChangeAlerts } from '#domain/alerting/alerts/evaluate-change-alerts.ts';
import { evaluateRankAlerts } from '#domain/alerting/alerts/evaluate-rank-alerts.ts';
import { evaluateReviewAlerts } from '#domain/alerting/alerts/evaluate-review-alerts.ts';
import { deliver } from '#domain/alerting/webhooks/deliver.ts';
import { runRedelivery } from '#domain/alerting/webhooks/redeliver.ts';
import { runActions, scheduleActionRuns } from '#domain/insights/actions/run-actions.ts';
import { scoreCountries } from '#domain/insights/country-scores/score-countries.ts';
import { emitDigests } from '#domain/insights/digests/emit-digests.ts';
import { sendDigestEmail } from '#domain/insights/digests/send-digest-email.ts';
import { readHints } from '#domain/insights/scores/read-hints.ts';
import { recomputeScores } from '#domain/insights/scores/recompute-scores.ts';
import { scoreStaleMarkets } from '#domain/insights/scores/score-markets.ts';
import { sendFailureEmail } from '#domain/scheduling/background-jobs/send-failure-email.ts';
import { retryCrashedJobs } from '#domain/scheduling/background-jobs/crashed-jobs.ts';
import { checkBackups } from '#domain/scheduling/backups/check-backups.ts';
import { deleteOldBackups } from '#domain/scheduling/backups/delete-old-backups.ts';
import { startDueBackup } from '#domain/scheduling/backups/start-due-backup.ts';
import { startDueUpload } from '#domain/scheduling/backups/start-due-upload.ts';
import { checkCapacity } from '#domain/scheduling/health/check-capacity.ts';
import { startDueParquetExport } from '#domain/scheduling/parquet/start-due-parquet-export.ts';
import { endLongReads } from '#domain/scheduling/readers/end-long-reads.ts';
import { checkForUpdate } from '#domain/scheduling/updates/check-for-update.ts';
import { applyRetention } from '#domain/scheduling/retention/apply-retention.ts';
import { mergeCounts } from '#domain/scheduling/runs/merge-counts.ts';
import { nameListings } from '#domain/scheduling/runs/name-listings.ts';
import { probeStore } from '#domain/scheduling/runs/probe-store.ts';
import { refreshListings } from '#domain/scheduling/runs/refresh-listings.ts';
import { syncOpenJobs } from '#domain/scheduling/runs/sync-open-jobs.ts';
import { readPage } from '#domain/scheduling/store-tasks/fetch-page.ts';
import { readChart } from '#domain/tracking/charts/fetch-chart.ts';
import { retractImplausibleChecks } from '#domain/tracking/rankings/retract-checks.ts';
import { syncFieldWatch } from '#domain/tracking/drift/sync-field-watch.ts';
import { startImageFetches } from '#domain/tracking/images/start-image-fetches.ts';
import { checkMarket } from '#domain/tracking/rankings/check-market.ts';
import { countDays } from '#domain/tracking/rankings/count-days.ts';
import { syncReviews } from '#domain/tracking/reviews/sync-reviews.ts';
import { deleteExpired } from '#domain/transfer/exports/workspace-exports.ts';
import { writeWorkspaceExport } from '#domain/transfer/exports/write-workspace.ts';
import { purgeImportParts, runImport } from '#domain/transfer/imports/workspace-imports.ts';
import { purgeHistoryImports, runHistoryCheck } from '#domain/transfer/history/imports.ts';
import { runHistoryImport } from '#domain/transfer/history/run-import.ts';
import { purgePopularityParts, runPopularityImport } from '#domain/transfer/popularity/imports.ts';
import { startDueSync } from '#domain/transfer/popularity/sync/start-due-sync.ts';
import type { Registry, RegistryEntry } from './registry-entry.ts';
import { storeTask } from './run-store-work.ts';
import { accepted, daily, every, hour, inPhase, minute, minutes, second } from './triggers.ts';

const probeRetryMs = 5 * minute;

/** Imports and exports: no other job waits for them. */
const long = { ...accepted, queue: 'transfers', timeoutMs: 6 * hour } as const;

const mailed = {
  ...accepted,
  workspaces: 'any',
  // Mail servers that are down, or that reject unknown senders at first, get a day.
  retry: { delaysMs: minutes(5, 30, 120, 360, 900) },
  stateBeforeRetry: 'queued',
  timeoutMs: 15 * minute,
} as const;

const entries: readonly RegistryEntry[] = [
  { name: 'sync-workspaces', ...every(30 * second), run: reconcileWorkspaces },
  { name: 'sync-subscriptions', ...every(10 * second), run: syncSubscriptions },
  { name: 'score-stale-markets', ...every(15 * second), run: scoreStaleMarkets },
  { name: 'retract-checks', ...every(2 * second), run: retractImplausibleChecks },
  { name: 'evaluate-rank-alerts', ...every(second), run: evaluateRankAlerts },
  { name: 'evaluate-change-alerts', ...every(10 * second), run: evaluateChangeAlerts },
  { name: 'evaluate-review-alerts', ...every(10 * second), run: evaluateReviewAlerts },
  { name: 'refresh-budgets', ...every(second), run: refreshStaleBudgets },
  { name: 'count-days', ...every(2 * second), run: countDays },
  { name: 'merge-counts', ...every(5 * second), run: mergeCounts },
  { name: 'emit-digests', ...every(minute), run: emitDigests },
  { name: 'schedule-action-runs', ...every(minute), run: scheduleActionRuns },
  { name: 'delete-expired-exports', ...every(minute), run: deleteExpired },
  { name: 'purge-deleted-accounts', ...every(minute), run: purgeDeleted },
  { name: 'purge-import-parts', ...every(minute), run: purgeImportParts },
  { name: 'purge-popularity-parts', ...every(minute), run: purgePopularityParts },
  { name: 'purge-history-imports', ...every(minute), run: purgeHistoryImports },
  { name: 'retry-crashed-jobs', ...every(5 * minute), run: retryCrashedJobs },
  { name: 'check-capacity', ...every(5 * minute), run: checkCapacity },
  { name: 'sync-field-watch', ...every(5 * second), inEveryProcess: true, run: syncFieldWatch },
  {
    name: 'sync-job-status',
    ...every(0),
    run: (services) => syncOpenJobs(services, { kinds: storeJobKinds, probeRetryMs }),
  },
  { name: 'start-due-backup', ...every(15 * second), run: startDueBackup },
  {
    name: 'delete-old-backups',
    ...every(10 * minute),
    inEveryProcess: true,
    retry: { afterMs: 10 * minute },
    run: deleteOldBackups,
  },
  { name: 'start-due-parquet-export', ...every(15 * second), run: startDueParquetExport },
  { name: 'start-due-popularity-sync', ...every(15 * second), run: startDueSync },
  { name: 'start-due-upload', ...every(15 * second), inEveryProcess: true, run: startDueUpload },
  { name: 'check-backups', ...every(5 * minute), run: checkBackups },
  { name: 'end-long-reads', ...every(15 * second), run: endLongReads },
  { name: 'fetch-images', ...every(second), run: startImageFetches },
  { name: 'check-for-update', ...every(5 * minute), run: checkForUpdate },
  { name: 'apply-retention', ...daily, run: applyRetention },
  {
    name: 'store-probe',
    ...inPhase(0, { planned: 10, urgent: 10 }),
    // Nothing else is requested from a store whose probe failed.
    retry: { everyMs: probeRetryMs },
    run: probeStore,
  },
  { name: 'rank-check', ...inPhase(1, { planned: 20, urgent: 1 }, probeRetryMs), run: checkMarket },
  { name: 'app-refresh', ...inPhase(2, { planned: 30, urgent: 2 }), run: refreshListings },
  { name: 'listing-names', ...inPhase(2, { planned: 31, urgent: 2 }), run: nameListings },
  { name: 'reviews', ...inPhase(3, { planned: 40, urgent: 3 }), run: storeTask(syncReviews) },
  { name: 'page', ...inPhase(3, { planned: 41, urgent: 3 }), run: storeTask(readPage) },
  { name: 'chart', ...inPhase(4, { planned: 50, urgent: 3 }), run: storeTask(readChart) },
  { name: 'hints', ...inPhase(5, { planned: 60, urgent: 3 }), run: storeTask(readHints) },
  { name: 'recompute', ...accepted, run: recomputeScores },
  { name: 'country-scores', ...accepted, queue: 'country-scores', run: scoreCountries },
  { name: 'actions-run', ...accepted, workspaces: 'active or lapsed', run: runActions },
  { name: 'export', ...long, workspaces: 'any', run: writeWorkspaceExport },
  { name: 'import', ...long, run: runImport },
  { name: 'popularity-import', ...long, timeoutMs: hour, run: runPopularityImport },
  { name: 'history-check', ...long, timeoutMs: hour, run: runHistoryCheck },
  { name: 'history-import', ...long, run: runHistoryImport },
  { name: 'redeliver', ...accepted, run: runRedelivery },
  { name: 'digest-mail', ...mailed, run: sendDigestEmail },
  { name: 'failure-mail', ...mailed, run: sendFailureEmail },

  {
    name: 'webhook-delivery',
    trigger: 'emitted',
    queue: 'deliveries',
    // Ten attempts in 75 hours and 35 minutes.
    retry: { delaysMs: [5 * second, ...minutes(5, 30, 120, 300, 600, 840, 1_200, 1_440)] },
    timeoutMs: minute,
    responseTimeoutMs: 15 * second,
    run: deliver,
  },
];

const storeJobs: Registry['storeJobs'] = {
  'first-check': ['rank-check'],
  'run-daily': ['rank-check', 'app-refresh', 'reviews', 'page', 'chart'],
  'keyword-check': ['rank-check'],
  'app-refresh': ['app-refresh'],
  'review-sync': ['reviews'],
  score: ['rank-check', 'hints'],
};
const storeJobKinds = Object.keys(storeJobs) as (keyof typeof storeJobs)[];

/**
 * Handlers throw while the database is unavailable; after five attempts the job leaves its queue.
 */
const retryDelaysMs = [second, 4 * second, 16 * second, minute];

export const registry: Registry = {
  pollInterval: { everyMs: second, maxIdleMs: 30 * second, afterFailureMs: 2 * second },
  entries,
  storeJobs,
  queues: {
    store: {
      // The whole pace is used, and urgent work waits behind few jobs.
      concurrency: (requestsPerSecond) =>
        Math.min(32, Math.max(2, Math.ceil(3 * requestsPerSecond))),
      maxEnqueued: 500,
      urgentSeconds: 4,
      leaseMs: 2 * minute,
      urgentLeaseMs: 20 * second,
      retryDelaysMs,
    },
    background: { concurrency: 8, batchSize: 100, leaseMs: 2 * minute, retryDelaysMs },
    // Half of the slots are left to other workspaces, however many files one of them has.
    transfers: {
      concurrency: 4,
      maxOfWorkspace: 2,
      batchSize: 100,
      leaseMs: 2 * minute,
      retryDelaysMs,
    },
    // Two wait for the stores with eight searches; more would only wait longer.
    'country-scores': { concurrency: 2, batchSize: 100, leaseMs: 2 * minute, retryDelaysMs },
    // Slow receivers delay only each other: fifty that never respond leave capacity.
    deliveries: { concurrency: 128, batchSize: 100, leaseMs: minute, retryDelaysMs },
  },
};
