import type { JobKindsByWorkspace } from '#db/queries/jobs/background-jobs.ts';
import type { PeriodicTask } from './run-periodic-tasks.ts';
import type { PlannedKind } from './store-work.ts';

/** How a day's work goes to a store's queue. */
export interface StoreSchedule {
  /** Kinds in the order of a day; the next phase begins when nothing of the one before is due. */
  phases: readonly (readonly PlannedKind[])[];
  /** While a store fails its probe, nothing but the probe is sent, this often. */
  probeRetryMs: number;
  /** Jobs of the run that are enqueued at a time, and as many urgent ones. */
  maxEnqueued: number;
  /** A job that its queue lost is enqueued again after this; one it still has is not duplicated. */
  leaseMs: number;
  urgentLeaseMs: number;
}

/** How accepted rows go to their queue. */
export interface RowSchedule {
  leaseMs: number;
  /** Rows enqueued by one tick. */
  batchSize: number;
}

/** The part of the registry of background work that the scheduler's tick reads. */
export interface Schedule {
  store: StoreSchedule;
  backgroundJobs: RowSchedule & { kinds: JobKindsByWorkspace };
  deliveries: RowSchedule;
  periodicTasks: readonly PeriodicTask[];
}
