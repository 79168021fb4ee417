import type { JobKindsByWorkspace } from '#db/queries/jobs/background-jobs.ts';
import type { PeriodicTask } from './run-periodic-tasks.ts';
import type { PlannedKind, RowQueue } from './store-work.ts';

/** The settings by which a day's work is enqueued for a store. */
export interface StoreSchedule {
  /** The kinds of each phase; a phase begins when nothing of the one before is due. */
  phases: readonly (readonly PlannedKind[])[];
  /** The interval of the probes of a degraded store, to which nothing else is sent. */
  probeRetryMs: number;
  /** The most jobs of the run that are enqueued at a time. */
  maxEnqueued: number;
  /** Urgent jobs are enqueued for so many seconds. */
  urgentSeconds: number;
  /** A job that its queue lost is enqueued again after this time; a queue never has a job twice. */
  leaseMs: number;
  urgentLeaseMs: number;
}

/** The settings by which accepted rows are enqueued. */
export interface RowSchedule {
  leaseMs: number;
  /** Rows enqueued by one tick. */
  batchSize: number;
}

export interface BackgroundSchedule extends RowSchedule {
  queue: RowQueue;
  /** Jobs of a workspace that are enqueued at a time; the others wait in their rows. */
  maxOfWorkspace?: number;
  kinds: JobKindsByWorkspace;
}

/** The part of the registry of background work that the scheduler's tick reads. */
export interface Schedule {
  store: StoreSchedule;
  /** One for each queue of accepted jobs. */
  backgroundJobs: readonly BackgroundSchedule[];
  deliveries: RowSchedule;
  periodicTasks: readonly PeriodicTask[];
}
