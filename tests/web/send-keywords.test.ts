import './api.fixtures.ts';
import type { TFunction } from 'i18next';
import { expect, test, vi } from 'vitest';
import { readCsv } from '#lib/csv-reader.ts';
import { guessMapping } from '#web/pages/imports-exports/csv/mapping.ts';
import { readCsv as readFile } from '#web/pages/imports-exports/csv/parse-csv.ts';
import { planRows, type PlannedRow } from '#web/pages/imports-exports/csv/plan-rows.ts';
import { sendKeywords } from '#web/pages/imports-exports/csv/send-rows.ts';
import { writeKeywordsCsv } from '#web/pages/keywords/keyword-csv.ts';
import { Refusal, stubApi } from './api.fixtures.ts';

// Another file of this process may have loaded the client with a fetch of its own.
vi.hoisted(() => vi.resetModules());

const rows = Array.from({ length: 10_001 }, (_, index): PlannedRow => ({
  row: index + 1,
  phrase: `word ${index}`,
  country: 'us',
  device: 'iphone',
  date: '',
  position: '',
  depth: '',
  tags: '',
  fault: null,
}));

test('the cost of an import is that of all of its requests', async () => {
  const deltas = [
    [5_000, 40_000, 90, 0.2, 0.4],
    [4_998, 39_984, 0, 0.4, 0.6],
    [1, 8, 2, 0.6, 0.61],
  ].map(([searchesPerDay, requestsPerDay, firstRunRequests, before, after]) => ({
    searchesPerDay,
    requestsPerDay,
    firstRunRequests,
    utilizationBefore: before,
    utilizationAfter: after,
  }));
  let requests = 0;
  stubApi(() => ({ rows: [], job: null, budgetDelta: deltas.at(requests++) }));
  const { budgetDelta } = await sendKeywords(1, rows, () => undefined);
  expect(requests).toBe(3);
  expect(budgetDelta).toEqual({
    searchesPerDay: 9_999,
    requestsPerDay: 79_992,
    firstRunRequests: 92,
    utilizationBefore: 0.2,
    utilizationAfter: 0.61,
  });
});

test('an error of the API names the rows of the file', async () => {
  const skipped = rows.filter(({ row }) => row % 2 === 0);
  const message = 'tags of a keyword';
  const issue = { message, code: 'too_large', limit: 20, actual: 21 };
  let requests = 0;
  stubApi((_method, path) =>
    requests++ === 0
      ? { rows: [], job: null, budgetDelta: {} }
      : new Refusal(400, path, {
          code: 'invalid_request',
          message: `rows.1.tags: ${message}`,
          issues: [
            { ...issue, path: 'rows.1.tags' },
            { ...issue, path: 'rows.12.tags' },
            { ...issue, path: 'text' },
          ],
        }),
  );
  const many = [...skipped, ...skipped.map((one) => ({ ...one, row: one.row + 20_000 }))];
  const error = await sendKeywords(1, many, () => undefined).catch((thrown: unknown) => thrown);
  expect(error).toMatchObject({
    message: `rows.20002.tags: ${message}`,
    envelope: {
      issues: [{ path: 'rows.20002.tags' }, { path: 'rows.20024.tags' }, { path: 'text' }],
    },
  });
});

test('a phrase that looks like a formula is sent as an export writes it', async () => {
  const sent: string[] = [];
  stubApi((_method, _path, body) => {
    sent.push((body as { text: string }).text);
    return { rows: [], job: null, budgetDelta: {} };
  });
  await sendKeywords(1, [{ ...rows.at(0)!, phrase: "'+1", tags: '@a; b' }], () => undefined);
  expect(readCsv(sent.at(0)!)[1]).toEqual(["''+1", 'us', 'iphone', '', '', '', "'@a; b"]);
});

test('an import that sends nothing has no cost', async () => {
  expect((await sendKeywords(1, [], () => undefined)).budgetDelta).toBeUndefined();
});

test('a table of keywords that is downloaded can be imported with its tags', () => {
  const keyword = { phrase: '+1 game', tags: ['brand', 'a, b'], latest: null } as never;
  const heads: Record<string, string> = { 'column.phrase.long': 'Phrase', 'add.tags': 'Tags' };
  const t = ((key: string) => heads[key] ?? key) as TFunction;
  const table = readFile(writeKeywordsCsv([keyword], [], t))!;
  const mapping = guessMapping(table, { primaryCountry: 'us', store: 'ios' });
  const planned = planRows(table, mapping, 'keywords', { store: 'ios', today: '2026-11-27' });
  expect(planned).toMatchObject([{ phrase: '+1 game', tags: 'brand; a, b' }]);
});
