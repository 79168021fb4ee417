import { afterAll, describe, expect, test, vi } from 'vitest';
import { buildBandsChart } from '#web/pages/distribution/bands-chart.ts';
import { trimDays } from '#web/pages/distribution/bands.ts';
import { findComparedDays } from '#web/pages/distribution/compared-days.ts';
import { findCompleteDays } from '#web/pages/distribution/complete-days.ts';
import { markProviders } from '#web/components/provider-marks.ts';
import type { DistributionDay } from '#web/queries/rankings.ts';

// The dashboard follows changes of its storage by other tabs.
vi.hoisted(() => vi.stubGlobal('addEventListener', () => {}));
afterAll(() => void vi.unstubAllGlobals());

const span = { from: '2026-11-01', to: '2026-11-04' };
const day = (date: string, counts: Partial<DistributionDay> = {}): DistributionDay => ({
  date,
  top1: 4,
  top2to3: 10,
  top4to10: 20,
  top11to50: 60,
  top51to100: 0,
  top101toDepth: 0,
  notFound: 0,
  notChecked: 0,
  notTracked: 0,
  entered: 0,
  left: 0,
  ...counts,
});
const days = ['2026-11-01', '2026-11-02', '2026-11-03', '2026-11-04'].map((date) => day(date));
const itunes = { from: '2026-10-29', provider: 'itunes' };
const webSince = (from: string) => [itunes, { from, provider: 'web' }];
const datesOf = (found: { first: DistributionDay; last: DistributionDay } | null) =>
  found && [found.first.date, found.last.date];

describe('the days that the overview and the distribution compare', () => {
  test('are complete although keywords are paused, and not where checks are missing', () => {
    const paused = days.map((of) => ({ ...of, notTracked: 6 }));
    expect(datesOf(findCompleteDays(paused, span, [itunes]))).toEqual(['2026-11-01', '2026-11-04']);
    const missed = days.map((of) => ({ ...of, notChecked: 6 }));
    expect(findCompleteDays(missed, span, [itunes])).toBeNull();
  });

  test('are of one search provider', () => {
    const find = (from: string) => datesOf(findCompleteDays(days, span, webSince(from)));
    expect(find('2026-11-02')).toEqual(['2026-11-02', '2026-11-04']);
    expect(find('2026-11-04')).toBeNull();
    // The new provider has no complete day yet.
    const running = [...days.slice(0, 3), day('2026-11-04', { notChecked: 50 })];
    expect(datesOf(findCompleteDays(running, span, webSince('2026-11-04')))).toEqual([
      '2026-11-01',
      '2026-11-03',
    ]);
  });

  test('are said to be of two providers where they are chosen or there are no others', () => {
    const segments = webSince('2026-11-04');
    const chosen = { a: '2026-11-01', b: '2026-11-02' };
    const compare = (requested?: typeof chosen) =>
      findComparedDays(days, span, segments, requested);
    expect(compare(chosen)).toMatchObject({ areFull: true, isComparable: true });
    expect(compare({ ...chosen, b: '2026-11-04' }).isComparable).toBe(false);
    expect(compare()).toMatchObject({ last: { date: '2026-11-04' }, isComparable: false });
  });
});

test('a period in which all keywords were paused is not one without keywords', () => {
  const none = { top1: 0, top2to3: 0, top4to10: 0, top11to50: 0 };
  expect(trimDays([day('2026-11-01', { ...none, notTracked: 6 })])).toHaveLength(1);
  expect(trimDays([day('2026-11-01', none)])).toEqual([]);
});

test('the chart marks the day of another search provider, and names untracked keywords', () => {
  const t = ((key: string, { count = '' }: { count?: number | '' } = {}) =>
    `${key} ${count}`.trim()) as never;
  const spec = buildBandsChart(
    {
      days: [...days.slice(0, 3), day('2026-11-04', { notTracked: 2 })],
      measure: 'count',
      marks: markProviders(webSince('2026-11-03')),
      store: 'ios',
    },
    t,
  );
  expect(spec.events).toEqual([
    { date: '2026-11-03', label: 'timeline.kind.provider', isBoundary: true },
  ]);
  const linesOf = (index: number) => spec.describe(index).map(([kind, text]) => [kind, text]);
  expect(linesOf(2)).toContainEqual(['mark', 'happened.provider']);
  expect(linesOf(1)).not.toContainEqual(['mark', 'happened.provider']);
  expect(linesOf(3)).toContainEqual(['note', 'distribution.notTracked 2']);
});
