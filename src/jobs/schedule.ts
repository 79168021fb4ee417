import type { Schedule } from '#domain/scheduling/runs/schedule.ts';
import {
  isJob,
  isPeriodic,
  isPlanned,
  isProbe,
  type JobEntry,
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
    backgroundJobs: { ...queues.background, kinds: jobKindsOf(registry) },
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

export function jobKindsOf({ entries }: Registry): Schedule['backgroundJobs']['kinds'] {
  const namesOf = (workspaces: JobEntry['workspaces']) =>
    entries
      .filter(isJob)
      .filter((entry) => entry.workspaces === workspaces)
      .map(({ name }) => name);
  return {
    active: namesOf('active'),
    activeOrLapsed: namesOf('active or lapsed'),
    any: namesOf('any'),
  };
}
