/** Made files in the form of Apple's monthly search term rank. */
import { crc32, deflateRawSync } from 'node:zlib';

export interface MadeRow {
  month: string;
  country: string;
  genre: string;
  term: string;
  rank: number | string;
  popularityInGenre: number | string;
  popularity: number | string;
  level: number | string;
}

const genreLabels = [
  'Business',
  'Education',
  'Entertainment',
  'Finance',
  'Food & Drink',
  'Games',
  'Health & Fitness',
  'Lifestyle',
  'New & Publication',
  'Photo & Video',
  'Productivity & Utilities',
  'Shopping',
  'Social Networking',
  'Sports',
  'Travel',
];

const columnNames: Record<keyof MadeRow, string> = {
  month: 'Month',
  country: 'Country or Region',
  genre: 'Genre',
  term: 'Search Term',
  rank: 'Rank in Genre',
  popularityInGenre: 'Search Popularity in Genre (1-100)',
  popularity: 'Search Popularity (1-100)',
  level: 'Search Popularity (1-5)',
};
const allColumns = Object.keys(columnNames) as (keyof MadeRow)[];

/** Ranks 1 to `perGenre` in each genre; no term is in two genres. */
export function* makeRows(options: {
  month: string;
  countries: readonly string[];
  perGenre: number;
  /** Moves the terms, so that months differ. */
  shift?: number;
}): Generator<MadeRow> {
  const { month, countries, perGenre, shift = 0 } = options;
  for (const country of countries)
    for (const [index, genre] of genreLabels.entries()) {
      const floor = 46 + index;
      for (let rank = 1; rank <= perGenre; rank += 1) {
        const share = (perGenre - rank) / Math.max(1, perGenre - 1);
        const popularity = Math.round(floor + (100 - floor) * share ** 2);
        const number = ((rank + shift * index) % (perGenre + shift)) + 1;
        yield {
          month,
          country,
          genre,
          // Pure numbers occur, and are numeric cells.
          term: rank % 100 === 7 ? String(365_000 + index * 1_000 + number) : termOf(index, number),
          rank,
          popularityInGenre: Math.round(60 + 40 * share),
          popularity,
          level: Math.max(1, Math.ceil(popularity / 20)),
        };
      }
    }
}

function termOf(genre: number, number: number): string {
  const subject = genreLabels[genre]!.toLowerCase().split(' ')[0]!;
  return number % 14 === 0 ? `${subject} año ${number}` : `${subject} term ${number}`;
}

/** The lines of the sheet as Apple's has them: three of text, the header in line 7. */
export function* makeLines(
  rows: Iterable<MadeRow>,
  options: { month?: string | null; columns?: readonly (keyof MadeRow)[] } = {},
): Generator<[line: number, cells: (string | number)[]]> {
  const { month, columns = allColumns } = options;
  yield [1, ['Data extract produced by 93070_144880 on 10/05/2025 10:12']];
  if (month) yield [3, [`Month = ${month}`]];
  yield [5, ['userLocale = en_US']];
  yield [7, columns.map((column) => columnNames[column])];
  let line = 8;
  for (const row of rows) yield [line++, columns.map((column) => row[column])];
}

const escapeXml = (text: string) =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
const head = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n';
const schemas = 'http://schemas.openxmlformats.org';
const main = `${schemas}/spreadsheetml/2006/main`;
const rels = `${schemas}/officeDocument/2006/relationships`;
const columnName = (index: number) => String.fromCharCode(65 + index);

/** A workbook. Texts are shared, as in Excel's files, or inline; whole numbers are numbers. */
export function writeXlsx(
  lines: Iterable<[number, (string | number)[]]>,
  options: { sharedTexts?: boolean; more?: Record<string, string | Buffer> } = {},
): Buffer {
  const { sharedTexts = true, more = {} } = options;
  const texts = new Map<string, number>();
  const sheet: string[] = [];
  const cellOf = (value: string | number, name: string) => {
    const text = String(value);
    if (/^[1-9]\d{0,14}$/.test(text)) return `<c r="${name}"><v>${text}</v></c>`;
    if (!sharedTexts) return `<c r="${name}" t="inlineStr"><is><t>${escapeXml(text)}</t></is></c>`;
    if (!texts.has(text)) texts.set(text, texts.size);
    return `<c r="${name}" t="s"><v>${texts.get(text)}</v></c>`;
  };
  for (const [line, cells] of lines) {
    const row = cells.map((cell, at) => cellOf(cell, `${columnName(at)}${line}`));
    sheet.push(`<row r="${line}">${row.join('')}</row>`);
  }
  const shared = [...texts.keys()].map((text) => `<si><t>${escapeXml(text)}</t></si>`);
  return writeZip({
    '[Content_Types].xml': `${head}<Types xmlns="${schemas}/package/2006/content-types"/>`,
    'xl/workbook.xml':
      `${head}<workbook xmlns="${main}" xmlns:r="${rels}"><sheets>` +
      '<sheet name="Sheet1" sheetId="1" r:id="rId1"/></sheets></workbook>',
    'xl/_rels/workbook.xml.rels':
      `${head}<Relationships xmlns="${schemas}/package/2006/relationships">` +
      `<Relationship Id="rId1" Type="${rels}/worksheet" Target="worksheets/sheet1.xml"/>` +
      `<Relationship Id="rId2" Type="${rels}/sharedStrings" Target="sharedStrings.xml"/>` +
      '</Relationships>',
    'xl/worksheets/sheet1.xml': [
      `${head}<worksheet xmlns="${main}"><sheetData>`,
      ...sheet,
      '</sheetData></worksheet>',
    ].join(''),
    ...(sharedTexts && {
      'xl/sharedStrings.xml': [`${head}<sst xmlns="${main}">`, ...shared, '</sst>'].join(''),
    }),
    ...more,
  });
}

export interface ZipPart {
  data: Buffer;
  /** Bit 0 of the flags: the part has a password. */
  isEncrypted?: boolean;
  /** The size that the archive states. */
  statedBytes?: number;
}

export function writeZip(parts: Record<string, string | Buffer | ZipPart>): Buffer {
  const pieces: Buffer[] = [];
  const directory: Buffer[] = [];
  let offset = 0;
  for (const [name, given] of Object.entries(parts)) {
    const part =
      typeof given === 'object' && 'data' in given ? given : { data: Buffer.from(given as string) };
    const { data, isEncrypted = false, statedBytes = data.length } = part;
    const packed = deflateRawSync(data, { level: 6 });
    const fileName = Buffer.from(name);
    const fields = Buffer.alloc(26);
    fields.writeUInt16LE(20, 0);
    fields.writeUInt16LE(isEncrypted ? 1 : 0, 2);
    fields.writeUInt16LE(8, 4);
    fields.writeUInt32LE(crc32(data), 10);
    fields.writeUInt32LE(packed.length, 14);
    fields.writeUInt32LE(statedBytes, 18);
    fields.writeUInt16LE(fileName.length, 22);
    pieces.push(Buffer.from('PK\x03\x04', 'latin1'), fields, fileName, packed);
    const end = Buffer.alloc(14);
    end.writeUInt32LE(offset, 10);
    directory.push(Buffer.from('PK\x01\x02\x14\x00', 'latin1'), fields, end, fileName);
    offset += 4 + 26 + fileName.length + packed.length;
  }
  const listed = Buffer.concat(directory);
  const end = Buffer.alloc(22);
  end.write('PK\x05\x06', 'latin1');
  end.writeUInt16LE(Object.keys(parts).length, 8);
  end.writeUInt16LE(Object.keys(parts).length, 10);
  end.writeUInt32LE(listed.length, 12);
  end.writeUInt32LE(offset, 16);
  return Buffer.concat([...pieces, listed, end]);
}

export function writeCsvFile(
  lines: Iterable<[number, (string | number)[]]>,
  { delimiter = ',', mark = false }: { delimiter?: string; mark?: boolean } = {},
): Buffer {
  const quote = (cell: string | number) =>
    /["\n]/.test(String(cell)) || String(cell).includes(delimiter)
      ? `"${String(cell).replaceAll('"', '""')}"`
      : String(cell);
  const text: string[] = [];
  for (const [, cells] of lines) text.push(cells.map(quote).join(delimiter));
  return Buffer.from(`${mark ? '﻿' : ''}${text.join('\r\n')}\r\n`);
}
