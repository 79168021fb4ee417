import type { Db } from '#db/database.ts';
import { findApp } from '#db/queries/apps/apps.ts';
import { extendJobLease } from '#db/queries/exports/workspace-exports.ts';
import {
  findHistoryImport,
  finishHistoryPhase,
  listHistoryKeywords,
  updateHistoryProgress,
} from '#db/queries/history-imports/history-imports.ts';
import { deleteHistoryChunks } from '#db/queries/history-imports/parts-and-chunks.ts';
import { inSystem, type Services } from '#domain/base/context.ts';
import { AppError } from '#domain/base/errors.ts';
import {
  SheetError,
  type Clock,
  type HistoryFileTask,
  type TextTables,
} from '#domain/base/ports.ts';
import { marketKey } from '#domain/tracking/keywords/plan-addition.ts';
import { utcDayOf } from '#lib/dates.ts';
import { CheckedRows } from './checked-rows.ts';
import type { HistoryApp } from './entry-reader.ts';
import type { Reading } from './reading.ts';
import { createRowReader, type ReadRow } from './row-reader.ts';
import { openHistoryFile } from './stored-file.ts';

type Used = Pick<Services, 'systemDb'> & { clock: Pick<Clock, 'now'> };

const leaseMs = 120_000;
const reportEveryRows = 20_000;

/**
 * Reads the uploaded file of an import to its end and stores what would become of each row. A file
 * that cannot be read is recorded as refused. Repeating it after a crash begins anew: nothing but
 * the results was written. Throws when the database is unavailable, and the signal's reason.
 */
export async function checkHistoryFile(
  services: Used,
  tables: TextTables,
  task: HistoryFileTask,
  signal: AbortSignal,
): Promise<void> {
  const { systemDb, clock } = services;
  const { workspaceId, importId } = task;
  const found = await findHistoryImport(systemDb, workspaceId, importId);
  if (!found || found.phase !== 'checking' || found.jobId !== task.jobId) return;
  await deleteHistoryChunks(systemDb, workspaceId, importId);
  const rows = new CheckedRows(systemDb, task);
  let refusal: { line: number | null; message: string } | null = null;
  try {
    const reading = found.reading as Reading;
    const file = await openHistoryFile(systemDb, workspaceId, { importId, parts: found.parts! });
    const table = tables.open(file, formOf(reading));
    const app = await readApp(systemDb, workspaceId, found.appId, utcDayOf(clock.now()));
    await readTable(services, { task, table, reading, app, rows, signal });
  } catch (error) {
    refusal = asRefusal(error);
    if (!refusal) throw error;
  }
  await finishHistoryPhase(systemDb, workspaceId, importId, {
    phase: refusal ? 'refused' : 'checked',
    rowsWritten: rows.counts.written,
    rowsKnown: rows.counts.known,
    reasons: Object.fromEntries(rows.reasons),
    missing: rows.listMissing(),
    refusal,
    now: clock.now(),
  });
}

export const formOf = (reading: Reading) => ({
  encoding: reading.encoding,
  delimiter: reading.preset === 'asobeast-account' ? null : reading.delimiter,
});

/** For the system role. Throws not_found for an app that was deleted meanwhile. */
export async function readApp(
  db: Db,
  workspaceId: number,
  appId: number,
  today: string,
): Promise<HistoryApp> {
  const app = await inSystem({ systemDb: db }, (tx) => findApp(tx, workspaceId, appId));
  if (!app) throw new AppError('not_found');
  const keywords = await listHistoryKeywords(db, workspaceId, appId);
  const keywordIds = new Map(keywords.map((keyword) => [marketKey(keyword), keyword.id]));
  return { store: app.store, storeAppId: app.storeAppId, today, keywordIds };
}

interface Work {
  task: HistoryFileTask;
  table: ReturnType<TextTables['open']>;
  reading: Reading;
  app: HistoryApp;
  rows: CheckedRows;
  signal: AbortSignal;
}

async function readTable(services: Used, work: Work): Promise<void> {
  const { task, table, reading, app, rows, signal } = work;
  let read: ReadRow | null = null;
  let reported = -reportEveryRows;
  const report = async () => {
    reported = rows.count;
    const percent = Math.min(99, Math.floor(100 * table.share()));
    const progress = { percent, rowsRead: rows.count };
    await updateHistoryProgress(services.systemDb, task.workspaceId, task.importId, progress);
    await keepLease(services, task);
  };
  for await (const lines of table.rows()) {
    signal.throwIfAborted();
    for (const line of lines) {
      if (read === null) {
        read = createRowReader(line.cells, reading, app);
        // Such a file has no header.
        if (formOf(reading).delimiter !== null) continue;
      }
      read(line, (entry) => rows.add(entry));
      // A line of a wide table may have thousands of entries.
      if (rows.isFull) await rows.flush();
    }
    if (rows.count - reported >= reportEveryRows) await report();
  }
  await rows.flush();
  await report();
}

function asRefusal(error: unknown): { line: number | null; message: string } | null {
  if (error instanceof SheetError) {
    const line = /^Line (\d+)/.exec(error.message)?.[1];
    return { line: line === undefined ? null : Number(line), message: error.message };
  }
  if (error instanceof AppError && error.code !== 'unavailable')
    return { line: null, message: error.message };
  return null;
}

/** The lease keeps other workers from starting the job. */
async function keepLease({ systemDb, clock }: Used, task: HistoryFileTask): Promise<void> {
  const until = new Date(clock.now().getTime() + leaseMs);
  await inSystem({ systemDb }, (tx) => extendJobLease(tx, task.workspaceId, task.jobId, until));
}
