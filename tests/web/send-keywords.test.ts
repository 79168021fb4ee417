import './api.fixtures.ts';
import { expect, test, vi } from 'vitest';
import type { PlannedRow } from '#web/pages/imports-exports/csv/plan-rows.ts';
import { sendKeywords } from '#web/pages/imports-exports/csv/send-rows.ts';
import { stubApi } from './api.fixtures.ts';

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

test('an import that sends nothing has no cost', async () => {
  expect((await sendKeywords(1, [], () => undefined)).budgetDelta).toBeUndefined();
});
