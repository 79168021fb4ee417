import type { Logger } from '#lib/logger.ts';
import { openDatabase, type Db } from '../database.ts';
import { openPool } from '../pool.ts';
import {
  listNewestProbes,
  listPaces,
  type EndpointPace,
  type NewestProbe,
} from '../queries/admin/admin.ts';
import { readNewestVersion } from '../queries/updates/updates.ts';
import { readLastBackup, type BackupDates } from '../queries/backups/backups.ts';

/** Facts of our own tables. Each is null when an older schema does not have it. */
export interface InstanceFacts {
  backup: BackupDates | null;
  paces: EndpointPace[] | null;
  probes: NewestProbe[] | null;
  newestVersion: string | null;
}

/** `address` is that of the bucket. Reads as the system role; the connection refuses to write. */
export async function readInstanceFacts(
  url: string,
  at: { now: Date; address: string | null },
  log: Logger,
): Promise<InstanceFacts> {
  const pool = openPool({
    url,
    role: 'system',
    max: 1,
    statementTimeoutMs: 5_000,
    isReading: true,
    log,
  });
  try {
    return await readAll(openDatabase(pool), at);
  } finally {
    await pool.end().catch(() => undefined);
  }
}

async function readAll(
  systemDb: Db,
  at: { now: Date; address: string | null },
): Promise<InstanceFacts> {
  const [backup, paces, probes, newest] = await Promise.all([
    readLastBackup(systemDb, at).catch(nullIfAbsent),
    listPaces(systemDb).catch(nullIfAbsent),
    listNewestProbes(systemDb).catch(nullIfAbsent),
    readNewestVersion(systemDb).catch(nullIfAbsent),
  ]);
  return { backup, paces, probes, newestVersion: newest?.version ?? null };
}

/** A schema of an older version lacks a table or a column. */
function nullIfAbsent(error: unknown): null {
  const { code } = error as { code?: string };
  if (code === '42P01' || code === '42703') return null;
  throw error;
}
