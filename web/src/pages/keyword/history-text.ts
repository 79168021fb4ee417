import type { TFunction } from 'i18next';
import { formatPosition } from '#lib/format-position.ts';
import type { Cell, History } from '#web/api.ts';
import type { ChartTable } from '#web/components/chart/chart-card.tsx';
import type { TipLine } from '#web/components/chart/tip.ts';
import { formatDay, formatInstant } from '#web/format.ts';
import { competitorColor, type HistoryText } from './history-option.ts';
import type { CompetitorHistory } from './use-competitor-histories.ts';

/** The texts of the chart: tooltips and marker labels. */
export function writeHistoryText(
  history: History,
  competitors: readonly CompetitorHistory[],
  t: TFunction,
): HistoryText {
  const cells = new Map(history.items.map((cell) => [cell.date, cell]));
  const marks = Map.groupBy(history.annotations, ({ date }) => date);
  const describeEvents = (day: string) =>
    (marks.get(day) ?? []).map(({ kind, text }): TipLine => [
      'mark',
      `${t(`marker.${kind}`)}: ${text}`,
    ]);
  return {
    describe: (day, palette) => [
      ['day', formatDay(day, true)],
      ...describeDailyRank(cells.get(day), t),
      ...competitors.map((competitor, index): TipLine => [
        'series',
        `${competitor.name}: ${positionText(competitor, day)}`,
        competitorColor(palette, index),
      ]),
      ...describeEvents(day),
    ],
    markOf: ({ kind, text }) =>
      kind === 'version' ? text.replace(/^version\s+/i, '').slice(0, 12) : t(`marker.${kind}`),
  };
}

/** `7`, `>200`, or a dash for an unknown day. */
export const positionText = (competitor: CompetitorHistory, day: string): string =>
  formatPosition(competitor.positions[day] ?? null);

function describeDailyRank(cell: Cell | undefined, t: TFunction): TipLine[] {
  if (!cell) return [];
  if (cell.state === 'not_checked')
    return [
      ['gap', t('history.gap')],
      ['note', t(`gap.${cell.reason}`)],
    ];
  return [
    ['value', formatPosition(cell)],
    [
      'note',
      cell.position === null
        ? t('position.notFound', { depth: cell.depth })
        : t('history.examined', { depth: cell.depth }),
    ],
    ['note', formatInstant(cell.checkedAt)],
  ];
}

/** A sentence for screen readers. */
export function summariseHistory(
  history: History,
  phrase: string,
  days: number,
  t: TFunction,
): string {
  const checked = history.items.filter((cell) => cell.state !== 'not_checked');
  const ranked = checked.flatMap((cell) => cell.position ?? []);
  const gaps = history.items.length - checked.length;
  if (ranked.length === 0) return t('history.summaryNone', { phrase, days, gaps });
  const [first, last] = [ranked[0], ranked.at(-1)];
  return t('history.summary', {
    phrase,
    days,
    first,
    last,
    best: Math.min(...ranked),
    out: checked.length - ranked.length,
    gaps,
  });
}

/**
 * The days as CSV rows: a position that was not found is empty beside its depth, and a gap has a
 * reason.
 */
export function tabulateHistory(
  history: History,
  competitors: readonly CompetitorHistory[],
  t: TFunction,
): ChartTable {
  const marks = Map.groupBy(history.annotations, ({ date }) => date);
  return {
    head: [
      t('history.day'),
      t('column.position'),
      t('history.depth'),
      t('history.note'),
      ...competitors.map(({ name }) => name),
    ],
    rows: history.items
      .toReversed()
      .map((cell) => [
        cell.date,
        cell.state === 'not_checked' ? null : cell.position,
        cell.state === 'not_checked' ? null : cell.depth,
        [
          ...(cell.state === 'not_checked'
            ? [`${t('history.gap')}: ${t(`gap.${cell.reason}`)}`]
            : []),
          ...(marks.get(cell.date) ?? []).map(
            (mark) => `${t(`marker.${mark.kind}`)}: ${mark.text}`,
          ),
        ].join(' · '),
        ...competitors.map((competitor) => positionText(competitor, cell.date)),
      ]),
  };
}
