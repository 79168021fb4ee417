import type { EChartsCoreOption } from 'echarts/core';
import type { TFunction } from 'i18next';
import {
  drawDayAxis,
  drawEvents,
  drawZoom,
  labelOf,
  zoomFoot,
} from '#web/components/chart/day-axis.ts';
import type { Palette } from '#web/components/chart/palette.ts';
import { drawTip, type TipLine } from '#web/components/chart/tip.ts';
import { formatTimelineItem } from '#web/components/format-timeline-item.ts';
import { formatCount, formatDay, formatDecimal, formatShare } from '#web/format.ts';
import type { Store } from '#web/api.ts';
import type { TimelineItem } from '#web/queries/timeline.ts';
import type { VisibilityDay } from '#web/queries/visibility.ts';

/** Below this coverage, a day is a hollow dot. */
const fullCoverage = 0.95;

export interface VisibilityDrawing {
  days: readonly VisibilityDay[];
  marks: readonly TimelineItem[];
  store: Store | undefined;
}

/** The visibility index by day. An unchecked day is a gap; events are dashed lines. */
export function buildVisibilityOption(
  { days, marks, store }: VisibilityDrawing,
  t: TFunction,
  palette: Palette,
  widthPx: number,
): EChartsCoreOption {
  const dates = days.map(({ date }) => date);
  const isLone = (at: number) => days[at - 1]?.index == null && days[at + 1]?.index == null;
  const happened = Map.groupBy(marks, ({ date }) => date);
  const labels = [...happened].map(([date, items]) => ({
    date,
    label:
      items.length > 1
        ? t('visibility.marks', { count: items.length })
        : t(`timeline.kind.${items[0]!.kind}`),
  }));
  return {
    grid: { left: 40, right: 16, top: 28, bottom: 30 + zoomFoot(dates) },
    textStyle: { fontFamily: palette.font },
    tooltip: drawTip(palette, (index) => [
      ...describeDay(days[index]!, t),
      ...(happened.get(dates[index]!) ?? []).map((item): TipLine => [
        'mark',
        formatTimelineItem(item, store, t).title,
      ]),
    ]),
    dataZoom: drawZoom(dates, palette),
    xAxis: drawDayAxis(dates, palette),
    yAxis: {
      type: 'value',
      min: 0,
      axisLabel: labelOf(palette),
      splitLine: { lineStyle: { color: palette.line } },
    },
    series: [
      {
        type: 'line',
        connectNulls: false,
        showAllSymbol: true,
        symbol: 'circle',
        color: palette.accent,
        lineStyle: { width: 2 },
        areaStyle: { color: palette.accent, opacity: 0.08 },
        data: days.map(({ index, coverage }, at) => {
          const isFull = (coverage ?? 0) >= fullCoverage;
          return {
            value: index,
            symbolSize: !isFull ? 7 : days.length <= 45 || isLone(at) ? 5 : 0.1,
            ...(!isFull && {
              itemStyle: { color: palette.surface, borderColor: palette.accent, borderWidth: 1.5 },
            }),
          };
        }),
        markLine: drawEvents(labels, dates, palette, widthPx),
      },
    ],
  };
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
