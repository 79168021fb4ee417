import { listPaces, type EndpointPace } from '#db/queries/admin/admin.ts';
import {
  listRequestMetrics,
  readDatabaseBytes,
  listRunMetrics,
  readServiceFacts,
} from '#db/queries/health/metrics.ts';
import { listOpenDrifts } from '#db/queries/drift/field-drifts.ts';
import type { Ctx } from '#domain/base/context.ts';
import { storeProfiles } from '#domain/base/ports.ts';
import { addDays, startOfDayMs, utcDayOf, type UtcDay } from '#lib/dates.ts';
import { getBackupState, type BackupState } from '../backups/get-backup-state.ts';
import { canWrite } from './can-write.ts';
import type { QueueProbe, ReplicaReader } from './get-health.ts';

export interface Reading {
  /** In Prometheus and in OpenTelemetry. */
  name: string;
  help: string;
  samples: { labels: Record<string, string>; value: number }[];
}

export interface QueueMetrics extends QueueProbe {
  /** Absent without a replica. */
  replica?: ReplicaReader;
  version: string;
  uptimeSeconds: number;
}

const timeoutMs = 2_000;
const hourMs = 3_600_000;

/** Collects the instance's metrics. A metric that cannot be read has no samples; it is never 0. */
export async function collectMetrics(ctx: MetricsCtx, service: QueueMetrics): Promise<Reading[]> {
  return (await readMetrics(ctx, service)).map(withPrefix);
}

/** All that a caller may see who cannot be verified, because the database does not respond. */
export const listOutageMetrics = (): Reading[] => [databaseReading(false)].map(withPrefix);

const withPrefix = (reading: Reading): Reading => ({ ...reading, name: `toprung_${reading.name}` });

type MetricsCtx = Pick<Ctx, 'systemDb' | 'queueCapacity' | 'clock' | 'settings' | 'backups'>;

async function readMetrics(ctx: MetricsCtx, service: QueueMetrics): Promise<Reading[]> {
  const { diskBudgetBytes } = ctx.settings;
  const today = utcDayOf(ctx.clock.now());
  const [facts, writable, run, requests, paces, drifts, queue, stored, backup, replica] =
    await Promise.all([
      taken(readServiceFacts(ctx.systemDb, null, today)),
      taken(canWrite(ctx.systemDb)),
      taken(listRunMetrics(ctx.systemDb, today)),
      taken(listRequestMetrics(ctx.systemDb, today)),
      taken(listPaces(ctx.systemDb)),
      taken(listOpenDrifts(ctx.systemDb)),
      readQueue(ctx, service),
      taken(readDatabaseBytes(ctx.systemDb)),
      taken(getBackupState(ctx)),
      service.replica ? taken(service.replica()) : null,
    ]);
  return [
    { name: 'info', help: 'The running version.', samples: one(1, { version: service.version }) },
    {
      name: 'uptime_seconds',
      help: 'Seconds since the start of this process.',
      samples: one(service.uptimeSeconds),
    },
    databaseReading(facts !== null),
    {
      name: 'database_writable',
      help: 'Whether the database accepts writes; 0 while its disk is full.',
      samples: one(facts === null ? null : Number(writable === true)),
    },
    {
      name: 'failed_jobs',
      help: 'Jobs that failed permanently.',
      samples: one(facts?.failedJobs),
    },
    ...queueReadings(queue, facts !== null, writable === true),
    {
      name: 'storage_used_bytes',
      help: 'Size of the database on disk.',
      samples: one(stored),
    },
    {
      name: 'storage_budget_bytes',
      help: 'DISK_BUDGET_BYTES, when set.',
      samples: one(diskBudgetBytes || null),
    },
    ...replicaReadings(replica),
    ...backupReadings(backup),
    missedRunReading(ctx, facts?.lastRun?.date ?? null),
    {
      name: 'run_opened',
      help: 'Whether the run of this UTC day was opened.',
      samples: one(facts && Number(facts.lastRun?.date === today)),
    },
    {
      name: 'markets_due',
      help: 'Markets without a result or a gap today.',
      samples: (run ?? []).flatMap((row) => one(row.due, { store: row.store })),
    },
    {
      name: 'markets_checked',
      help: 'Markets with a result today.',
      samples: (run ?? []).flatMap((row) => one(row.checked, { store: row.store })),
    },
    {
      name: 'market_gaps',
      help: 'Markets with a gap today.',
      samples: (run ?? []).flatMap((row) => one(row.gaps, { store: row.store })),
    },
    {
      name: 'store_requests_today',
      help: 'Requests sent to the store this UTC day.',
      samples: (requests ?? []).flatMap((row) => one(row.requests, { store: row.store })),
    },
    {
      name: 'store_refusals_today',
      help: 'Requests that the store refused.',
      samples: (requests ?? []).flatMap((row) => one(row.refused, { store: row.store })),
    },
    {
      name: 'store_pace_factor',
      help: '1 is full pace; higher is slower, after refusals.',
      samples: paceSamples(ctx, paces ?? []),
    },
    {
      name: 'field_drifting',
      help: '1 for a field that a store does not send as before.',
      samples: (drifts ?? []).flatMap(({ store, source, field }) =>
        one(1, { store, source, field }),
      ),
    },
  ];
}

const databaseReading = (isUp: boolean): Reading => ({
  name: 'database_up',
  help: 'Whether the database responded.',
  samples: one(Number(isUp)),
});

/** The slowest endpoint of each store. Those that were given up, and pictures, delay no check. */
function paceSamples({ settings }: MetricsCtx, paces: readonly EndpointPace[]): Reading['samples'] {
  const names = settings.egress().map(({ name }) => name);
  return storeProfiles.flatMap(({ id: store, images }) => {
    const factors = paces
      .filter((pace) => pace.store === store && pace.host !== images?.host)
      .filter(({ endpoint }) => names.includes(endpoint))
      .map(({ slowFactor }) => slowFactor);
    return one(factors.length === 0 ? null : Math.max(...factors), { store });
  });
}

/** Processes that restart get an hour. The first run of an instance cannot be missed. */
function missedRunReading({ clock, settings }: MetricsCtx, lastRunOn: UtcDay | null): Reading {
  const now = clock.now();
  const isMissed = (after: UtcDay) =>
    after < addDays(utcDayOf(now), -1) ||
    now.getTime() >= startOfDayMs(addDays(after, 1)) + settings.dailyRunAtMinutes * 60_000 + hourMs;
  return {
    name: 'run_missed',
    help: '1 while the run after the newest one was not opened within an hour after DAILY_RUN_AT.',
    samples: one(lastRunOn === null ? null : Number(isMissed(lastRunOn))),
  };
}

const one = (value: number | null | undefined, labels = {}): Reading['samples'] =>
  value === null || value === undefined ? [] : [{ labels, value }];

interface QueueState {
  backend: 'postgres' | 'redis';
  accepts: boolean | null;
  waiting: number | null;
  used: number | null;
  capBytes: number;
}

async function readQueue({ queueCapacity }: MetricsCtx, probe: QueueProbe): Promise<QueueState> {
  const [accepts, waiting, used] = await Promise.all([
    taken(probe.isWritable()),
    taken(probe.waiting()),
    taken(queueCapacity.usedBytes()),
  ]);
  return { backend: probe.backend, accepts, waiting, used, capBytes: queueCapacity.capBytes };
}

/** A queue in PostgreSQL responds and accepts writes as the database does. */
function queueReadings(
  queue: QueueState,
  isDatabaseUp: boolean,
  isDatabaseWritable: boolean,
): Reading[] {
  const { backend, accepts, waiting, used, capBytes } = queue;
  const isRedis = backend === 'redis';
  const isUp = isRedis ? accepts !== null : isDatabaseUp;
  const isWritable = isRedis ? accepts === true : isDatabaseWritable;
  return [
    {
      name: 'queue_up',
      help: 'Whether the queue store responded.',
      samples: one(Number(isUp), { backend }),
    },
    {
      name: 'queue_writable',
      help: 'Whether the queue store accepts writes; 0 while its disk is full.',
      samples: one(isUp ? Number(isWritable) : null, { backend }),
    },
    { name: 'queue_waiting', help: 'Jobs in the queue store.', samples: one(waiting) },
    { name: 'queue_used_bytes', help: 'Size of the queue store.', samples: one(used) },
    { name: 'queue_capacity_bytes', help: 'Its ceiling.', samples: one(capBytes) },
  ];
}

function replicaReadings(replica: Awaited<ReturnType<ReplicaReader>> | null): Reading[] {
  const { reads } = replica ?? {};
  return [
    {
      name: 'replica_usable',
      help: '1 while heavy reads can use the replica.',
      samples: one(replica && Number(replica.fault === null)),
    },
    {
      name: 'replica_lag_bytes',
      help: 'Bytes of the write-ahead log that the replica has not replayed.',
      samples: one(replica?.lagBytes),
    },
    {
      name: 'heavy_reads',
      help: 'Heavy reads and exports of this process, by the server at which they began.',
      samples: [
        ...one(reads?.primary, { server: 'primary' }),
        ...one(reads?.replica, { server: 'replica' }),
      ],
    },
  ];
}

function backupReadings(backup: BackupState | null): Reading[] {
  const lastAt = backup?.lastAt;
  return [
    {
      name: 'backup_last_success_timestamp_seconds',
      help: 'When the newest good backup was begun.',
      samples: one(lastAt && lastAt.getTime() / 1_000),
    },
    {
      name: 'backup_last_size_bytes',
      help: 'The size of its file.',
      samples: one(backup?.bytes),
    },
    {
      name: 'backup_last_duration_seconds',
      help: 'How long it took.',
      samples: one(backup?.seconds),
    },
    {
      name: 'backup_overdue',
      help: '1 while a scheduled backup is missing.',
      samples: one(backup && Number(backup.isOverdue)),
    },
    {
      name: 'backup_upload_last_success_timestamp_seconds',
      help: 'When the newest backup in the bucket was begun.',
      samples: one(backup?.upload?.lastAt && backup.upload.lastAt.getTime() / 1_000),
    },
    {
      name: 'backup_upload_overdue',
      help: '1 while the bucket lacks a backup of the last 27 hours.',
      samples: one(backup?.upload && Number(backup.upload.isOverdue)),
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
