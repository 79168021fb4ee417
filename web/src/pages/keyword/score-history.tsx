import { useCallback, useMemo, useState } from 'react';
import { SegmentedControl } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { labelOf } from '#web/components/chart/day-axis.ts';
import { LazyChart } from '#web/components/chart/lazy-chart.tsx';
import type { Palette } from '#web/components/chart/palette.ts';
import { drawTip, type TipLine } from '#web/components/chart/tip.ts';
import { DataTable, type DataColumn } from '#web/components/data-table.tsx';
import { formatDay } from '#web/format.ts';
import type { Score } from '#web/queries/scores.ts';
import styles from './score-card.module.css';

const heightPx = 190;

/** Both scores over time. Nothing is known between two calculations. */
export function ScoreHistory({ scores, fileName }: { scores: readonly Score[]; fileName: string }) {
  const { t } = useTranslation();
  const [view, setView] = useState<'chart' | 'table'>('chart');
  const oldestFirst = useMemo(() => scores.toReversed(), [scores]);
  const option = useCallback(
    (palette: Palette) => ({
      grid: { left: 34, right: 12, top: 12, bottom: 26 },
      textStyle: { fontFamily: palette.font },
      tooltip: drawTip(palette, (index) => {
        const { scoredAt, traffic, difficulty, provenance } = oldestFirst[index]!;
        const notes: TipLine[] =
          provenance === null
            ? []
            : [
                ['note', t(`score.confidence.${provenance.confidence}`)],
                ['note', provenance.formula],
              ];
        return [
          ['day', formatDay(scoredAt.slice(0, 10), true)],
          ['series', `${t('score.traffic')}: ${traffic ?? '–'}`, palette.series[0]!],
          ['series', `${t('score.difficulty')}: ${difficulty ?? '–'}`, palette.series[2]!],
          ...notes,
        ];
      }),
      useUTC: true,
      xAxis: {
        type: 'time',
        axisLine: { lineStyle: { color: palette.line } },
        axisLabel: {
          ...labelOf(palette),
          formatter: (atMs: number) => formatDay(new Date(atMs).toISOString().slice(0, 10)),
          hideOverlap: true,
        },
      },
      yAxis: {
        type: 'value',
        min: 0,
        max: 100,
        interval: 25,
        axisLabel: labelOf(palette),
        splitLine: { lineStyle: { color: palette.line } },
      },
      series: (['traffic', 'difficulty'] as const).map((kind) => {
        const color = kind === 'traffic' ? palette.series[0] : palette.series[2];
        const symbol = kind === 'traffic' ? 'circle' : 'diamond';
        return {
          type: 'line',
          symbol,
          symbolSize: 6,
          color,
          lineStyle: { width: 2 },
          data: oldestFirst.map((score) => [Date.parse(score.scoredAt), score[kind]]),
        };
      }),
    }),
    [oldestFirst, t],
  );
  return (
    <div>
      <div className={styles.historyHead}>
        <h3>{t('score.history')}</h3>
        <ul className={styles.key} aria-hidden>
          <li data-kind="traffic">{t('score.traffic')}</li>
          <li data-kind="difficulty">{t('score.difficulty')}</li>
        </ul>
        <SegmentedControl
          size="xs"
          aria-label={t('score.historyView')}
          value={view}
          onChange={(value) => setView(value)}
          data={[
            { value: 'chart', label: t('chart.chart') },
            { value: 'table', label: t('chart.table') },
          ]}
        />
      </div>
      {view === 'chart' ? (
        <LazyChart
          height={heightPx}
          option={option}
          label={t('score.historyLabel', { count: scores.length })}
        />
      ) : (
        <ScoreTable scores={scores} fileName={fileName} />
      )}
    </div>
  );
}

function ScoreTable({ scores, fileName }: { scores: readonly Score[]; fileName: string }) {
  const { t } = useTranslation();
  const columns: DataColumn<Score>[] = [
    {
      id: 'day',
      head: t('history.day'),
      cell: ({ scoredAt }) => formatDay(scoredAt.slice(0, 10), true),
      sortBy: ({ scoredAt }) => scoredAt,
      csv: ({ scoredAt }) => scoredAt.slice(0, 10),
    },
    {
      id: 'traffic',
      head: t('score.traffic'),
      cell: ({ traffic }) => traffic ?? '–',
      sortBy: ({ traffic }) => traffic,
      isEnd: true,
    },
    {
      id: 'difficulty',
      head: t('score.difficulty'),
      cell: ({ difficulty }) => difficulty ?? '–',
      sortBy: ({ difficulty }) => difficulty,
      isEnd: true,
    },
    {
      id: 'confidence',
      head: t('score.confidence'),
      cell: ({ provenance }) => (provenance ? t(`score.level.${provenance.confidence}`) : '–'),
      csv: ({ provenance }) => provenance?.confidence ?? '',
    },
    {
      id: 'formula',
      head: t('score.formula'),
      cell: ({ provenance }) => provenance?.formula ?? '–',
      csv: ({ provenance }) => provenance?.formula ?? '',
    },
  ];
  return (
    <DataTable
      label={t('score.history')}
      rows={scores}
      columns={columns}
      keyOf={({ scoredAt }) => scoredAt}
      initialSort="-day"
      sortName="scoreSort"
      fileName={`${fileName}-scores`}
    />
  );
}
