import type { TFunction } from 'i18next';
import { colors } from '#web/components/chart/colors.ts';
import type { ChartSpec, DayEvent, LineLayer } from '#web/components/chart/spec.ts';
import type { TipLine } from '#web/components/chart/tip.tsx';
import { countAxis } from '#web/components/chart/value-axis.ts';
import { isLong } from '#web/components/chart/zoom.ts';
import type { DrawnMark } from '#web/components/provider-marks.ts';
import { comparedColor, comparedLine } from '#web/components/periods/compared-line.ts';
import { formatTimelineItem } from '#web/components/format-timeline-item.ts';
import { formatCount, formatDay, formatDecimal, formatShare } from '#web/format.ts';
import type { Store } from '#web/api.ts';
import type { Counted, VisibilityDay } from '#web/queries/visibility.ts';

/** Below this coverage, a day is a hollow dot. */
const fullCoverage = 0.95;
const roomyDays = 45;

export interface CompetitorLine {
  name: string;
  color: string;
  /** By day; null where nothing is known. */
  indexes: ReadonlyMap<string, number | null>;
  describe: (date: string) => string;
}

export interface VisibilityDrawing {
  days: readonly VisibilityDay[];
  marks: readonly DrawnMark[];
  store: Store | undefined;
  counted: Counted;
  /** Lines on the same keywords. */
  competitors?: readonly CompetitorLine[];
  /** The compared period by the day that it is drawn on. */
  compared?: ReadonlyMap<string, VisibilityDay> | undefined;
}

/** The visibility index by day. An unchecked day is a gap; events are dashed lines. */
export function buildVisibilityChart(
  { days, marks, store, counted, competitors = [], compared }: VisibilityDrawing,
  t: TFunction,
): ChartSpec {
  const dates = days.map(({ date }) => date);
  // Before the first day nothing is drawn that the added keywords could be compared with.
  const addedOn = (index: number) => (index === 0 ? 0 : days[index]!.added);
  const before = days.map(({ date }) => compared?.get(date));
  const happened = Map.groupBy(marks, ({ date }) => date);
  return {
    columns: dates,
    nameColumn: (date) => formatDay(date),
    isZoomable: isLong(dates),
    axis: countAxis(
      Math.max(
        ...[...days, ...before].map((day) => day?.index ?? 0),
        ...competitors.flatMap(({ indexes }) => dates.map((date) => indexes.get(date) ?? 0)),
      ),
    ),
    events: [
      ...marks.map(({ date, kind }): DayEvent => ({
        date,
        label: t(`timeline.kind.${kind}`),
        ...(kind === 'provider' && { isBoundary: true }),
      })),
      // Added keywords move the line only where all keywords count.
      ...(counted === 'all'
        ? days.flatMap(({ date }, index): DayEvent[] =>
            addedOn(index) > 0
              ? [{ date, label: t('visibility.added', { count: addedOn(index) }) }]
              : [],
          )
        : []),
    ],
    layers: [
      ...(compared
        ? [
            comparedLine(
              t('overview.visibility'),
              before.map((day) => day?.index ?? null),
            ),
          ]
        : []),
      ...competitors.map(({ name, color, indexes }): LineLayer => ({
        kind: 'line',
        name,
        values: dates.map((date) => indexes.get(date) ?? null),
        color,
        width: 1.5,
        dot: 4,
        hasAllDots: false,
      })),
      {
        kind: 'line',
        values: days.map(({ index }) => index),
        color: colors.accent,
        width: 2,
        dot: 5,
        hasAllDots: days.length <= roomyDays,
        isHollow: (index) => (days[index]!.coverage ?? 0) < fullCoverage,
        hasArea: true,
      },
    ],
    describe: (index) => [
      ...describeDay(days[index]!, t),
      ...describeCompared(before[index]),
      ...competitors.map((line): TipLine => ['series', line.describe(dates[index]!), line.color]),
      ...(addedOn(index) > 0
        ? [['mark', t('visibility.added', { count: addedOn(index) })] satisfies TipLine]
        : []),
      ...(happened.get(dates[index]!) ?? []).map((item): TipLine => [
        'mark',
        formatTimelineItem(item, store, t).title,
      ]),
    ],
  };
}

function describeCompared(day: VisibilityDay | undefined): TipLine[] {
  if (!day) return [];
  const index = day.index === null ? '–' : formatDecimal(day.index, 2);
  return [['series', `${formatDay(day.date, true)}: ${index}`, comparedColor]];
}

function describeDay(
  { date, index, coverage, checked, followed, ranked }: VisibilityDay,
  t: TFunction,
): TipLine[] {
  if (index === null)
    return [
      ['day', formatDay(date, true)],
      ['gap', t('history.gap')],
    ];
  return [
    ['day', formatDay(date, true)],
    ['value', formatDecimal(index, 2)],
    [
      'note',
      t('distribution.coverage', {
        checked: formatCount(checked),
        count: followed,
        followed: formatCount(followed),
      }),
    ],
    ['note', t('visibility.ranked', { count: ranked })],
    ...(coverage !== null && coverage < 1
      ? [['note', t('visibility.weight', { share: formatShare(coverage) })] as TipLine]
      : []),
  ];
}
