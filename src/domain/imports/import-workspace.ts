import { importedRows, type ImportedRow, type ImportedTableName } from '../../contract/import-rows.ts';
import type { Tx } from '../../db/database.ts';
import { insertAnnotation } from '../../db/queries/annotations.ts';
import { insertImportedCells } from '../../db/queries/imported-cells.ts';
import { insertTagStyle, lockEmptyWorkspace } from '../../db/queries/imports.ts';
import { insertFieldVersion } from '../../db/queries/keyword-field.ts';
import { utcDayOf } from '../../lib/dates.ts';
import type { Ctx } from '../context.ts';
import { invalid } from '../errors.ts';
import { readFieldText } from '../keyword-field/field-text.ts';
import { followKeywords, insertImportedApp } from './follow-again.ts';
import type { FileRow } from './import-file.ts';
import { ImportTally, type ImportReport } from './import-tally.ts';

type Row<Name extends ImportedTableName> = ImportedRow<Name>;

const cellsPerWrite = 5_000;
const keywordsMax = 50_000;

/**
 * Writes the rows of an export into an empty workspace, under new ids. Following begins today: what this instance saw
 * before is not opened by a file that says so. Positions of the file become the workspace's own imported cells.
 * Throws invalid_request and what adding apps and keywords throws; the caller's transaction undoes everything.
 */
export async function importWorkspace(tx: Tx, ctx: Ctx, rows: AsyncIterable<FileRow & { line: number }>): Promise<ImportReport> {
  if (!(await lockEmptyWorkspace(tx, ctx.workspaceId))) throw invalid('workspace', 'an empty workspace: this one has apps');
  const run = new ImportRun(tx, ctx);
  for await (const row of rows) await run.take(row);
  return run.end();
}

class ImportRun {
  private readonly tx: Tx;
  private readonly ctx: Ctx;
  private readonly tally = new ImportTally();
  private readonly appIds = new Map<number, number>();
  private readonly keywordIds = new Map<number, number>();
  private keywords: Row<'keywords'>[] = [];
  private cells: Row<'rankings'>[] = [];

  constructor(tx: Tx, ctx: Ctx) {
    this.tx = tx;
    this.ctx = ctx;
  }

  async take({ table, row, line }: FileRow & { line: number }): Promise<void> {
    this.tally.see(table);
    if (!Object.hasOwn(importedRows, table)) return;
    const name = table as ImportedTableName;
    const read = importedRows[name].safeParse(row);
    if (!read.success) {
      const [issue] = read.error.issues;
      throw invalid(`line ${line}.${issue!.path.join('.')}`, issue!.message);
    }
    if (name !== 'apps' && name !== 'keywords') await this.follow();
    if (await this.write(name, read.data)) this.tally.count(table);
  }

  async end(): Promise<ImportReport> {
    await this.follow();
    await this.writeCells();
    return this.tally.report();
  }

  /** False for what is left out. */
  private async write(name: ImportedTableName, data: ImportedRow<ImportedTableName>): Promise<boolean> {
    const { tx, ctx } = this;
    const { workspaceId } = ctx;
    if (name === 'tag_styles') await insertTagStyle(tx, workspaceId, data as Row<'tag_styles'>);
    if (name === 'apps') return this.addApp(data as Row<'apps'>);
    if (name === 'keywords') return this.gather(data as Row<'keywords'>);
    if (name === 'rankings') return this.gatherCell(data as Row<'rankings'>);
    if (name === 'annotations') {
      const { app_id, on_date: date, text, keyword_ids } = data as Row<'annotations'>;
      const appId = this.appIds.get(app_id);
      if (appId === undefined) return false;
      const keywordIds = keyword_ids.flatMap((id) => this.keywordIds.get(id) ?? []);
      await insertAnnotation(tx, workspaceId, { appId, date, text, keywordIds, createdAt: ctx.clock.now() });
    }
    if (name === 'keyword_fields') {
      const { app_id, locale, text } = data as Row<'keyword_fields'>;
      const appId = this.appIds.get(app_id);
      if (appId === undefined) return false;
      const { normalized } = readFieldText(text);
      await insertFieldVersion(tx, workspaceId, { appId, locale, text, normalized, savedAt: ctx.clock.now(), savedBy: ctx.actor.userId });
    }
    return true;
  }

  private async addApp(app: Row<'apps'>): Promise<boolean> {
    if (app.archived_at !== null) return false;
    this.appIds.set(app.id, await insertImportedApp(this.tx, this.ctx, app));
    return true;
  }

  private gather(keyword: Row<'keywords'>): boolean {
    if (keyword.archived_at !== null || !this.appIds.has(keyword.app_id)) return false;
    this.keywords.push(keyword);
    if (this.keywords.length > keywordsMax) throw invalid('keywords', 'keywords in an import', this.keywords.length, keywordsMax);
    return true;
  }

  private async follow(): Promise<void> {
    if (this.keywords.length === 0) return;
    const ofApps = Map.groupBy(this.keywords, (keyword) => keyword.app_id);
    this.keywords = [];
    for (const [appId, keywords] of ofApps) {
      for (const [old, made] of await followKeywords(this.tx, this.ctx, this.appIds.get(appId)!, keywords)) this.keywordIds.set(old, made);
    }
  }

  private async gatherCell(cell: Row<'rankings'>): Promise<boolean> {
    if (!this.keywordIds.has(cell.keywordId) || cell.date > utcDayOf(this.ctx.clock.now())) return false;
    this.cells.push(cell);
    if (this.cells.length >= cellsPerWrite) await this.writeCells();
    return true;
  }

  private async writeCells(): Promise<void> {
    const cells = this.cells.map((cell) => ({ ...cell, keywordId: this.keywordIds.get(cell.keywordId)! }));
    this.cells = [];
    if (cells.length > 0) await insertImportedCells(this.tx, this.ctx.workspaceId, cells);
  }
}
