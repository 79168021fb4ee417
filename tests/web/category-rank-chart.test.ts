import { afterAll, expect, test, vi } from 'vitest';
import type { LineLayer } from '#web/components/chart/spec.ts';
import type { CategoryRank } from '#web/queries/charts.ts';

// The dashboard follows changes of its storage by other tabs.
vi.hoisted(() => {
  vi.resetModules();
  vi.stubGlobal('addEventListener', () => {});
});
afterAll(() => void vi.unstubAllGlobals());

const { buildChartHistory, fillDays } = await import('#web/pages/charts/history-chart.ts');

const rank = (date: string, position: number): CategoryRank => ({
  date,
  country: 'de',
  category: null,
  chart: 'free',
  state: 'ranked',
  position,
  depth: 200,
  checkedAt: `${date}T01:00:00Z`,
});
const t = ((key: string) => key) as never;

test('the chart of category ranks has a gap on days that the app did not track it', () => {
  // Its only keyword of the country was paused for three days.
  const cells = [rank('2026-11-01', 20), rank('2026-11-02', 21), rank('2026-11-06', 90)];
  const before = new Map([['2026-11-04', rank('2026-10-04', 30)]]);
  const ranks = { '2026-11-04': rank('2026-11-04', 7) };
  const competitors = [{ name: 'Streaks', color: 'its own', ranks }];
  const drawing = { cells: fillDays(cells), compared: before, competitors };
  const { columns, layers, describe } = buildChartHistory(drawing, t);
  expect(columns).toEqual([1, 2, 3, 4, 5, 6].map((day) => `2026-11-0${day}`));
  const lines = layers.filter((layer): layer is LineLayer => layer.kind === 'line');
  const none = null;
  expect(lines.map(({ values }) => values)).toEqual([
    [none, none, none, 30, none, none],
    [none, none, none, 7, none, none],
    [20, 21, none, none, none, 90],
  ]);
  expect(describe(3)).toContainEqual(['gap', 'charts.gap.not_yet_run']);
  expect(fillDays([])).toEqual([]);
});
