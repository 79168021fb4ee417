import { expect, test } from 'vitest';
import {
  alignDays,
  averageOf,
  findComparedSpan,
  haveOtherProviders,
} from '#web/components/periods/compared-span.ts';

const november = { from: '2026-11-01', to: '2026-11-30' };

test('the compared period has as many days as the period', () => {
  expect(findComparedSpan(november, 'previous')).toEqual({ from: '2026-10-02', to: '2026-10-31' });
  expect(findComparedSpan(november, 'year')).toEqual({ from: '2025-11-01', to: '2025-11-30' });
  expect(findComparedSpan(november, '2024-02-15')).toEqual({
    from: '2024-02-15',
    to: '2024-03-15',
  });
  expect(findComparedSpan({ from: '2028-02-29', to: '2028-03-01' }, 'year')).toEqual({
    from: '2027-02-28',
    to: '2027-03-01',
  });
});

test('nothing is compared without a choice, with an invalid one, or before the first day', () => {
  for (const value of [null, '', 'week', '2026-02-30', '1999-12-31'])
    expect(findComparedSpan(november, value)).toBeNull();
});

test('days of the compared period are drawn on the days of the period', () => {
  const compared = { from: '2025-11-01', to: '2025-11-30' };
  const aligned = alignDays(november, compared, [{ date: '2025-11-01' }, { date: '2025-11-30' }]);
  expect([...aligned.keys()]).toEqual(['2026-11-01', '2026-11-30']);
});

test('an average leaves out unknown days, and is null without a known one', () => {
  expect(averageOf([4, null, undefined, 8])).toEqual({ average: 6, count: 2 });
  expect(averageOf([null])).toBeNull();
});

test('periods are comparable where the same search providers have their positions', () => {
  const itunes = { from: '2026-11-01', provider: 'itunes' };
  const web = { from: '2026-11-15', provider: 'web' };
  expect(haveOtherProviders([itunes], [{ ...itunes, from: '2026-10-01' }])).toBe(false);
  expect(haveOtherProviders([itunes, web], [web, itunes])).toBe(false);
  for (const other of [[web], [itunes, web]])
    expect([haveOtherProviders([itunes], other), haveOtherProviders(other, [itunes])]).toEqual([
      true,
      true,
    ]);
});
