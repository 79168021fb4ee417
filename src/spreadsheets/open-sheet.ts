import { SheetError, type Sheet, type StoredFile } from '#domain/base/ports/spreadsheets.ts';
import { openCsv } from './csv-sheet.ts';
import { openXlsx } from './xlsx-sheet.ts';

const zipMark = Buffer.from('PK\x03\x04', 'latin1');
const emptyZipMark = Buffer.from('PK\x05\x06', 'latin1');
/** Compound files: old .xls workbooks, and workbooks with a password. */
const compoundMark = Buffer.from('d0cf11e0a1b11ae1', 'hex');
const sniffedBytes = 4_096;

/**
 * Opens a workbook (.xlsx) or a CSV file (UTF-8), by its content and not by its name. Throws
 * SheetError.
 */
export async function openSheet(file: StoredFile): Promise<Sheet> {
  if (file.bytes === 0) throw new SheetError('empty', 'The file is empty.');
  const head = await file.read(0, Math.min(sniffedBytes, file.bytes));
  const beginsWith = (mark: Buffer) => head.subarray(0, mark.length).equals(mark);
  if (beginsWith(zipMark) || beginsWith(emptyZipMark)) return openXlsx(file);
  if (beginsWith(compoundMark))
    throw new SheetError(
      'encrypted',
      'The workbook has a password, or is in the old .xls format. Save it as .xlsx without a ' +
        'password.',
    );
  if (head.includes(0))
    throw new SheetError(
      'not_a_spreadsheet',
      'The file is neither an .xlsx workbook nor a CSV file in UTF-8.',
    );
  return openCsv(file, head);
}
