import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { SheetError, type SheetRow } from '#domain/base/ports/spreadsheets.ts';
import { openSheet } from '#spreadsheets/open-sheet.ts';
import {
  makeLines,
  makeRows,
  writeCsvFile,
  writeXlsx,
  writeZip,
  type ZipPart,
} from '../harness/popularity-file.ts';

async function readAll(file: Buffer): Promise<SheetRow[]> {
  const sheet = await openSheet({
    bytes: file.length,
    read: async (start, end) => file.subarray(start, end),
  });
  const rows: SheetRow[] = [];
  for await (const batch of sheet.rows()) rows.push(...batch);
  return rows;
}

const faultOf = (file: Buffer): Promise<string> =>
  readAll(file).then(
    () => 'none',
    (error: unknown) => {
      if (!(error instanceof SheetError)) throw error;
      expect(error.message).toMatch(/^[A-Z].*\.$/s);
      return error.fault;
    },
  );

const month = '2026-10';
const lines = () => makeLines(makeRows({ month, countries: ['Japan'], perGenre: 3 }), { month });
const small = () => writeXlsx(lines());
const withSheet = (sheet: string | Buffer | ZipPart, more: Record<string, string | Buffer> = {}) =>
  writeXlsx([], { more: { 'xl/worksheets/sheet1.xml': sheet as Buffer, ...more } });
const sheetOf = (cells: string) =>
  `<worksheet><sheetData><row r="1">${cells}</row></sheetData></worksheet>`;

describe('a sheet', () => {
  test('has the same rows with shared texts, with inline texts and as CSV', async () => {
    const shared = await readAll(small());
    expect(shared).toEqual(await readAll(writeXlsx(lines(), { sharedTexts: false })));
    expect(shared[4]).toEqual({
      line: 8,
      cells: [month, 'Japan', 'Business', 'business term 2', '1', '100', '100', '5'],
    });
    for (const delimiter of [',', ';', '\t'])
      expect(
        (await readAll(writeCsvFile(lines(), { delimiter }))).map(({ cells }) => cells),
      ).toEqual(shared.map(({ cells }) => cells));
  });

  test('has texts in pieces and leaves readings of Japanese out', async () => {
    const rich =
      '<si><r><t>東</t></r><r><t>京</t></r><rPh sb="0" eb="2"><t>トウキョウ</t></rPh></si>';
    const file = withSheet(sheetOf('<c r="B1" t="s"><v>0</v></c><c r="D1"><v>7</v></c>'), {
      'xl/sharedStrings.xml': `<sst>${rich}</sst>`,
    });
    expect(await readAll(file)).toEqual([{ line: 1, cells: ['', '東京', '', '7'] }]);
  });
});

test('a formula of an extension, outside of the cells, is none of the sheet', async () => {
  const extension = '<extLst><ext><x14:cfRule><xm:f>$B$2</xm:f></x14:cfRule></ext></extLst>';
  const sheet =
    '<worksheet xmlns:xm="m" xmlns:x14="x"><sheetData><row r="2"><c r="B2"><v>7</v></c></row>' +
    `</sheetData>${extension}</worksheet>`;
  expect(await readAll(withSheet(sheet))).toEqual([{ line: 2, cells: ['', '7'] }]);
});

test('a first line that names the separator, as Excel writes it, is no row', async () => {
  const text = 'sep=;\r\nTerm, of the month;Rank, of all\r\na;1\r\n';
  expect(await readAll(Buffer.from(`\ufeff${text}`))).toEqual([
    { line: 2, cells: ['Term, of the month', 'Rank, of all'] },
    { line: 3, cells: ['a', '1'] },
  ]);
});

describe('a hostile file is refused', () => {
  const lines600k = Array.from({ length: 600_001 }, (_, at) => `<si><t>${at}</t></si>`).join('');
  const zeros = Buffer.alloc(8 * 1024 * 1024, '<a/>');
  const cases: [name: string, fault: string, file: () => Buffer][] = [
    ['nothing', 'empty', () => Buffer.alloc(0)],
    ['a picture', 'not_a_spreadsheet', () => Buffer.from('\x89PNG\r\n\x1a\n\0\0', 'latin1')],
    ['a password', 'encrypted', () => Buffer.from('d0cf11e0a1b11ae100', 'hex')],
    [
      'an encrypted part',
      'encrypted',
      () => withSheet({ data: Buffer.from(sheetOf('')), isEncrypted: true }),
    ],
    ['another archive', 'not_a_spreadsheet', () => writeZip({ 'a.txt': 'a' })],
    ['half a workbook', 'damaged', () => small().subarray(0, 1_000)],
    ['a zip bomb', 'too_large', () => withSheet(zeros)],
    [
      'a zip bomb that states a small size',
      'damaged',
      () => withSheet({ data: zeros, statedBytes: 1_000 }),
    ],
    ['a formula', 'formula', () => withSheet(sheetOf('<c r="A1"><f>1+1</f><v>2</v></c>'))],
    ['no XML', 'damaged', () => withSheet('<worksheet><row>')],
    [
      'entities',
      'damaged',
      () => withSheet(`<!DOCTYPE x [<!ENTITY a "b">]>${sheetOf('<c r="A1"><v>&a;</v></c>')}`),
    ],
    [
      'an unknown text',
      'damaged',
      () => withSheet(sheetOf('<c r="A1" t="s"><v>constructor</v></c>')),
    ],
    [
      'a huge text',
      'damaged',
      () => withSheet(sheetOf(`<c r="A1" t="str"><v>${'ab'.repeat(40_000)}</v></c>`)),
    ],
    ['rows in no order', 'damaged', () => withSheet('<w><row r="2"/><row r="1"/></w>')],
    ['a row too far', 'too_many_rows', () => withSheet('<w><row r="1048577"/></w>')],
    [
      'too many texts',
      'too_many_texts',
      () => withSheet(sheetOf(''), { 'xl/sharedStrings.xml': `<sst>${lines600k}</sst>` }),
    ],
    ['Latin-1', 'not_utf8', () => Buffer.from('a,b\nMünchen,ü\n', 'latin1')],
    ['a quote without an end', 'bad_csv', () => Buffer.from('a,b\n"c,d\n')],
    ['a line without an end', 'bad_csv', () => Buffer.from(`a,${'b'.repeat(50_000)}`)],
  ];
  test.for(cases)('%s: %s', async ([, fault, file]) => {
    expect(await faultOf(file())).toBe(fault);
  });

  test('or read, whatever its bytes are', async () => {
    const whole = small();
    const change = fc.record({ at: fc.nat(whole.length - 1), to: fc.nat(255) });
    await fc.assert(
      fc.asyncProperty(fc.array(change, { minLength: 1, maxLength: 4 }), async (changes) => {
        const file = Buffer.from(whole);
        for (const { at, to } of changes) file[at] = to;
        await faultOf(file);
      }),
      { numRuns: 150 },
    );
  });
});
