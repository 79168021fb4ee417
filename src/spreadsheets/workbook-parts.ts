import { posix } from 'node:path';
import { SheetError } from '#domain/base/ports/spreadsheets.ts';
import { sheetLimits } from './limits.ts';
import { XmlReader } from './parse-xml.ts';
import type { WorkbookArchive } from './workbook-archive.ts';

export interface WorkbookParts {
  sheet: string;
  sharedTexts: string;
}

const workbook = 'xl/workbook.xml';
const relationships = 'xl/_rels/workbook.xml.rels';

/** The parts of the first sheet, as the workbook names them. Throws SheetError. */
export async function findWorkbookParts(archive: WorkbookArchive): Promise<WorkbookParts> {
  if (!archive.has(workbook) || !archive.has(relationships))
    throw new SheetError('not_a_spreadsheet', 'The archive is not an .xlsx workbook.');
  const sheets: string[] = [];
  await readTags(archive, workbook, (name, attributes) => {
    if (name === 'sheet') sheets.push(attributes['r:id'] ?? attributes['id'] ?? '');
  });
  const targets = new Map<string, string>();
  let sharedTexts = 'xl/sharedStrings.xml';
  await readTags(archive, relationships, (name, { Id, Type = '', Target = '' }) => {
    if (name !== 'Relationship' || Id === undefined) return;
    const part = Target.startsWith('/') ? Target.slice(1) : posix.join('xl', Target);
    targets.set(Id, part);
    if (Type.endsWith('/sharedStrings')) sharedTexts = part;
  });
  const sheet = targets.get(sheets[0] ?? '');
  if (sheet === undefined || !archive.has(sheet))
    throw new SheetError('not_a_spreadsheet', 'The workbook has no sheet.');
  return { sheet, sharedTexts };
}

async function readTags(
  archive: WorkbookArchive,
  part: string,
  open: (name: string, attributes: Readonly<Record<string, string>>) => void,
): Promise<void> {
  const reader = new XmlReader(part, { open, close: () => undefined, text: () => undefined });
  for await (const chunk of archive.unpack(part, sheetLimits.indexBytes)) reader.write(chunk);
  reader.end();
}
