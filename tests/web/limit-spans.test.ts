import './api.fixtures.ts';
import { expect, test } from 'vitest';
import { limitSpanOf } from '#web/components/limit-facts.tsx';

test.each([
  ['rate_limited', 'minute', 'minute'],
  ['on_demand_cap', 'minute', 'hour'],
  ['on_demand_cap', 'day', 'day'],
  ['rate_limited', 'concurrent', 'concurrent'],
] as const)('a limit of %s in a %s is one of a %s', (code, window, span) => {
  expect(limitSpanOf(code, window)).toBe(span);
});
