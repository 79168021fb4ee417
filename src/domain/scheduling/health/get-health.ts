import type { ReplicaHealth } from '#db/replica/probe-replica.ts';
import { readServiceFacts, type ServiceFacts } from '#db/queries/health/metrics.ts';
import { hasOneWorkspace } from '#db/queries/runs/run-list.ts';
import type { Ctx, Services } from '#domain/base/context.ts';
import { utcDayOf } from '#lib/dates.ts';
import { getBackupState, type BackupState } from '../backups/get-backup-state.ts';
import { canWrite } from './can-write.ts';

export interface QueueProbe {
  backend: 'postgres' | 'redis';
  /** Jobs waiting in the queue store; null when it cannot be read. */
  waiting: () => Promise<number | null>;
  /** Null where the queue is in the database. */
  isWritable: () => Promise<boolean | null>;
}

/** The state of the replica, and the heavy reads of this process by the server where they began. */
export type ReplicaReader = () => Promise<
  ReplicaHealth & { reads?: { primary: number; replica: number } }
>;

/** As BackupState, with times as text. */
export interface BackupHealth extends Omit<BackupState, 'lastAt' | 'upload'> {
  lastAt: string | null;
  upload: { lastAt: string | null; isOverdue: boolean } | null;
}

export interface Health {
  /** `writable` is null while the database does not respond. */
  db: { ok: boolean; latencyMs: number | null; writable: boolean | null };
  queue: {
    ok: boolean;
    backend: 'postgres' | 'redis';
    writable: boolean | null;
    waiting: number | null;
    usedBytes: number | null;
    capBytes: number;
  };
  replica: { ok: boolean; fault: ReplicaHealth['fault']; lagBytes: number | null } | null;
  failedJobs: number | null;
  lastRun: ServiceFacts['lastRun'];
  backup: BackupHealth | null;
}

/**
 * Returns the state of the instance. Values that cannot be read are null, never 0. On a shared
 * instance `failedJobs` are those of the caller's workspace; the queue's load, the replica and the
 * backup are null. Without a caller, who cannot be verified while the database is away, all are
 * null.
 */
export async function getHealth(
  services: Services,
  caller: Pick<Ctx, 'actor' | 'workspaceId'> | null,
  probe: QueueProbe,
  readReplica?: ReplicaReader,
): Promise<Health> {
  const startedMs = performance.now();
  const today = utcDayOf(services.clock.now());
  const facts = await bounded(
    readServiceFacts(services.systemDb, caller?.workspaceId ?? null, today),
  );
  const latencyMs = facts === null ? null : Math.round((performance.now() - startedMs) * 100) / 100;
  const [writable, usedBytes, accepts, waiting, maySee, backup, replica] = await Promise.all([
    facts && bounded(canWrite(services.systemDb)).then((can) => can === true),
    bounded(services.queueCapacity.usedBytes()),
    bounded(probe.isWritable()),
    bounded(probe.waiting()),
    caller && bounded(maySeeInstance({ ...services, actor: caller.actor })),
    facts && bounded(getBackupState(services)),
    facts && readReplica ? bounded(readReplica(), 3_000) : null,
  ]);
  const { capBytes } = services.queueCapacity;
  const full = usedBytes !== null && usedBytes >= capBytes * 0.95;
  return {
    db: { ok: writable === true, latencyMs, writable },
    queue: {
      ok: !full && (probe.backend === 'postgres' || (usedBytes !== null && accepts === true)),
      backend: probe.backend,
      writable: probe.backend === 'postgres' ? null : accepts === true,
      waiting: maySee ? waiting : null,
      usedBytes: maySee ? usedBytes : null,
      capBytes,
    },
    replica: maySee && replica ? describeReplica(replica) : null,
    failedJobs: caller && facts && (maySee ? facts.failedJobs : facts.ownFailedJobs),
    lastRun: facts?.lastRun ?? null,
    backup: maySee && backup ? describeBackup(backup) : null,
  };
}

/**
 * Facts of the whole instance are for operators, and for everybody while there is one workspace and
 * no stranger can create another one.
 */
export async function maySeeInstance({
  actor,
  settings,
  systemDb,
}: Pick<Ctx, 'actor' | 'settings' | 'systemDb'>): Promise<boolean> {
  return actor.operator || (!settings.signUpOpen && (await hasOneWorkspace(systemDb)));
}

/** True for callers who may change the instance: operators, and owners who see it all. */
export async function managesInstance(
  ctx: Pick<Ctx, 'actor' | 'settings' | 'systemDb'>,
): Promise<boolean> {
  return ctx.actor.operator || (ctx.actor.role === 'owner' && (await maySeeInstance(ctx)));
}

/** Null for a probe that does not respond in time. */
function bounded<T>(probe: Promise<T>, timeoutMs = 2_000): Promise<T | null> {
  return new Promise((resolve) => {
    const timer = setTimeout(() => resolve(null), timeoutMs);
    probe.then(resolve, () => resolve(null)).finally(() => clearTimeout(timer));
  });
}

function describeReplica({ fault, lagBytes }: ReplicaHealth): Health['replica'] {
  return { ok: fault === null, fault, lagBytes };
}

function describeBackup({ lastAt, upload, ...facts }: BackupState): BackupHealth {
  const textOf = (at: Date | null) => at?.toISOString() ?? null;
  return {
    ...facts,
    lastAt: textOf(lastAt),
    upload: upload && { ...upload, lastAt: textOf(upload.lastAt) },
  };
}
