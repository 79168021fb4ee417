import type { BackgroundJobRow } from '#db/queries/jobs/background-jobs.ts';
import { extendJobLease } from '#db/queries/exports/workspace-exports.ts';
import {
  findHistoryImport,
  finishHistoryPhase,
  listHistoryKeywords,
  lockHistoryImport,
  updateHistoryProgress,
  type HistoryImportRow,
} from '#db/queries/history-imports/history-imports.ts';
import {
  deleteHistoryParts,
  findHistoryChunk,
  listHistoryChunks,
  lockHistoryChunk,
  updateHistoryChunk,
  type HistoryOutcomes,
} from '#db/queries/history-imports/parts-and-chunks.ts';
import { lockMarketsOf } from '#db/queries/keywords/keyword-writes.ts';
import {
  applyNewDailyRanks,
  insertImportedDailyRanks,
} from '#db/queries/rankings/imported-daily-ranks.ts';
import { writeAudit } from '#domain/base/audit/write-audit.ts';
import { inTenant, type Ctx, type Services } from '#domain/base/context.ts';
import { partsDeleted } from '#domain/base/jobs/permanent-failure.ts';
import { utcDayOf } from '#lib/dates.ts';
import { countOutcomes, packRows, unpackRows, type StoredRow } from './chunks.ts';
import type { HistoryJobPayload } from './imports.ts';

const leaseMs = 600_000;

/**
 * Imports what the check has shown, chunk by chunk: its positions and its results are written in
 * one transaction. After a crash it continues with the next chunk. Throws PermanentFailure when the
 * checked rows were deleted.
 */
export async function runHistoryImport(
  services: Services,
  job: BackgroundJobRow,
  signal: AbortSignal,
): Promise<{ path: string } | null> {
  // Only requestHistoryRun fills the payload.
  const { importId, actor, workspaceState } = job.payload as HistoryJobPayload;
  const ctx: Ctx = { ...services, workspaceId: job.workspaceId, workspaceState, actor };
  const found = await inTenant(ctx, (tx) => findHistoryImport(tx, ctx.workspaceId, importId));
  if (!found) throw partsDeleted();
  if (found.jobId !== job.id || found.phase !== 'importing') return null;
  const chunks = await inTenant(ctx, (tx) => listHistoryChunks(tx, ctx.workspaceId, importId, 1));
  for (const { number, imported } of chunks) {
    signal.throwIfAborted();
    if (imported) continue;
    await importChunk(ctx, found, number);
    await inTenant(ctx, async (tx) => {
      const percent = Math.min(99, Math.floor((100 * number) / chunks.length));
      await updateHistoryProgress(tx, ctx.workspaceId, importId, { percent, rowsRead: null });
      const until = new Date(ctx.clock.now().getTime() + leaseMs);
      await extendJobLease(tx, ctx.workspaceId, job.id, until);
    });
  }
  await finish(ctx, found);
  return { path: `/history-imports/${importId}` };
}

async function importChunk(ctx: Ctx, of: HistoryImportRow, number: number): Promise<void> {
  const { id: importId, appId } = of;
  const stored = await inTenant(ctx, (tx) =>
    findHistoryChunk(tx, ctx.workspaceId, importId, number),
  );
  if (!stored) return;
  const rows = await unpackRows(stored.data);
  const ranks = rows.flatMap(({ outcome, keywordId, date, position, depth }) =>
    outcome === 'written' ? [{ keywordId: keywordId!, date: date!, position, depth: depth! }] : [],
  );
  const keywordIds = [...new Set(ranks.map(({ keywordId }) => keywordId))];
  await inTenant(ctx, async (tx) => {
    // A deletion locks the markets, and then deletes the keywords and this chunk.
    await lockMarketsOf(tx, ctx.workspaceId, keywordIds);
    // An attempt whose worker was stopped may still commit: its rows would seem known here.
    if ((await lockHistoryChunk(tx, ctx.workspaceId, importId, number)) !== false) return;
    const live = new Set(
      (await listHistoryKeywords(tx, ctx.workspaceId, appId)).map(({ id }) => id),
    );
    const added = await insertImportedDailyRanks(tx, ctx.workspaceId, {
      ranks: ranks
        .filter(({ keywordId }) => live.has(keywordId))
        .map((rank) => ({ ...rank, checkedAt: null, provider: null })),
      toPublish: false,
    });
    const today = utcDayOf(ctx.clock.now());
    await applyNewDailyRanks(tx, ctx.workspaceId, added, { today, countsAsSeen: false });
    const written = new Set(added.map(({ keywordId, date }) => `${keywordId} ${date}`));
    const results = rows.map((row): StoredRow => {
      if (row.outcome !== 'written') return row;
      if (written.has(`${row.keywordId} ${row.date}`)) return row;
      if (live.has(row.keywordId!)) return { ...row, outcome: 'known' };
      // The keyword was removed after the check.
      return {
        ...row,
        outcome: 'refused',
        reason: 'not_tracked',
        value: row.phrase,
        position: null,
        depth: null,
      };
    });
    const data = await packRows(results);
    await updateHistoryChunk(tx, ctx.workspaceId, {
      importId,
      number,
      outcomes: countOutcomes(results),
      data,
    });
  });
}

async function finish(ctx: Ctx, checked: HistoryImportRow): Promise<void> {
  const { id, appId, reasons, rowsRead } = checked;
  const now = ctx.clock.now();
  await inTenant(ctx, async (tx) => {
    // Another attempt may have ended the run.
    if ((await lockHistoryImport(tx, ctx.workspaceId, id)) !== 'importing') return;
    const chunks = await listHistoryChunks(tx, ctx.workspaceId, id, 1);
    const sum = (name: keyof HistoryOutcomes) =>
      chunks.reduce((total, { outcomes }) => total + (outcomes as HistoryOutcomes)[name], 0);
    const known = reasons as Record<string, number>;
    // The reasons also count empty cells, which are in no chunk.
    const removed = checked.rowsWritten + checked.rowsKnown - sum('written') - sum('known');
    await finishHistoryPhase(tx, ctx.workspaceId, id, {
      phase: 'imported',
      rowsWritten: sum('written'),
      rowsKnown: sum('known'),
      reasons:
        removed > 0 ? { ...known, not_tracked: (known['not_tracked'] ?? 0) + removed } : known,
      missing: null,
      refusal: null,
      now,
    });
    await deleteHistoryParts(tx, ctx.workspaceId, id);
    await writeAudit(tx, ctx, {
      action: 'import.done',
      subject: `app ${appId}`,
      detail: { rows: rowsRead, written: sum('written') },
    });
  });
}
