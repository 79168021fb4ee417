import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { historyReading } from '#contract/history-imports.ts';
import { CheckedRows } from '#domain/transfer/history/checked-rows.ts';
import { readDay } from '#domain/transfer/history/read-day.ts';
import { createPositionReader } from '#domain/transfer/history/read-position.ts';
import { recognisePreset } from '#domain/transfer/history/presets.ts';
import { nameColumns, type HistoryEntry } from '#domain/transfer/history/reading.ts';
import { createRowReader } from '#domain/transfer/history/row-reader.ts';

const app = {
  store: 'ios',
  storeAppId: '1',
  today: '2026-11-21',
  keywordIds: new Map([
    ['us iphone a', 1],
    ['us iphone b', 2],
  ]),
} as const;
const hostile = fc.oneof(
  fc.constantFrom('', '0', '-', 'N/A', '101', '1000', '>50', '>0', '-1', '+3', '1e2', '0x10', '１'),
  fc.constantFrom('1,000', '1.0', '12,5', ' 7 ', "'7", '=7', '7th', '#7', '201', '5-7', '∞', '007'),
  fc.integer({ min: -300, max: 1_200 }).map(String),
  fc.string({ maxLength: 8 }),
);

describe('a cell of a position', () => {
  test('is a position only if it is that number, “not found” only if somebody said so', () => {
    fc.assert(
      fc.property(
        hostile,
        fc.array(hostile, { maxLength: 3 }),
        fc.option(fc.integer({ min: 1, max: 200 }), { nil: undefined }),
        fc.constantFrom('.' as const, ',' as const),
        (cell, notFound, depth, decimal) => {
          const read = createPositionReader({ notFound, depth, decimal, deeper: 'refused' });
          const found = read(cell.trim(), '');
          if (typeof found === 'string') return;
          if (found.position === null) {
            const isSaid = notFound.some(
              (word) => word.trim().toLowerCase() === cell.trim().toLowerCase(),
            );
            expect(isSaid ? depth : Number(/^> ?(\d+)$/.exec(cell.trim())?.[1])).toBeGreaterThan(0);
          } else {
            expect(Number(cell.trim().replace(/[.,]0+$/, ''))).toBe(found.position);
            expect(found.position).toBeLessThanOrEqual(found.depth);
          }
        },
      ),
      { numRuns: 3_000 },
    );
  });

  test.each([
    ['1,000', '.', 'beyond_200'],
    ['12.0', '.', 12],
    ['12,0', ',', 12],
    ['12,0', '.', 'bad_position'],
    ['1.000', ',', 'beyond_200'],
  ] as const)('%s with the decimal separator %s', (cell, decimal, expected) => {
    const read = createPositionReader({
      notFound: [],
      depth: undefined,
      decimal,
      deeper: 'refused',
    });
    const found = read(cell, '');
    expect(typeof found === 'string' ? found : found.position).toBe(expected);
  });

  test('above 200 it is “not within 200” if that was chosen', () => {
    const rules = {
      notFound: ['1000'],
      depth: 100,
      decimal: '.',
      deeper: 'not_within_200',
    } as const;
    const read = createPositionReader({ ...rules, notFound: [...rules.notFound] });
    expect(read('345', '')).toEqual({ position: null, depth: 200 });
    expect(read('1000', '')).toEqual({ position: null, depth: 100 });
  });
});

describe('a wide table', () => {
  test('has no position that the file does not contain, whatever its cells and gaps are', () => {
    fc.assert(
      fc.property(
        fc.array(fc.array(hostile, { maxLength: 6 }), { maxLength: 8 }),
        fc.boolean(),
        (rows, hasKeywordColumns) => {
          const header = hasKeywordColumns
            ? ['day', 'a (US)', 'b (US)']
            : ['phrase', '2026-01-01', '2026-01-02', '2026-01-03'];
          const reading = historyReading.parse({
            layout: hasKeywordColumns ? 'keyword_columns' : 'day_columns',
            columns: hasKeywordColumns ? { date: 'day' } : { phrase: 'phrase' },
            dateFormat: 'ymd',
            ...(!hasKeywordColumns && { country: 'us' }),
          });
          const read = createRowReader(header, reading, app);
          for (const [index, cells] of rows.entries()) {
            const line = [hasKeywordColumns ? `2026-02-0${index + 1}` : 'a', ...cells];
            const entries: HistoryEntry[] = [];
            read({ line: index + 2, cells: line }, (entry) => entries.push(entry));
            expect(entries.length).toBe(header.length - 1);
            for (const [at, { position, reason }] of entries.entries())
              if (reason === null && position !== null)
                expect(line[at + 1]!.replace(/^'/, '').replace(/\.0+$/, '').trim()).toMatch(
                  new RegExp(`^0*${position}$`),
                );
          }
        },
      ),
      { numRuns: 500 },
    );
  });
});

test('a file of more than 5,000,000 rows has to be split', () => {
  const rows = new CheckedRows(null as never, { workspaceId: 1, importId: 1 });
  const reading = historyReading.parse({
    layout: 'day_columns',
    columns: { phrase: 'phrase' },
    dateFormat: 'ymd',
    country: 'us',
  });
  const gaps: HistoryEntry[] = [];
  const read = createRowReader(['phrase', '2026-01-01'], reading, app);
  read({ line: 2, cells: ['a', ''] }, (entry) => gaps.push(entry));
  for (let count = 0; count < 5_000_000; count += 1) rows.add(gaps[0]!);
  expect([rows.count, rows.isFull]).toEqual([5_000_000, false]);
  expect(() => rows.add(gaps[0]!)).toThrow(/more than 5000000 rows.*Split it/);
});

describe('a date', () => {
  test.each([
    ['2026-03-01 23:30:00 -0500', 'ymd', '2026-03-02'],
    ['2026-03-01 00:30:00 +0100', 'ymd', '2026-02-28'],
    ['2026-03-01 00:30:00+02', 'ymd', '2026-02-28'],
    ['2026-03-01 23:30:00.123456-03', 'ymd', '2026-03-02'],
    ['2026-03-01 03:00:00+05:30', 'ymd', '2026-02-28'],
    ['01.03.2026 00:30 +02', 'dmy', '2026-02-28'],
    ['2026-03-02', 'ymd', '2026-03-02'],
    ['2026-03-02 10:00', 'ymd', '2026-03-02'],
    ['2026-03-02 10:00-45', 'ymd', '2026-03-02'],
    ['2026-03-01T23:59:59.999Z', 'ymd', '2026-03-01'],
    ['2026-3-7', 'ymd', '2026-03-07'],
    ['03/04/2025', 'dmy', '2025-04-03'],
    ['03/04/2025', 'mdy', '2025-03-04'],
    ['31.12.2025 10:15', 'dmy', '2025-12-31'],
    ['2026-02-30', 'ymd', null],
    ['03/04/25', 'dmy', null],
    ['13/13/2025', 'mdy', null],
    ['794448000', 'apple', '2026-03-06'],
    ['1772323200', 'unix', '2026-03-01'],
    ['1772323200000', 'unix_ms', '2026-03-01'],
    ['-5', 'unix', null],
    ['', 'ymd', null],
    ['9'.repeat(10_000), 'ymd', null],
  ] as const)('%s as %s is %s', (text, format, expected) => {
    expect(readDay(text, format)).toBe(expected);
  });
});

test('no preset is recognized for a header that nobody has seen', () => {
  for (const header of [
    ['Keyword', 'Rank', 'Date'],
    ['Keyword', 'Volume', 'Difficulty', 'Rank'],
    ['date', 'habit tracker'],
    ['Keyword', 'Popularity', 'Difficulty', 'Position', 'Country'],
    ['{"manifest":{"format":"toprung-workspace","version":1}}'],
    [],
  ])
    expect(recognisePreset(header)).toBeNull();
});

test('columns with the same name, or none, get names of their own', () => {
  expect(nameColumns(['Rank', '', 'Rank', 'Rank (2)', 'a\0'])).toEqual([
    'Rank',
    '#2',
    'Rank (3)',
    'Rank (2)',
    'a�',
  ]);
});
