import { SheetError } from '#domain/base/ports/spreadsheets.ts';
import { sheetLimits } from './limits.ts';
import { XmlReader } from './parse-xml.ts';
import type { WorkbookArchive } from './workbook-archive.ts';

/** Texts that cells refer to by number. All of them are kept in memory, within limits. */
export async function readSharedTexts(archive: WorkbookArchive, part: string): Promise<string[]> {
  if (!archive.has(part)) return [];
  const texts: string[] = [];
  let text = '';
  let characters = 0;
  let isText = false;
  let isPhonetic = false;
  const reader = new XmlReader(part, {
    open(name) {
      if (name === 'si') text = '';
      else if (name === 'rPh') isPhonetic = true;
      else if (name === 't') isText = !isPhonetic;
    },
    close(name) {
      if (name === 't') isText = false;
      else if (name === 'rPh') isPhonetic = false;
      else if (name === 'si') texts.push(text);
    },
    text(piece) {
      if (!isText) return;
      text += piece;
      characters += piece.length;
    },
  });
  const assertWithinLimits = () => {
    if (texts.length > sheetLimits.sharedTexts || characters > sheetLimits.sharedCharacters)
      throw new SheetError(
        'too_many_texts',
        'The workbook has more different texts than a monthly file. Save only its first sheet.',
      );
  };
  for await (const chunk of archive.unpack(part, 8 * sheetLimits.sharedCharacters)) {
    reader.write(chunk);
    assertWithinLimits();
  }
  reader.end();
  return texts;
}
