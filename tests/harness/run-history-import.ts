import { openDatabase } from '#db/database.ts';
import { openPool } from '#db/pool.ts';
import { runHistoryImport } from '#domain/transfer/history/run-import.ts';
import { silentLogger } from '#lib/logger.ts';
import { readerOf } from './history.ts';

/** Runs the job of an import as a worker does. */
export async function runHistoryJob(
  url: string,
  job: { id: number; workspaceId: number; appId: number; importId: number },
): Promise<void> {
  const open = (role: 'app' | 'system') =>
    openPool({ url, role, max: 2, statementTimeoutMs: 10_000, log: silentLogger });
  const pools = [open('app'), open('system')] as const;
  const databases = { appDb: openDatabase(pools[0]), systemDb: openDatabase(pools[1]) };
  const { id, workspaceId, appId, importId } = job;
  const ctx = readerOf(databases, workspaceId, '2026-11-21T12:00:00Z');
  const payload = { importId, actor: ctx.actor, workspaceState: ctx.workspaceState };
  try {
    await runHistoryImport(
      ctx,
      { id, workspaceId, appId, kind: 'history-import', payload, attempts: 1 },
      AbortSignal.timeout(120_000),
    );
  } finally {
    await Promise.all(pools.map((pool) => pool.end()));
  }
}
