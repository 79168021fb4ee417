import { type Sheet, type SheetRow, type StoredFile } from '#domain/base/ports/spreadsheets.ts';
import { sheetLimits } from './limits.ts';
import { SheetParser } from './sheet-parser.ts';
import { readSharedTexts } from './shared-texts.ts';
import { WorkbookArchive } from './workbook-archive.ts';
import { findWorkbookParts } from './workbook-parts.ts';

/** The first sheet of a workbook, unpacked and parsed piece by piece. Throws SheetError. */
export async function openXlsx(file: StoredFile): Promise<Sheet> {
  const archive = await WorkbookArchive.open(file);
  const parts = await findWorkbookParts(archive);
  let readBytes = 0;
  const rows = async function* (): AsyncGenerator<readonly SheetRow[]> {
    const parser = new SheetParser(parts.sheet, await readSharedTexts(archive, parts.sharedTexts));
    for await (const chunk of archive.unpack(parts.sheet, sheetLimits.unpackedBytes)) {
      readBytes += chunk.length;
      const batch = parser.write(chunk);
      if (batch.length > 0) yield batch;
    }
    const last = parser.end();
    if (last.length > 0) yield last;
  };
  return {
    format: 'xlsx',
    rows,
    share: () => readBytes / Math.max(1, archive.sizeOf(parts.sheet)),
  };
}
