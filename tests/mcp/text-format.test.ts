import { expect, test } from 'vitest';
import { formatCoverage } from '#mcp/text-format.ts';

test('every whole percent of coverage is itself, and less than all is never 100 %', () => {
  for (let percent = 0; percent < 100; percent += 1)
    expect(formatCoverage(percent / 100)).toBe(` (coverage ${percent} %)`);
  expect([0.9999, 0.2999].map(formatCoverage)).toEqual([' (coverage 99 %)', ' (coverage 29 %)']);
  expect([1, null].map(formatCoverage)).toEqual(['', '']);
});
