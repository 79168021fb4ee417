import { useComputedColorScheme } from '@mantine/core';
import { CustomChart, LineChart, ScatterChart } from 'echarts/charts';
import { GridComponent, MarkLineComponent, TooltipComponent } from 'echarts/components';
import { init, use, type EChartsType } from 'echarts/core';
import { SVGRenderer } from 'echarts/renderers';
import { useEffect, useMemo, useRef } from 'react';
import type { TFunction } from 'i18next';
import { useTranslation } from 'react-i18next';
import type { Cell, History } from '../../api.ts';
import { formatPosition } from '../../../../src/lib/format-position.ts';
import { formatDay, formatInstant } from '../../format.ts';
import styles from './history-chart.module.css';
import type { Palette } from './history-band.ts';
import { buildHistoryOption, type HistoryText, type Scale } from './history-option.ts';

use([LineChart, ScatterChart, CustomChart, GridComponent, TooltipComponent, MarkLineComponent, SVGRenderer]);

function readPalette(element: HTMLElement): Palette {
  const style = getComputedStyle(element);
  const color = (name: string) => style.getPropertyValue(name).trim();
  return {
    accent: color('--tr-accent'),
    text: color('--tr-text'),
    muted: color('--tr-muted'),
    line: color('--tr-line'),
    surface: color('--tr-surface'),
    font: style.fontFamily,
  };
}

/** Elements, not HTML text: nothing in a phrase or a title can become markup, and no inline style is needed. */
function writeTip(lines: [className: string, text: string][]): HTMLElement {
  const box = document.createElement('div');
  for (const [className, text] of lines) {
    const line = document.createElement('div');
    line.className = className;
    line.textContent = text;
    box.append(line);
  }
  return box;
}

function writeHistoryText(history: History, t: TFunction): HistoryText {
  const cells = new Map(history.items.map((cell) => [cell.date, cell]));
  const describeCell = (cell: Cell | undefined): [string, string][] => {
    if (!cell) return [];
    if (cell.state === 'not_checked')
      return [
        ['chart-tip-gap', t('history.gap')],
        ['chart-tip-note', t(`gap.${cell.reason}`)],
      ];
    return [
      ['chart-tip-position', formatPosition(cell)],
      ['chart-tip-note', cell.position === null ? t('position.notFound', { depth: cell.depth }) : t('history.examined', { depth: cell.depth })],
      ['chart-tip-note', formatInstant(cell.checkedAt)],
    ];
  };
  const marksOf = (day: string) =>
    history.annotations
      .filter(({ date }) => date === day)
      .map(({ kind, text }): [string, string] => ['chart-tip-mark', `${t(`annotation.${kind}`)}: ${text}`]);
  return {
    describe: (day) => writeTip([['chart-tip-day', formatDay(day, true)], ...describeCell(cells.get(day)), ...marksOf(day)]),
    annotation: ({ kind, text }) => (kind === 'version' ? text.replace(/^version\s+/i, '').slice(0, 12) : t(`annotation.${kind}`)),
  };
}

export function HistoryChart({ history, scale, label }: { history: History; scale: Scale; label: string }) {
  const scheme = useComputedColorScheme('light');
  const box = useRef<HTMLDivElement>(null);
  const chart = useRef<EChartsType>(null);
  const { t } = useTranslation();
  const text = useMemo(() => writeHistoryText(history, t), [history, t]);
  useEffect(() => {
    const element = box.current!;
    chart.current = init(element, null, { renderer: 'svg' });
    const observer = new ResizeObserver(() => chart.current?.resize());
    observer.observe(element);
    return () => {
      observer.disconnect();
      chart.current?.dispose();
    };
  }, []);
  useEffect(() => {
    chart.current?.setOption(buildHistoryOption(history, scale, readPalette(box.current!), text, box.current!.clientWidth), { notMerge: true });
  }, [history, scale, scheme, text]);
  return <div ref={box} className={styles.chart} role="img" aria-label={label} data-testid="history-chart" />;
}
