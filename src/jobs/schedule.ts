import type { BackgroundSchedule, Schedule } from '#domain/scheduling/runs/schedule.ts';
import {
  isJob,
  isPeriodic,
  isPlanned,
  isProbe,
  type JobEntry,
  type JobQueue,
  type Registry,
} from './registry-entry.ts';

/** The part of the registry that the scheduler's tick reads. */
export function scheduleOf(registry: Registry): Schedule {
  const { entries, queues } = registry;
  const { maxEnqueued, urgentSeconds, leaseMs, urgentLeaseMs } = queues.store;
  return {
    store: {
      phases: phasesOf(registry),
      probeRetryMs: entries.find(isProbe)?.retry.everyMs ?? 0,
      maxEnqueued,
      urgentSeconds,
      leaseMs,
      urgentLeaseMs,
    },
    backgroundJobs: [...new Set(entries.filter(isJob).map(({ queue }) => queue))].map((queue) => ({
      ...queues[queue],
      queue,
      kinds: jobKindsOf(registry, queue),
    })),
    deliveries: queues.deliveries,
    periodicTasks: entries.filter(isPeriodic),
  };
}

/** The phases after the probe, in their order. */
function phasesOf({ entries }: Registry): Schedule['store']['phases'] {
  const planned = entries.filter(isPlanned).filter((entry) => !isProbe(entry));
  return [...Map.groupBy(planned, (entry) => entry.trigger.phase)]
    .toSorted(([a], [b]) => a - b)
    .map(([, ofPhase]) => ofPhase.map(({ name }) => name));
}

/** The kinds of accepted jobs, of one queue or of all. */
export function jobKindsOf({ entries }: Registry, queue?: JobQueue): BackgroundSchedule['kinds'] {
  const namesOf = (workspaces: JobEntry['workspaces']) =>
    entries
      .filter(isJob)
      .filter((entry) => entry.workspaces === workspaces)
      .filter((entry) => queue === undefined || entry.queue === queue)
      .map(({ name }) => name);
  return {
    active: namesOf('active'),
    activeOrLapsed: namesOf('active or lapsed'),
    any: namesOf('any'),
  };
}
