import {
  listPaceReadings,
  readDatabaseBytes,
  readRunReadings,
  readServiceFacts,
} from '../../db/queries/service.ts';
import type { Ctx } from '../context.ts';
import { utcDayOf } from '../../lib/dates.ts';
import type { QueueProbe } from './health.ts';

export interface Reading {
  name: string;
  help: string;
  samples: { labels: Record<string, string>; value: number }[];
}

export interface QueueReadings extends QueueProbe {
  version: string;
  uptimeSeconds: number;
}

const timeoutMs = 2_000;

/** What the instance can say of itself now. A reading that cannot be taken has no samples: a missing series, not a 0. */
export async function readReadings(
  ctx: Pick<Ctx, 'systemDb' | 'headroom' | 'clock' | 'settings'>,
  service: QueueReadings,
): Promise<Reading[]> {
  const { diskBudgetBytes } = ctx.settings;
  const [facts, run, paces, used, waiting, stored] = await Promise.all([
    taken(readServiceFacts(ctx.systemDb)),
    taken(readRunReadings(ctx.systemDb, utcDayOf(ctx.clock.now()))),
    taken(listPaceReadings(ctx.systemDb, utcDayOf(ctx.clock.now()))),
    taken(ctx.headroom.usedBytes()),
    taken(service.waiting()),
    taken(readDatabaseBytes(ctx.systemDb)),
  ]);
  const one = (value: number | null | undefined, labels = {}) =>
    value === null || value === undefined ? [] : [{ labels, value }];
  const each = (pick: (pace: NonNullable<typeof paces>[number]) => number | null) =>
    (paces ?? []).flatMap((pace) => one(pick(pace), { store: pace.store }));
  return [
    { name: 'info', help: 'The version that runs.', samples: one(1, { version: service.version }) },
    {
      name: 'uptime_seconds',
      help: 'Seconds since this process began to answer.',
      samples: one(service.uptimeSeconds),
    },
    {
      name: 'database_up',
      help: 'Whether the database answered.',
      samples: one(facts === null ? 0 : 1),
    },
    {
      name: 'failed_jobs',
      help: 'Accepted work that failed for good.',
      samples: one(facts?.failedJobs),
    },
    { name: 'queue_waiting', help: 'Jobs in the queue store.', samples: one(waiting) },
    { name: 'queue_used_bytes', help: 'What the queue store holds.', samples: one(used) },
    { name: 'queue_capacity_bytes', help: 'Its ceiling.', samples: one(ctx.headroom.capBytes) },
    {
      name: 'storage_used_bytes',
      help: 'What the database takes on the disk.',
      samples: one(stored),
    },
    {
      name: 'storage_budget_bytes',
      help: 'DISK_BUDGET_BYTES, where it is set.',
      samples: one(diskBudgetBytes || null),
    },
    {
      name: 'markets_due',
      help: 'Markets without an outcome today.',
      samples: (run ?? []).flatMap((row) => one(row.due, { store: row.store })),
    },
    {
      name: 'markets_checked',
      help: 'Markets with an answer today.',
      samples: (run ?? []).flatMap((row) => one(row.checked, { store: row.store })),
    },
    {
      name: 'market_gaps',
      help: 'Markets without an answer today, for a reason.',
      samples: (run ?? []).flatMap((row) => one(row.gaps, { store: row.store })),
    },
    {
      name: 'store_requests_today',
      help: 'Requests sent to the store this UTC day.',
      samples: each((pace) => pace.requests),
    },
    {
      name: 'store_refusals_today',
      help: 'Of them refused.',
      samples: each((pace) => pace.refused),
    },
    {
      name: 'store_pace_factor',
      help: '1 is full pace; more is slower, after refusals.',
      samples: each((pace) => pace.slowFactor),
    },
  ];
}

/** Null for a probe that fails or hangs. */
function taken<T>(probe: Promise<T>): Promise<T | null> {
  return new Promise((resolve) => {
    const timer = setTimeout(() => resolve(null), timeoutMs);
    probe.then(resolve, () => resolve(null)).finally(() => clearTimeout(timer));
  });
}
