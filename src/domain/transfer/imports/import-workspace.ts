import type { ImportedTableName } from '#contract/import-rows.ts';
import type { Tx } from '#db/database.ts';
import {
  findImportOf,
  findOwnRows,
  disableNestedLoops,
  lockImports,
} from '#db/queries/imports/imports.ts';
import { assertAppCountQuota, assertAppQuota } from '#domain/tracking/apps/assert-app-quota.ts';
import { refreshBudget } from '#domain/base/budget/refresh-budget.ts';
import { assertMarketQuota, assertWithinQuota } from '#domain/base/budget/assert-within-quota.ts';
import { inTenant, type Ctx } from '#domain/base/context.ts';
import { invalid } from '#domain/base/errors.ts';
import { ExportFile, type FileRow } from './export-file.ts';
import type { ImportRun } from './import-run.ts';
import { ImportTally, type ImportReport } from './import-tally.ts';
import { IdMap } from './id-map.ts';
import { prepareNames } from './prepare-names.ts';
import { reserveFactIds } from './reserve-fact-ids.ts';
import { restorers } from './restorers.ts';
import { toImportedTable, readAs, scanImportFile, type Survey } from './scan-import-file.ts';

/** The text of a file from its beginning; inside an open transaction if there is one. */
export type Pieces = (tx: Tx | null) => AsyncIterable<string>;
export interface ImportSource {
  pieces: Pieces;
  asPublicFacts: boolean;
}
export interface ImportEnd {
  report: ImportReport;
  sha256: string;
  isNew: boolean;
  /** The last app with accepted first readings; null: all. */
  followedTo: number | null;
}

export interface Ending {
  /** Refreshes the store demand of restored rows; a no-op when that happens after the commit. */
  follow(tx: Tx): Promise<void>;
  /** Written in the import's transaction. */
  finish(tx: Tx, end: ImportEnd): Promise<void>;
}

const rowBatchSize = 1_000;

/**
 * Imports an export into an empty workspace under new ids, all or nothing. The file is scanned
 * before anything is written; then one transaction writes its rows, without locks on shared rows
 * until its end. A file that was imported already returns its report and changes nothing. Throws
 * invalid_request, the errors of adding apps and keywords, and quota errors.
 */
export async function importWorkspace(
  ctx: Ctx,
  { pieces, asPublicFacts }: ImportSource,
  { follow, finish }: Ending,
): Promise<ImportReport> {
  const survey = await scanImportFile(ctx, new ExportFile(pieces(null)));
  const { sha256 } = survey;
  const known = await inTenant(ctx, async (tx) => {
    const there = await findKnown(tx, ctx, { sha256, asPublicFacts });
    if (there) await finish(tx, { ...there, sha256, isNew: false });
    else await assertWithinLimits(tx, ctx, survey);
    return there;
  });
  if (known) return known.report;
  const refusedUrls = await checkWebhookUrls(ctx, survey);
  const encryptionKey = await ctx.encryptionKey();
  await prepareNames(ctx, survey);
  return inTenant(ctx, async (tx) => {
    await lockImports(tx, ctx.workspaceId);
    const meanwhile = await findKnown(tx, ctx, { sha256, asPublicFacts });
    if (meanwhile) await finish(tx, { ...meanwhile, sha256, isNew: false });
    if (meanwhile) return meanwhile.report;
    const run: ImportRun = {
      tx,
      ctx,
      survey,
      ids: new IdMap(),
      writtenFacts: new Map(),
      asPublicFacts,
      refusedUrls,
      encryptionKey,
    };
    const report = await restoreAll(run, pieces);
    await follow(tx);
    await closeBudget(run);
    await finish(tx, { report, sha256, isNew: true, followedTo: 0 });
    return report;
  });
}

/**
 * The earlier import of this file; null in an empty workspace. Throws invalid_request in any other,
 * and when the facts of the file were not restored as public facts then.
 */
async function findKnown(
  tx: Tx,
  ctx: Ctx,
  { sha256, asPublicFacts }: { sha256: string; asPublicFacts: boolean },
): Promise<Pick<ImportEnd, 'report' | 'followedTo'> | null> {
  const there = await findOwnRows(tx, ctx.workspaceId);
  if (there === undefined) return null;
  const known = await findImportOf(tx, ctx.workspaceId, sha256);
  if (known === undefined) throw invalid('workspace', `an empty workspace: this one has ${there}`);
  if (asPublicFacts && !known.asPublicFacts)
    throw invalid('asPublicFacts', 'an empty workspace: the facts of this file are here already');
  return { report: known.report as ImportReport, followedTo: known.followedTo };
}

/** Rows added meanwhile need no quota. The workspace's lock is the last one. */
async function closeBudget({ tx, ctx, survey }: ImportRun): Promise<void> {
  await disableNestedLoops(tx);
  const after = await refreshBudget(tx, ctx);
  await assertWithinQuota(tx, ctx, { before: [], after });
  await assertAppQuota(tx, ctx, survey.liveApps);
}

async function assertWithinLimits(tx: Tx, ctx: Ctx, survey: Survey): Promise<void> {
  await assertAppCountQuota(tx, ctx, { used: 0, requested: survey.liveApps });
  await assertMarketQuota(tx, ctx, { used: 0, requested: survey.liveMarkets.size });
}

async function checkWebhookUrls(ctx: Ctx, survey: Survey): Promise<Set<string>> {
  const urls = [...new Set(survey.webhookUrls.values())];
  const why = await Promise.all(urls.map((url) => ctx.webhooks.checkUrl(url)));
  return new Set(urls.filter((_, index) => why[index] !== null));
}

/** Events come last: their numbers need a lock that every emitter of this workspace waits for. */
async function restoreAll(run: ImportRun, pieces: Pieces): Promise<ImportReport> {
  const tally = new ImportTally();
  await reserveFactIds(run);
  for (const isOfEvents of [false, true]) {
    const file = new ExportFile(pieces(run.tx));
    for await (const rows of batchRows(file.rows())) {
      const { table } = rows[0]!;
      if (!isOfEvents) tally.see(table, rows.length);
      const name = toImportedTable(table);
      if (name !== null && (name === 'events') === isOfEvents)
        tally.count(table, await restore(run, name, rows));
    }
    if (file.sha256 !== run.survey.sha256)
      throw invalid('parts', 'the same parts from beginning to end');
  }
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

/** Adjacent rows of one table, at most 1,000. */
async function* batchRows(rows: AsyncIterable<FileRow>): AsyncGenerator<FileRow[]> {
  let batch: FileRow[] = [];
  for await (const row of rows) {
    if (batch.length >= rowBatchSize || (batch.length > 0 && batch[0]!.table !== row.table)) {
      yield batch;
      batch = [];
    }
    batch.push(row);
  }
  if (batch.length > 0) yield batch;
}
