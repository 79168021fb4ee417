import { listHistoryParts } from '#db/queries/history-imports/parts-and-chunks.ts';
import { inTenant, type Ctx } from '#domain/base/context.ts';
import { invalid } from '#domain/base/errors.ts';
import { SheetError, type SheetRow, type StoredFile, type TextForm } from '#domain/base/ports.ts';
import { historyReading } from '#contract/history-imports.ts';
import { utcDayOf } from '#lib/dates.ts';
import { formOf, readApp } from './check-file.ts';
import { recognisePreset } from './presets.ts';
import { guessReading, sampleDates } from './guess-reading.ts';
import { find } from './imports.ts';
import { listDateFormats } from './read-day.ts';
import { nameColumns, shorten, type HistoryPreview, type Reading } from './reading.ts';
import { createRowReader, findMissing } from './row-reader.ts';
import { openHistoryFile } from './stored-file.ts';

const headBytes = 256 * 1024;
const shownLines = 20;
const shownCells = 60;
const shownRows = 50;

/**
 * Reads the beginning of an uploaded file. Without a reading it is recognized by its columns.
 * Throws not_found, and invalid_request for a file that is no text.
 */
export async function previewHistory(
  ctx: Ctx,
  importId: number,
  given: Reading | undefined,
): Promise<HistoryPreview> {
  const { head, isWhole, appId } = await inTenant(ctx, async (tx) => {
    const found = await find(tx, ctx, importId);
    const file = await openHistoryFile(tx, ctx.workspaceId, { importId, parts: 1 });
    const bytes = Math.min(headBytes, file.bytes);
    const stored = await listHistoryParts(tx, ctx.workspaceId, importId, 2);
    const isWhole = bytes === file.bytes && stored.length === 1;
    return { head: await file.read(0, bytes), isWhole, appId: found.appId };
  });
  return preview(ctx, { head, isWhole, appId, given });
}

interface Beginning {
  head: Buffer;
  /** The first part ends here; the file may go on. */
  isWhole: boolean;
  appId: number;
  given: Reading | undefined;
}

async function preview(
  ctx: Ctx,
  { head, isWhole, appId, given }: Beginning,
): Promise<HistoryPreview> {
  const tables = ctx.historyFiles.tables;
  try {
    const form: TextForm = given ? formOf(given) : tables.detect(head);
    const lines = await readLines(ctx, { head, isWhole }, form);
    const header = lines[0]?.cells ?? [];
    const columns = form.delimiter === null ? [] : nameColumns(header);
    const preset = recognisePreset(form.delimiter === null ? header : columns);
    const sample = form.delimiter === null ? lines : lines.slice(1);
    const app = await readApp(ctx.systemDb, ctx.workspaceId, appId, utcDayOf(ctx.clock.now()));
    const reading =
      given ?? historyReading.parse(guessReading({ form, columns, preset, sample, app }));
    const read = createRowReader(header, reading, app);
    const rows: HistoryPreview['rows'] = [];
    for (const line of sample)
      if (rows.length < shownRows)
        read(line, ({ keywordId: _, ...entry }) => {
          if (rows.length < shownRows)
            rows.push({ ...entry, outcome: entry.reason === null ? 'written' : 'refused' });
        });
    return {
      preset: preset?.id ?? null,
      reading,
      columns,
      head: lines.slice(0, shownLines).map(({ cells }) => cells.slice(0, shownCells).map(shorten)),
      dateFormats: listDateFormats(sampleDates(reading, columns, sample)),
      missing: findMissing(header, reading),
      rows,
    };
  } catch (error) {
    if (error instanceof SheetError) throw invalid('file', error.message);
    throw error;
  }
}

/** The first whole lines. The end of the sample may be in the middle of a line or a character. */
async function readLines(
  ctx: Ctx,
  { head, isWhole }: Pick<Beginning, 'head' | 'isWhole'>,
  form: TextForm,
): Promise<SheetRow[]> {
  const lines: SheetRow[] = [];
  const file: StoredFile = {
    bytes: head.length,
    read: async (start, end) => head.subarray(start, end),
  };
  try {
    for await (const batch of ctx.historyFiles.tables.open(file, form).rows()) {
      lines.push(...batch);
      if (lines.length > shownLines * 5) return lines;
    }
  } catch (error) {
    if (!(error instanceof SheetError) || lines.length === 0 || isWhole) throw error;
  }
  if (!isWhole && lines.length > 1) lines.pop();
  return lines;
}
