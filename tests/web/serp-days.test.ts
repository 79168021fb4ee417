import { expect, test } from 'vitest';
import { findDayBefore } from '#web/pages/serp/find-day-before.ts';

const days = [
  { date: '2026-11-21', provider: 'web' },
  { date: '2026-11-20', provider: 'itunes' },
  { date: '2026-11-19', provider: 'web' },
  { date: '2026-11-18', provider: 'mzstore' },
];

test.each([
  ['the latest earlier day by the same provider', '2026-11-21', '2026-11-19'],
  ['the day before when no earlier one has that provider', '2026-11-20', '2026-11-19'],
  ['the day before a single one of its provider', '2026-11-19', '2026-11-18'],
  ['none before the first day', '2026-11-18', null],
])('search results are compared with %s', (_, day, before) => {
  expect(findDayBefore(days, day)).toBe(before);
});
