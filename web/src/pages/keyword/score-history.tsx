import { useMemo, useState } from 'react';
import { SegmentedControl } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { Chart } from '#web/components/chart/chart.tsx';
import { DataTable, type DataColumn } from '#web/components/data-table.tsx';
import { formatDay } from '#web/format.ts';
import type { Score } from '#web/queries/scores.ts';
import styles from './score-card.module.css';
import { buildScoresChart } from './scores-chart.ts';

const heightPx = 190;

/** Both scores over time. Nothing is known between two calculations. */
export function ScoreHistory({ scores, fileName }: { scores: readonly Score[]; fileName: string }) {
  const { t } = useTranslation();
  const [view, setView] = useState<'chart' | 'table'>('chart');
  const spec = useMemo(() => buildScoresChart(scores.toReversed(), t), [scores, t]);
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
        <Chart
          height={heightPx}
          spec={spec}
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
