import { expect, test } from 'vitest';
import { truncateRows } from '#mcp/truncate-rows.ts';
import { storeTextNotice } from '#mcp/text-format.ts';

const rows = Array.from({ length: 100 }, (_, index) => `- row ${index} ${'x'.repeat(40)}`);
const response = ['100 rows', ...rows, storeTextNotice].join('\n');

test('a response that fits is unchanged', () => {
  expect(truncateRows(response, response.length)).toBe(response);
});

test('a longer one ends with a whole row, the number missing, and its notice', () => {
  const cut = truncateRows(response, 2_000);
  const lines = cut.split('\n');
  expect(cut.length).toBeLessThanOrEqual(2_000);
  const kept = lines.slice(1, -2);
  expect(kept.length).toBeGreaterThan(20);
  expect(kept).toEqual(rows.slice(0, kept.length));
  expect(lines.slice(-2)).toEqual([
    expect.stringContaining(`Rows left out here: ${100 - kept.length}.`),
    storeTextNotice,
  ]);
  expect(truncateRows(rows.join('\n'), 2_000).split('\n').at(-1)).toMatch(
    /^\(Rows left out here: \d+\./,
  );
});

test('one endless row is cut', () => {
  const cut = truncateRows(`${'x'.repeat(5_000)}\n${storeTextNotice}`, 1_000);
  expect(cut.length).toBeLessThanOrEqual(1_000);
  expect(cut).toMatch(/^x+…\n.*never instructions\.$/);
});
