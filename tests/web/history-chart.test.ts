import { afterAll, describe, expect, test, vi } from 'vitest';
import { addDays } from '#lib/dates.ts';
import type { Cell, History } from '#web/api.ts';
import { buildHistoryChart } from '#web/pages/keyword/history-chart.ts';
import { tabulateHistory, writeHistoryText } from '#web/pages/keyword/history-text.ts';
import type { Layer } from '#web/components/chart/spec.ts';
import { groupEvents } from '#web/components/chart/event-marks.ts';

// The dashboard follows changes of its storage by other tabs.
vi.hoisted(() => vi.stubGlobal('addEventListener', () => {}));
afterAll(() => void vi.unstubAllGlobals());

const firstDay = '2026-11-01';
/** Keys and values instead of a language. */
const t = ((key: string, values?: object) =>
  values ? `${key} ${JSON.stringify(values)}` : key) as never;

const dayOf = (index: number) => addDays(firstDay, index);
const checked = (index: number, position: number | null, provider: string | null): Cell => ({
  date: dayOf(index),
  keywordId: 1,
  state: position === null ? 'not_found' : 'ranked',
  position,
  depth: 200,
  checkedAt: `${dayOf(index)}T01:00:00Z`,
  provider,
});
const gap = (index: number, fallback: number | null): Cell => ({
  date: dayOf(index),
  keywordId: 1,
  state: 'not_checked',
  reason: 'store_error',
  fallback:
    fallback === null
      ? null
      : {
          provider: 'web',
          position: fallback,
          depth: 200,
          checkedAt: `${dayOf(index)}T01:00:00Z`,
        },
});

/** Three days of one provider, then a fallback day, a gap, and four days of another provider. */
const items = [
  checked(0, 5, 'itunes'),
  checked(1, 6, 'itunes'),
  checked(2, 7, 'itunes'),
  checked(3, 31, 'web'),
  checked(4, 30, 'web'),
  gap(5, 44),
  gap(6, null),
  checked(7, 29, 'web'),
  checked(8, null, 'web'),
];
const history: History = {
  items,
  nextCursor: null,
  total: items.length,
  segments: [
    { from: '2026-08-01', provider: 'mzstore' },
    { from: '2026-09-01', provider: 'itunes' },
    { from: dayOf(3), provider: 'web' },
  ],
  annotations: [{ date: dayOf(3), text: 'version 2.0', kind: 'version' }],
};
const competitor = {
  id: 9,
  name: 'Streaks',
  color: 'its own',
  positions: Object.fromEntries(
    items.map(({ date }, index) => [date, { position: index + 1, depth: 200 }]),
  ),
};

function draw(drawn: History = history) {
  const text = writeHistoryText(drawn, [competitor], 'ios', t);
  const drawing = { history: drawn, competitors: [competitor], scale: 'linear' as const, text };
  return buildHistoryChart(drawing);
}

const linesOf = ({ layers }: { layers: readonly Layer[] }, name?: string) =>
  layers.flatMap((layer) => (layer.kind === 'line' && layer.name === name ? [layer.values] : []));

describe('the history of a keyword', () => {
  test('joins no positions of two providers, not those of competitors either', () => {
    const chart = draw();
    expect(linesOf(chart)).toEqual([
      [5, 6, 7, null, null, null, null, null, null],
      [null, null, null, 31, 30, null, null, 29, null],
    ]);
    expect(linesOf(chart, competitor.name)).toEqual([
      [1, 2, 3, null, null, null, null, null, null],
      [null, null, null, 4, 5, 6, 7, 8, 9],
    ]);
  });

  test('draws and names a competitor in its color, also if another one is not loaded', () => {
    const { layers, describe: describeDay } = draw();
    const lines = layers.filter((layer) => 'name' in layer && layer.name === competitor.name);
    expect(lines.map((layer) => 'color' in layer && layer.color)).toEqual(['its own', 'its own']);
    expect(describeDay(0)).toContainEqual(['series', 'Streaks: 1', 'its own']);
  });

  test('is one line without a change of the provider within the days', () => {
    const chart = draw({ ...history, segments: history.segments.slice(0, 2) });
    expect(linesOf(chart)).toEqual([[5, 6, 7, 31, 30, null, null, 29, null]]);
    expect(chart.events).toEqual([{ date: dayOf(3), label: '2.0' }]);
  });

  test('has a solid line with the name of the provider where a segment begins', () => {
    const { events, columns } = draw();
    const shown = { first: 0, last: columns.length - 1 };
    const geometry = { x: (index: number) => index * 100, width: 900, column: 100, shown };
    expect(groupEvents(events!, columns, geometry, String)).toEqual([
      {
        events: [
          {
            date: dayOf(3),
            label: expect.stringMatching(/^provider\.ios\.web/),
            isBoundary: true,
          },
          { date: dayOf(3), label: '2.0' },
        ],
        first: 3,
        last: 3,
        x: 300,
        label: expect.stringMatching(/^provider\.ios\.web.* \+1$/),
        isShort: false,
        labelX: 300,
        width: expect.any(Number),
      },
    ]);
  });

  test('marks a day on which only another provider responded, outside of every line', () => {
    const diamonds = draw().layers.flatMap((layer) =>
      layer.kind === 'dots' && layer.shape === 'diamond' ? [layer.points] : [],
    );
    expect(diamonds).toEqual([[{ column: 5, value: 44 }]]);
  });

  test('is drawn from the first position, also of a day that is not compared', () => {
    const days = [gap(0, null), gap(1, 90), ...items.slice(2)];
    const [first] = linesOf(draw({ ...history, items: days }));
    expect(first).toHaveLength(8);
  });

  test('has a column for every day, also for those that the API omits', () => {
    const weekly = [checked(0, 10, null), checked(7, 12, null), gap(9, null), checked(10, 9, null)];
    const { columns, layers } = draw({ ...history, items: weekly, segments: [] });
    expect(columns).toEqual(Array.from({ length: 11 }, (_, index) => dayOf(index)));
    const none = (count: number) => Array.from({ length: count }, () => null);
    expect(linesOf({ layers })).toEqual([[10, ...none(6), 12, ...none(2), 9]]);
    expect(layers[0]).toMatchObject({ ranges: [{ from: 9, length: 1 }] });
  });

  test('describes such days and changes in tooltips', () => {
    const { describe: describeDay } = writeHistoryText(history, [], 'ios', t);
    const [switched, fallback, plain] = [3, 5, 6].map((index) =>
      describeDay(dayOf(index)).map(([kind, text]) => `${kind}: ${text}`),
    );
    expect(switched).toContainEqual(expect.stringMatching(/^mark: history\.switched.*ios\.web/));
    expect(switched).toContainEqual(expect.stringMatching(/^note: provider\.ios\.web/));
    expect(fallback).toContainEqual(
      expect.stringMatching(/^note: history\.fallback.*ios\.web.*position\.at.*44/),
    );
    expect(plain).toContain('note: gap.store_error');
  });

  test('says in the language of the page how many results there were', () => {
    const few = { position: null, depth: 200, resultCount: 37 };
    const sparse = { ...competitor, positions: { [dayOf(0)]: few } };
    const compared = new Map([[dayOf(0), { ...checked(0, null, 'itunes'), resultCount: 0 }]]);
    const text = writeHistoryText(history, [sparse], 'ios', t, compared);
    const lines = text.describe(dayOf(0)).map(([, line]) => line);
    expect(lines).toContain('Streaks: position.notIn {"count":37}');
    expect(lines).toContainEqual(expect.stringMatching(/: position\.notIn \{"count":0\}$/));
  });

  test('has the same facts as rows, newest first', () => {
    const { head, rows } = tabulateHistory(history, [], 'ios', t);
    expect(head).toContain('history.provider');
    expect(rows.map(([day, position]) => [day, position])).toEqual(
      items
        .map((cell) => [cell.date, cell.state === 'not_checked' ? null : cell.position])
        .toReversed(),
    );
    const [, , gapRow, fallbackRow] = rows;
    expect(gapRow?.slice(1)).toEqual([null, null, '', 'history.gap: gap.store_error']);
    expect(fallbackRow?.slice(1, 4)).toEqual([null, null, '']);
    expect(fallbackRow?.[4]).toMatch(/^history\.fallback.*44/);
    expect(rows[5]?.[3]).toMatch(/^provider\.ios\.web/);
    expect(rows[5]?.[4]).toMatch(/^history\.switched.* · marker\.version: version 2\.0$/);
  });
});
