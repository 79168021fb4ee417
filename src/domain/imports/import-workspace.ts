import type { ImportedTableName } from '../../contract/import-rows.ts';
import type { Tx } from '../../db/database.ts';
import { showImportedCells } from '../../db/queries/imported-cells.ts';
import { findImportOf, findOwnRows, forbidLoops, lockImports } from '../../db/queries/imports.ts';
import { utcDayOf } from '../../lib/dates.ts';
import { requireRoomForAppCount, requireRoomForApps } from '../apps/require-room.ts';
import { refreshBudget } from '../budget/refresh-budget.ts';
import { requireRoomForMarkets, requireRoomInPlan } from '../budget/require-room.ts';
import { inTenant, type Ctx } from '../context.ts';
import { invalid } from '../errors.ts';
import { ExportFile, type FileRow } from './export-file.ts';
import type { ImportRun } from './import-run.ts';
import { ImportTally, type ImportReport } from './import-tally.ts';
import { NewIds } from './new-ids.ts';
import { prepareNames } from './prepare-names.ts';
import { restorers } from './restorers.ts';
import { asImported, readAs, surveyFile, type Survey } from './survey.ts';

/** The text of a file from its beginning; inside of a transaction where one is open. */
export type Pieces = (tx: Tx | null) => AsyncIterable<string>;
export interface ImportEnd {
  report: ImportReport;
  sha256: string;
  isNew: boolean;
  /** The app up to which first readings are accepted; null: all are. */
  followedTo: number | null;
}

export interface Ending {
  /** Asks the stores for what was restored; where it does nothing, that is to be done after the commit. */
  follow(tx: Tx): Promise<void>;
  /** Written with the import, in its transaction. */
  finish(tx: Tx, end: ImportEnd): Promise<void>;
}

const rowsAtOnce = 1_000;

/**
 * Writes an export into an empty workspace, under new ids, all or nothing. The file is gone through before anything is written;
 * then its rows are written in one transaction that locks nothing which others use, until its end. The file that a workspace
 * has imported already is answered with its report and changes nothing.
 * Throws invalid_request, what adding apps and keywords throws, and quotas.
 */
export async function importWorkspace(
  ctx: Ctx,
  pieces: Pieces,
  { follow, finish }: Ending,
): Promise<ImportReport> {
  const survey = await surveyFile(ctx, new ExportFile(pieces(null)));
  const { sha256 } = survey;
  const known = await inTenant(ctx, async (tx) => {
    const there = await findKnown(tx, ctx, sha256);
    if (there) await finish(tx, { ...there, sha256, isNew: false });
    else await requireRoom(tx, ctx, survey);
    return there;
  });
  if (known) return known.report;
  const refusedUrls = await judgeAddresses(ctx, survey);
  const sealKey = await ctx.sealKey();
  await prepareNames(ctx, survey);
  return inTenant(ctx, async (tx) => {
    await lockImports(tx, ctx.workspaceId);
    const meanwhile = await findKnown(tx, ctx, sha256);
    if (meanwhile) await finish(tx, { ...meanwhile, sha256, isNew: false });
    if (meanwhile) return meanwhile.report;
    const run: ImportRun = { tx, ctx, survey, ids: new NewIds(), refusedUrls, sealKey };
    const report = await restoreAll(run, pieces);
    await follow(tx);
    await closeBudget(run);
    await finish(tx, { report, sha256, isNew: true, followedTo: 0 });
    return report;
  });
}

/** This very file, where it was imported; null in an empty workspace. Throws invalid_request in any other. */
async function findKnown(
  tx: Tx,
  ctx: Ctx,
  sha256: string,
): Promise<Pick<ImportEnd, 'report' | 'followedTo'> | null> {
  const there = await findOwnRows(tx, ctx.workspaceId);
  if (there === undefined) return null;
  const known = await findImportOf(tx, ctx.workspaceId, sha256);
  if (known === undefined) throw invalid('workspace', `an empty workspace: this one has ${there}`);
  return { report: known.report as ImportReport, followedTo: known.followedTo };
}

/** Of what was added meanwhile the plan need not have room besides. The workspace's lock is the last that is taken. */
async function closeBudget({ tx, ctx }: ImportRun): Promise<void> {
  await forbidLoops(tx);
  const after = await refreshBudget(tx, ctx);
  await requireRoomInPlan(tx, ctx, { before: [], after });
  await requireRoomForApps(tx, ctx);
}

async function requireRoom(tx: Tx, ctx: Ctx, survey: Survey): Promise<void> {
  await requireRoomForAppCount(tx, ctx, survey.liveApps);
  await requireRoomForMarkets(tx, ctx, { used: 0, wanted: survey.liveMarkets.size });
}

async function judgeAddresses(ctx: Ctx, survey: Survey): Promise<Set<string>> {
  const urls = [...new Set(survey.webhookUrls.values())];
  const why = await Promise.all(urls.map((url) => ctx.webhooks.judge(url)));
  return new Set(urls.filter((_, index) => why[index] !== null));
}

/** Events come last: their numbers are given under a lock that whoever tells this workspace of something waits for. */
async function restoreAll(run: ImportRun, pieces: Pieces): Promise<ImportReport> {
  const tally = new ImportTally();
  for (const isOfEvents of [false, true]) {
    const file = new ExportFile(pieces(run.tx));
    for await (const rows of batchRows(file.rows())) {
      const { table } = rows[0]!;
      if (!isOfEvents) tally.see(table, rows.length);
      const name = asImported(table);
      if (name !== null && (name === 'events') === isOfEvents)
        tally.count(table, await restore(run, name, rows));
    }
    if (file.sha256 !== run.survey.sha256)
      throw invalid('parts', 'the same parts from beginning to end');
  }
  const today = utcDayOf(run.ctx.clock.now());
  for (const appId of run.ids.all('app'))
    await showImportedCells(run.tx, run.ctx.workspaceId, appId, today);
  return tally.report();
}

function restore<Name extends ImportedTableName>(
  run: ImportRun,
  name: Name,
  rows: readonly FileRow[],
): Promise<number> {
  return restorers[name](
    run,
    rows.map((row) => readAs(name, row)),
  );
}

/** Rows of one table that lie together, at most 1,000. */
async function* batchRows(rows: AsyncIterable<FileRow>): AsyncGenerator<FileRow[]> {
  let batch: FileRow[] = [];
  for await (const row of rows) {
    if (batch.length >= rowsAtOnce || (batch.length > 0 && batch[0]!.table !== row.table)) {
      yield batch;
      batch = [];
    }
    batch.push(row);
  }
  if (batch.length > 0) yield batch;
}
