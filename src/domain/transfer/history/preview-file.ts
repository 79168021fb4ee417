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
import { headOf, openHistoryFile } from './stored-file.ts';

const headBytes = 256 * 1024;
const shownLines = 20;
const shownCells = 60;
const shownRows = 50;

/**
 * Reads the beginning of an uploaded file. Without a reading it is recognized by its columns. Throws
 * not_found, and invalid_request for a file that is no text.
 */
export async function previewHistory(
  ctx: Ctx,
  importId: number,
  given: Reading | undefined,
): Promise<HistoryPreview> {
  const { file, appId } = await inTenant(ctx, async (tx) => {
    const found = await find(tx, ctx, importId);
    return {
      file: await openHistoryFile(tx, ctx.workspaceId, { importId, parts: 1 }),
      appId: found.appId,
    };
  });
  return preview(ctx, { file, appId, given });
}

async function preview(
  ctx: Ctx,
  { file, appId, given }: { file: StoredFile; appId: number; given: Reading | undefined },
): Promise<HistoryPreview> {
  const tables = ctx.historyFiles.tables;
  const head = headOf(file, headBytes);
  try {
    const form: TextForm = given ? formOf(given) : tables.detect(await head.read(0, head.bytes));
    const lines = await readLines(ctx, head, form);
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
async function readLines(ctx: Ctx, head: StoredFile, form: TextForm): Promise<SheetRow[]> {
  const lines: SheetRow[] = [];
  try {
    for await (const batch of ctx.historyFiles.tables.open(head, form).rows()) {
      lines.push(...batch);
      if (lines.length > shownLines * 5) break;
    }
  } catch (error) {
    if (!(error instanceof SheetError) || lines.length === 0 || head.bytes < headBytes) throw error;
  }
  if (head.bytes === headBytes && lines.length > 1) lines.pop();
  return lines;
}
