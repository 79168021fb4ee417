import { describe, expect, test } from 'vitest';
import { addDays } from '#lib/dates.ts';
import {
  findRangeError,
  isPast,
  retainScope,
  readScope,
  spanOfScope,
  type Scope,
} from '#web/scope.ts';

/** 22 November in UTC; already the 23rd in Kiritimati. */
const nowMs = Date.parse('2026-11-22T23:59:00Z');
const today = '2026-11-22';
const september = { from: '2026-09-01', to: '2026-09-30' };

describe('days in an address', () => {
  test.each<[string, Record<string, unknown>, { from: string; to: string }]>([
    ['none', {}, { from: '2026-10-24', to: today }],
    ['a number of days', { days: 7 }, { from: '2026-11-16', to: today }],
    ['a range', september, september],
    ['a range beside a number of days', { ...september, days: 7 }, september],
    ['one day', { from: today, to: today }, { from: today, to: today }],
    [
      'the most days that the API reads',
      { from: addDays(today, -3_659), to: today },
      { from: addDays(today, -3_659), to: today },
    ],
    [
      'one day too many',
      { from: addDays(today, -3_660), to: today, days: 7 },
      { from: '2026-11-16', to: today },
    ],
    ['half a range', { from: '2026-09-01' }, { from: '2026-10-24', to: today }],
    [
      'a day that does not exist',
      { from: '2026-02-30', to: '2026-03-01' },
      { from: '2026-10-24', to: today },
    ],
    [
      'a reversed range',
      { from: '2026-09-30', to: '2026-09-01' },
      { from: '2026-10-24', to: today },
    ],
    [
      'a range that ends tomorrow',
      { from: today, to: '2026-11-23' },
      { from: '2026-10-24', to: today },
    ],
    [
      'a range before the first day',
      { from: '1999-12-31', to: '2000-01-02' },
      { from: '2026-10-24', to: today },
    ],
    ['all days', { days: 'all', from: '2026-01-05' }, { from: '2026-01-05', to: today }],
    [
      'all days, of which the first were too long ago since they were chosen',
      { days: 'all', from: '2010-01-01' },
      { from: addDays(today, -3_659), to: today },
    ],
    ['all days without the first', { days: 'all' }, { from: '2026-10-24', to: today }],
    [
      'all days from a day to come',
      { days: 'all', from: '2026-11-23' },
      { from: '2026-10-24', to: today },
    ],
    ['a range beside all days', { days: 'all', ...september }, september],
    ['no text', { from: 20260901, to: ['2026-09-30'] }, { from: '2026-10-24', to: today }],
  ])('%s', (_name, search, shown) => {
    expect(spanOfScope(readScope(search, nowMs), nowMs)).toEqual(shown);
  });

  test('have a separate error for each problem of a range', () => {
    const errorOf = (from: string, to: string) => findRangeError(from, to, nowMs);
    expect(errorOf('', today)).toBe('incomplete');
    expect(errorOf(today, '2026-11-23')).toBe('outside');
    expect(errorOf(today, '2026-11-21')).toBe('backwards');
    expect(errorOf('2015-01-01', today)).toBe('tooLong');
    expect(errorOf(today, today)).toBeNull();
  });

  test('are in the past only if they end before the current UTC day', () => {
    expect([isPast({ to: '2026-11-21' }, nowMs), isPast({ to: today }, nowMs)]).toEqual([
      true,
      false,
    ]);
  });
});

describe('days from page to page', () => {
  /** Like the router: a link's own parameters are read before others are added. */
  const follow = (search: Scope, said: Record<string, unknown>): Scope =>
    retainScope({ search, next: () => ({ ...said, ...readScope(said) }) });

  test.each<[string, Scope, Record<string, unknown>, Scope]>([
    ['a range is kept', september, {}, september],
    [
      'so are country and days',
      { country: 'de', days: 90 },
      { tab: 'market' },
      { country: 'de', days: 90 },
    ],
    [
      'a number of days ends a range',
      september,
      { days: 7, from: undefined, to: undefined },
      { days: 7 },
    ],
    ['a range ends a number of days', { days: 7 }, { days: undefined, ...september }, september],
    [
      'all days are kept',
      { days: 'all', from: '2026-09-01' },
      {},
      { days: 'all', from: '2026-09-01' },
    ],
    [
      'a number of days ends all days',
      { days: 'all', from: '2026-09-01' },
      { days: 7, from: undefined, to: undefined },
      { days: 7 },
    ],
    ['half a range is dropped', { from: '2026-09-01', days: 7 }, {}, { days: 7 }],
    [
      'removed parameters stay removed',
      { country: 'de', ...september },
      { country: undefined },
      september,
    ],
  ])('%s', (_name, search, said, kept) => {
    expect(follow(search, said)).toMatchObject(kept);
    expect(readScope({ ...follow(search, said) })).toEqual(kept);
  });
});
