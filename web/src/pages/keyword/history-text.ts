import type { TFunction } from 'i18next';
import type { Cell, History, Store } from '#web/api.ts';
import type { ChartTable } from '#web/components/chart/chart-table.ts';
import type { TipLine } from '#web/components/chart/tip.tsx';
import { formatPositionText, formatShortPosition } from '#web/components/format-position-text.ts';
import { formatProvider } from '#web/components/format-provider.ts';
import { formatDay, formatInstant, formatList } from '#web/format.ts';
import { comparedColor } from '#web/components/periods/compared-line.ts';
import type { ComparedCells, HistoryText } from './history-chart.ts';
import { findBoundaries } from './history-segments.ts';
import type { CompetitorHistory } from './use-competitor-histories.ts';

/** The texts of the chart: tooltips and marker labels. */
export function writeHistoryText(
  history: History,
  competitors: readonly CompetitorHistory[],
  store: Store | undefined,
  t: TFunction,
  compared?: ComparedCells,
): HistoryText {
  const cells = new Map(history.items.map((cell) => [cell.date, cell]));
  const marks = describeMarks(history, store, t);
  return {
    describe: (day) => [
      ['day', formatDay(day, true)],
      ...describeDailyRank(cells.get(day), store, t),
      ...competitors.map((competitor): TipLine => [
        'series',
        `${competitor.name}: ${formatShortPosition(competitor.positions[day], t)}`,
        competitor.color,
      ]),
      ...describeCompared(compared?.get(day), cells.get(day), store, t),
      ...(marks.get(day) ?? []).map((text): TipLine => ['mark', text]),
    ],
    markOf: ({ kind, text }) =>
      kind === 'version' ? text.replace(/^version\s+/i, '').slice(0, 12) : t(`marker.${kind}`),
    nameOf: (provider) => formatProvider(store, provider, t),
    positionOf: (cell) => formatShortPosition(cell, t),
  };
}

/** `Nov 3, 2024: 12`, with the provider where it is another one than today's. */
function describeCompared(
  compared: Cell | undefined,
  own: Cell | undefined,
  store: Store | undefined,
  t: TFunction,
): TipLine[] {
  if (!compared) return [];
  const other = providerOf(compared) === providerOf(own) ? null : providerOf(compared);
  const provider = other === null ? '' : ` (${formatProvider(store, other, t)})`;
  const position = formatShortPosition(positionOf(compared), t);
  return [['series', `${formatDay(compared.date, true)}: ${position}${provider}`, comparedColor]];
}

const providerOf = (cell: Cell | undefined): string | null =>
  !cell || cell.state === 'not_checked' ? null : cell.provider;

/** The position of a day, without one of another provider. */
export const positionOf = (cell: Cell | undefined) =>
  !cell || cell.state === 'not_checked' ? null : cell;

/** Whether both periods have positions, and of other providers. */
export function hasOtherProviders(history: History, compared: ComparedCells): boolean {
  const [own, before] = [history.items, [...compared.values()]].map(
    (cells) => new Set(cells.flatMap((cell) => providerOf(cell) ?? [])),
  ) as [Set<string>, Set<string>];
  return (
    own.size > 0 &&
    before.size > 0 &&
    (own.size !== before.size || [...own].some((provider) => !before.has(provider)))
  );
}

type Gap = Extract<Cell, { state: 'not_checked' }>;

/** The reason of a gap, or the position of the only provider that responded. */
function describeGap({ reason, fallback }: Gap, store: Store | undefined, t: TFunction): string {
  if (!fallback) return t(`gap.${reason}`);
  return t('history.fallback', {
    provider: formatProvider(store, fallback.provider, t),
    position: formatPositionText(fallback, t),
  });
}

/** Changes of the provider, listing changes and annotations, by day. */
function describeMarks(
  history: History,
  store: Store | undefined,
  t: TFunction,
): Map<string, string[]> {
  const marks = [
    ...findBoundaries(history).map(({ from, provider }) => ({
      date: from,
      text: t('history.switched', { provider: formatProvider(store, provider, t) }),
    })),
    ...history.annotations.map(({ date, kind, text }) => ({
      date,
      text: `${t(`marker.${kind}`)}: ${text}`,
    })),
  ];
  const byDay = Map.groupBy(marks, ({ date }) => date);
  return new Map([...byDay].map(([date, found]) => [date, found.map(({ text }) => text)]));
}

/** The notes of a day in the table, and the provider of its position. */
export function createNotes(history: History, store: Store | undefined, t: TFunction) {
  const marks = describeMarks(history, store, t);
  return (cell: Cell): { provider: string; notes: string[] } => {
    const ofDay = marks.get(cell.date) ?? [];
    if (cell.state !== 'not_checked')
      return {
        provider: cell.provider === null ? '' : formatProvider(store, cell.provider, t),
        notes: ofDay,
      };
    const gap = describeGap(cell, store, t);
    return {
      provider: '',
      notes: [cell.fallback ? gap : `${t('history.gap')}: ${gap}`, ...ofDay],
    };
  };
}

function describeDailyRank(
  cell: Cell | undefined,
  store: Store | undefined,
  t: TFunction,
): TipLine[] {
  if (!cell) return [];
  if (cell.state === 'not_checked')
    return [
      ['gap', t('history.gap')],
      ['note', describeGap(cell, store, t)],
    ];
  return [
    ['value', formatShortPosition(cell, t)],
    [
      'note',
      cell.position === null
        ? formatPositionText(cell, t)
        : t('history.examined', { depth: cell.depth }),
    ],
    ...(cell.provider === null
      ? []
      : [['note', formatProvider(store, cell.provider, t)] satisfies TipLine]),
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
  const positions =
    ranked.length === 0
      ? t('history.summaryNone', { phrase, days, gaps })
      : t('history.summary', {
          phrase,
          days,
          first: ranked[0],
          last: ranked.at(-1),
          best: Math.min(...ranked),
          out: checked.length - ranked.length,
          gaps,
        });
  return [positions, ...summariseProviders(history, t)].join(' ');
}

export const countFallbacks = (cells: readonly Cell[]): number =>
  cells.filter((cell) => cell.state === 'not_checked' && cell.fallback).length;

function summariseProviders(history: History, t: TFunction): string[] {
  const count = countFallbacks(history.items);
  const changes = findBoundaries(history).map(({ from }) => formatDay(from, true));
  return [
    ...(count > 0 ? [t('history.summaryFallback', { count })] : []),
    ...(changes.length > 0 ? [t('history.summarySwitch', { days: formatList(changes) })] : []),
  ];
}

/**
 * The days as CSV rows: a position that was not found is empty beside its depth, and a gap has a
 * reason.
 */
export function tabulateHistory(
  history: History,
  competitors: readonly CompetitorHistory[],
  store: Store | undefined,
  t: TFunction,
  compared?: ComparedCells,
): ChartTable {
  const describe = createNotes(history, store, t);
  return {
    head: [
      t('history.day'),
      t('column.position'),
      t('history.depth'),
      t('history.provider'),
      t('history.note'),
      ...competitors.map(({ name }) => name),
      ...(compared ? [t('periods.day'), t('periods.value', { name: t('column.position') })] : []),
    ],
    rows: history.items.toReversed().map((cell) => {
      const { provider, notes } = describe(cell);
      return [
        cell.date,
        cell.state === 'not_checked' ? null : cell.position,
        cell.state === 'not_checked' ? null : cell.depth,
        provider,
        notes.join(' · '),
        ...competitors.map(({ positions }) => formatShortPosition(positions[cell.date], t)),
        ...(compared
          ? [
              compared.get(cell.date)?.date ?? null,
              formatShortPosition(positionOf(compared.get(cell.date)), t),
            ]
          : []),
      ];
    }),
  };
}
