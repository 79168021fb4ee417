import { readServiceFacts, type ServiceFacts } from '#db/queries/health/metrics.ts';
import { hasOneWorkspace } from '#db/queries/runs/run-list.ts';
import type { Ctx, Services } from '#domain/base/context.ts';

export interface QueueProbe {
  backend: 'postgres' | 'redis';
  /** Jobs waiting in the queue store; null when it cannot be read. */
  waiting: () => Promise<number | null>;
}

export interface Health {
  db: { ok: boolean; latencyMs: number | null };
  queue: {
    ok: boolean;
    backend: 'postgres' | 'redis';
    waiting: number | null;
    usedBytes: number | null;
    capBytes: number;
  };
  failedJobs: number | null;
  lastRun: ServiceFacts['lastRun'];
}

/**
 * Returns the state of the instance. Values that cannot be read are null, never 0. Members of a
 * shared instance get null for counts over all workspaces, and so does a caller who could not be
 * verified because the database is away.
 */
export async function getHealth(
  services: Services,
  actor: Ctx['actor'] | null,
  probe: QueueProbe,
): Promise<Health> {
  const startedMs = performance.now();
  const facts = await bounded(readServiceFacts(services.systemDb));
  const latencyMs = facts === null ? null : Math.round((performance.now() - startedMs) * 100) / 100;
  const [usedBytes, counted, showsCounts] = await Promise.all([
    bounded(services.headroom.usedBytes()),
    bounded(probe.waiting()),
    actor && bounded(maySeeInstance({ ...services, actor })),
  ]);
  const waiting = showsCounts === true ? counted : null;
  const { capBytes } = services.headroom;
  const full = usedBytes !== null && usedBytes >= capBytes * 0.95;
  return {
    db: { ok: facts !== null, latencyMs },
    queue: {
      ok: !full && (probe.backend === 'postgres' || usedBytes !== null),
      backend: probe.backend,
      waiting,
      usedBytes,
      capBytes,
    },
    failedJobs: showsCounts === true ? (facts?.failedJobs ?? null) : null,
    lastRun: facts?.lastRun ?? null,
  };
}

/**
 * Counts of the whole instance are for operators, and for everybody while there is one workspace.
 */
export async function maySeeInstance(ctx: Pick<Ctx, 'actor' | 'systemDb'>): Promise<boolean> {
  return ctx.actor.operator || hasOneWorkspace(ctx.systemDb);
}

/** Null for a probe that does not respond in time. */
function bounded<T>(probe: Promise<T>, timeoutMs = 2_000): Promise<T | null> {
  return new Promise((resolve) => {
    const timer = setTimeout(() => resolve(null), timeoutMs);
    probe.then(resolve, () => resolve(null)).finally(() => clearTimeout(timer));
  });
}
