import type { Db } from '#db/database.ts';
import { extendJobLease } from '#db/queries/exports/workspace-exports.ts';
import {
  deletePopularityParts,
  findPopularityImport,
  finishPopularityImport,
  lockOpenPopularityImport,
  updatePopularityProgress,
} from '#db/queries/popularity/imports.ts';
import {
  activatePopularitySets,
  discardStagedPopularity,
  insertPopularityFloors,
  purgeDiscardedPopularity,
} from '#db/queries/popularity/sets.ts';
import { inSystem, type Services } from '#domain/base/context.ts';
import {
  SheetError,
  type Clock,
  type OpenSheet,
  type PopularityFileTask,
  type Sheet,
  type SheetRow,
} from '#domain/base/ports.ts';
import { addDays, monthOf, utcDayOf } from '#lib/dates.ts';
import { popularityDays } from '#domain/scheduling/retention/popularity-days.ts';
import { FileHead, noHeader, RefusedFile } from './find-header.ts';
import { RefusedRows, type FileRefusal, type ImportedSet } from './refused-rows.ts';
import { rescoreCountries } from './rescore-countries.ts';
import { openStoredParts } from './stored-parts.ts';
import { TermWriter, type StagedSet } from './term-writer.ts';
import { readTermRow, type Column, type ReadingRules } from './term-rows.ts';

type Used = Pick<Services, 'systemDb'> & { clock: Pick<Clock, 'now'> };

const leaseMs = 120_000;
const progressEveryRows = 5_000;

/**
 * Reads the uploaded file of an import and replaces the sets of its countries and months, in one
 * transaction at the end. What cannot be read is recorded as refused. Repeating it after a crash
 * begins anew. Throws when the database is unavailable, and the signal's reason.
 */
export async function importPopularityFile(
  services: Used,
  openSheet: OpenSheet,
  task: PopularityFileTask,
  signal: AbortSignal,
): Promise<void> {
  const { systemDb, clock } = services;
  const found = await findPopularityImport(systemDb, { id: task.importId });
  if (!found || found.finishedAt !== null) return;
  await discardStagedPopularity(systemDb, task.importId);
  const refused = new RefusedRows();
  const writer = new TermWriter(systemDb, { importId: task.importId, now: clock.now() });
  try {
    const file = await openStoredParts(systemDb, task.workspaceId, found.parts);
    const sheet = await openSheet(file);
    await readRows(services, { task, sheet, writer, refused, signal });
    await activate(services, task, { staged: writer.sets(), refused });
    const countries = writer
      .sets()
      .filter(isComplete)
      .map(({ country }) => country);
    await rescoreCountries(systemDb, countries, signal);
  } catch (error) {
    const refusal = asRefusal(error);
    if (!refusal) throw error;
    await refuse(services, task, { refusal, refused });
  }
  await deleteDiscarded(systemDb, signal);
}

interface Reading {
  task: PopularityFileTask;
  sheet: Sheet;
  writer: TermWriter;
  refused: RefusedRows;
  signal: AbortSignal;
}

async function readRows(services: Used, reading: Reading): Promise<void> {
  const { task, sheet, writer, refused, signal } = reading;
  const head = new FileHead();
  const today = utcDayOf(services.clock.now());
  let rules: ReadingRules | null = null;
  let [rowsRead, reportedRows] = [0, -progressEveryRows];
  const report = async () => {
    reportedRows = rowsRead;
    const percent = Math.min(100, Math.floor(100 * sheet.share()));
    const progress = { format: sheet.format, percent, rowsRead, rowsRefused: refused.count };
    await updatePopularityProgress(services.systemDb, task.importId, progress);
    await keepLease(services, task);
  };
  for await (const rows of sheet.rows()) {
    signal.throwIfAborted();
    for (const row of rows) {
      if (!head.columns) {
        head.read(row);
        continue;
      }
      rules ??= {
        month: head.month,
        oldest: monthOf(addDays(today, -popularityDays)),
        newest: monthOf(today),
      };
      rowsRead += 1;
      await readRow(row, head.columns, rules, { writer, refused });
    }
    if (rowsRead - reportedRows >= progressEveryRows) await report();
  }
  if (!head.columns) throw noHeader();
  await writer.flush();
  await report();
}

async function readRow(
  { line, cells }: SheetRow,
  columns: ReadonlyMap<Column, number>,
  rules: ReadingRules,
  { writer, refused }: Pick<Reading, 'writer' | 'refused'>,
): Promise<void> {
  const row = readTermRow((column) => cells[columns.get(column) ?? -1] ?? '', rules);
  if ('reason' in row) {
    refused.add(row.reason, line, row.value);
    if (row.set) writer.countRefused(row.set);
  } else if (!(await writer.add(row))) {
    refused.add('duplicate', line, row.term);
    writer.countRefused(row);
  }
}

/** Nobody sees the new sets before this commits, and nobody the old ones after it. */
async function activate(
  { systemDb, clock }: Used,
  { importId, workspaceId }: PopularityFileTask,
  { staged, refused }: { staged: readonly StagedSet[]; refused: RefusedRows },
): Promise<void> {
  const complete = staged.filter(isComplete);
  if (complete.length === 0)
    throw new RefusedFile(
      'no_rows',
      'No country has more rows that were read than rows that were refused; see the refused rows.',
    );
  for (const { id } of complete) await insertPopularityFloors(systemDb, id);
  await inSystem({ systemDb }, async (tx) => {
    if (!(await lockOpenPopularityImport(tx, importId))) return;
    const before = await activatePopularitySets(tx, complete);
    const sets = staged.map((set) => describeSet(set, before));
    await finishPopularityImport(tx, importId, { refused, sets, refusal: null, now: clock.now() });
    await discardStagedPopularity(tx, importId);
    await deletePopularityParts(tx, workspaceId);
  });
}

/** Most of a country that was refused says that the file is not what it seems. */
const isComplete = (set: StagedSet): set is StagedSet & { id: number } =>
  set.id !== null && set.terms > set.refused;

function describeSet(set: StagedSet, before: ReadonlyMap<number, number>): ImportedSet {
  const { country, month: period, terms, refused } = set;
  const termsBefore = (set.id === null ? undefined : before.get(set.id)) ?? null;
  const outcome = !isComplete(set) ? 'kept' : termsBefore === null ? 'imported' : 'replaced';
  return { country, period, terms, refused, outcome, termsBefore };
}

async function refuse(
  { systemDb, clock }: Used,
  { importId, workspaceId }: PopularityFileTask,
  { refusal, refused }: { refusal: FileRefusal; refused: RefusedRows },
): Promise<void> {
  await inSystem({ systemDb }, async (tx) => {
    if (!(await lockOpenPopularityImport(tx, importId))) return;
    await discardStagedPopularity(tx, importId);
    await finishPopularityImport(tx, importId, { refused, sets: [], refusal, now: clock.now() });
    await deletePopularityParts(tx, workspaceId);
  });
}

function asRefusal(error: unknown): FileRefusal | null {
  if (error instanceof RefusedFile) return error.refusal;
  if (error instanceof SheetError) return { reason: error.fault, message: error.message };
  return null;
}

/** The lease keeps other workers from starting the job. */
async function keepLease({ systemDb, clock }: Used, task: PopularityFileTask): Promise<void> {
  const until = new Date(clock.now().getTime() + leaseMs);
  await inSystem({ systemDb }, (tx) => extendJobLease(tx, task.workspaceId, task.jobId, until));
}

/** The rows of replaced sets. The daily retention deletes what is left. */
async function deleteDiscarded(systemDb: Db, signal: AbortSignal): Promise<void> {
  while (!signal.aborted && (await purgeDiscardedPopularity(systemDb)) > 0);
}
