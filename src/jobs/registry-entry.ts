import type { DeliveryOptions } from '#domain/alerting/webhooks/deliver.ts';
import type { StoreRetryPolicy, StoreWorkOptions } from '#domain/base/plan-store-retry.ts';
import type { StoreRequestOptions, StoreTaskKind } from '#domain/base/ports.ts';
import type { BackgroundJob } from '#domain/scheduling/background-jobs/run-background-job.ts';
import type { PeriodicTask } from '#domain/scheduling/runs/run-periodic-tasks.ts';
import type {
  BackgroundSchedule,
  RowSchedule,
  StoreSchedule,
} from '#domain/scheduling/runs/schedule.ts';
import type {
  BackgroundWork,
  PlannedKind,
  RowQueue,
  StoreWork,
} from '#domain/scheduling/runs/store-work.ts';
import type { StoreJobKind } from '#domain/scheduling/runs/sync-open-jobs.ts';
import type { CheckServices } from '#domain/tracking/rankings/check-market.ts';

/** Runs in the scheduler's process, without a queue. */
export interface PeriodicEntry extends PeriodicTask {
  queue: 'scheduler';
}

export type WorkOf<Kind extends StoreWork['kind']> = Extract<StoreWork, { kind: Kind }>;

interface PlannedEntryOf<
  Name extends PlannedKind,
  Work extends StoreWork,
  Retry,
  Options extends StoreRequestOptions,
> {
  name: Name;
  /** Its rows belong to the day's run, in the order of the phases; phase 0 is the probe. */
  trigger: { phase: number };
  /** The queue of its store, which has the store's id as its name. */
  queue: 'store';
  /** Lower numbers run first. A person waits for urgent work. */
  priority: { planned: number; urgent: number };
  retry: Retry;
  timeoutMs: number;
  run(services: CheckServices, work: Work, options: Options): Promise<unknown>;
}

type StoreEntryOf<Name extends PlannedKind, Work extends StoreWork> = PlannedEntryOf<
  Name,
  Work,
  StoreRetryPolicy,
  StoreWorkOptions
>;

/** A degraded store is probed again after `everyMs`, for as long as its day lasts. */
export type ProbeEntry = PlannedEntryOf<
  'store-probe',
  WorkOf<'store-probe'>,
  { everyMs: number },
  StoreRequestOptions
>;
export type PlannedEntry =
  | ProbeEntry
  | StoreEntryOf<'rank-check', WorkOf<'rank-check'>>
  | StoreEntryOf<'app-refresh', WorkOf<'app-refresh'>>
  | StoreEntryOf<'listing-names', WorkOf<'listing-names'>>
  | StoreEntryOf<StoreTaskKind, WorkOf<'store-task'>>;
export type StoreEntry = StoreEntryOf<PlannedKind, StoreWork>;

/** Jobs that wait for a store or take hours have queues of their own, so that no other waits. */
export type JobQueue = Exclude<RowQueue, 'deliveries'>;

/** A row of `jobs` that a worker runs. */
export interface JobEntry extends BackgroundJob {
  trigger: 'accepted';
  queue: JobQueue;
  /** The workspaces in which it may run; in others the job waits. */
  workspaces: 'active' | 'active or lapsed' | 'any';
}

/** A row of `deliveries`, written with its event. */
export interface DeliveryEntry {
  name: 'webhook-delivery';
  trigger: 'emitted';
  queue: 'deliveries';
  retry: { delaysMs: readonly number[] };
  timeoutMs: number;
  /** For the receiver's whole response; the rest of `timeoutMs` is for our own rows. */
  responseTimeoutMs: number;
  run(
    services: CheckServices,
    work: Extract<BackgroundWork, { kind: 'delivery' }>,
    options: DeliveryOptions,
  ): Promise<void>;
}

export type RegistryEntry = PeriodicEntry | PlannedEntry | JobEntry | DeliveryEntry;

interface WorkerSettings {
  /** The pauses after a handler threw, for example while the database is unavailable. */
  retryDelaysMs: readonly number[];
}

export interface StoreQueueSettings
  extends
    WorkerSettings,
    Pick<StoreSchedule, 'maxEnqueued' | 'urgentSeconds' | 'leaseMs' | 'urgentLeaseMs'> {
  /** Jobs that one worker process runs at a time, by the store's pace. */
  concurrency(requestsPerSecond: number): number;
}

export interface RowQueueSettings
  extends WorkerSettings, RowSchedule, Pick<BackgroundSchedule, 'maxOfWorkspace'> {
  /** Jobs that one worker process runs at a time. */
  concurrency: number;
}

/** All background work: the table of registry.ts, or the one of a test. */
export interface Registry {
  /** The pause after a tick: while there are writes, without any, and after a failure. */
  pollInterval: { everyMs: number; maxIdleMs: number; afterFailureMs: number };
  entries: readonly RegistryEntry[];
  /** Accepted jobs that make planned rows urgent, and are complete when these are. */
  storeJobs: Record<StoreJobKind, readonly PlannedKind[]>;
  queues: { store: StoreQueueSettings } & Record<RowQueue, RowQueueSettings>;
}

export const isPeriodic = (entry: RegistryEntry): entry is PeriodicEntry =>
  entry.queue === 'scheduler';
export const isPlanned = (entry: RegistryEntry): entry is PlannedEntry => entry.queue === 'store';
export const isProbe = (entry: RegistryEntry): entry is ProbeEntry => entry.name === 'store-probe';
export const isJob = (entry: RegistryEntry): entry is JobEntry => entry.trigger === 'accepted';
export const isDelivery = (entry: RegistryEntry): entry is DeliveryEntry =>
  entry.queue === 'deliveries';
