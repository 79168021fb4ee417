import { afterAll, expect, test, vi } from 'vitest';
import { buildVisibilityChart } from '#web/pages/overview/visibility-chart.ts';
import { markProviders } from '#web/components/provider-marks.ts';
import type { VisibilityDay } from '#web/queries/visibility.ts';

// The dashboard follows changes of its storage by other tabs.
vi.hoisted(() => vi.stubGlobal('addEventListener', () => {}));
afterAll(() => void vi.unstubAllGlobals());

const days = [36, 0, 5].map((added, index): VisibilityDay => ({
  date: `2026-11-0${index + 1}`,
  index: 10,
  coverage: 1,
  added,
  followed: 41,
  checked: 41,
  ranked: 5,
}));
const t = ((key: string, { count }: { count?: number } = {}) => `${key} ${count}`) as never;
const draw = (counted: 'all' | 'same') =>
  buildVisibilityChart({ days, marks: [], store: 'ios', counted }, t);

test('days on which keywords were added are marked where all count, but not the first', () => {
  expect(draw('all').events).toEqual([{ date: '2026-11-03', label: 'visibility.added 5' }]);
  expect(draw('same').events).toEqual([]);
});

test('the day of another search provider is a boundary', () => {
  const segments = [
    { from: '2026-11-01', provider: 'itunes' },
    { from: '2026-11-02', provider: 'web' },
  ];
  const marks = markProviders(segments);
  expect(buildVisibilityChart({ days, marks, store: 'ios', counted: 'same' }, t).events).toEqual([
    { date: '2026-11-02', label: expect.stringContaining('provider'), isBoundary: true },
  ]);
});

test('the tooltip of such a day says so in both cases', () => {
  for (const counted of ['all', 'same'] as const) {
    const marks = [0, 1, 2].map((index) =>
      draw(counted)
        .describe(index)
        .filter(([kind]) => kind === 'mark'),
    );
    expect(marks).toEqual([[], [], [['mark', 'visibility.added 5']]]);
  }
});
