import { SegmentedControl, Skeleton } from '@mantine/core';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useSearch } from '@tanstack/react-router';
import { CalendarX2 } from 'lucide-react';
import { lazy, Suspense, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Card } from '../../components/card.tsx';
import { EmptyState } from '../../components/empty-state.tsx';
import { ErrorNotice } from '../../components/error-notice.tsx';
import { historyQuery } from '../../queries/keywords.ts';
import { defaultDays, readScope, spanOf } from '../../scope.ts';
import styles from './history-card.module.css';
import { pickScale, type Scale } from './history-option.ts';
import { HistoryTable } from './history-table.tsx';

const HistoryChart = lazy(async () => ({ default: (await import('./history-chart.tsx')).HistoryChart }));

export function HistoryCard({ keywordId, phrase, waiting }: { keywordId: number; phrase: string; waiting: boolean }) {
  const { t } = useTranslation();
  const days = readScope(useSearch({ strict: false })).days ?? defaultDays;
  const { data, error, refetch, isPlaceholderData } = useQuery({
    ...historyQuery(keywordId, spanOf(days)),
    placeholderData: keepPreviousData,
    refetchInterval: waiting ? 3_000 : false,
  });
  const [chosen, setScale] = useState<Scale | null>(null);
  const [view, setView] = useState('chart');
  const scale = chosen ?? pickScale(data?.items ?? []);
  const checked = (data?.items ?? []).filter((cell) => cell.state !== 'not_checked');
  const ranked = checked.flatMap((cell) => cell.position ?? []);
  const gaps = (data?.items.length ?? 0) - checked.length;
  const summary =
    ranked.length > 0
      ? t('history.summary', {
          phrase,
          days,
          first: ranked[0],
          last: ranked.at(-1),
          best: Math.min(...ranked),
          out: checked.length - ranked.length,
          gaps,
        })
      : t('history.summaryNone', { phrase, days, gaps });
  return (
    <Card
      title={t('history.title')}
      lead={t('history.lead')}
      action={
        <div className={styles.controls}>
          {view === 'chart' && (
            <SegmentedControl
              size="xs"
              aria-label={t('history.scale')}
              value={scale}
              onChange={(value) => setScale(value)}
              data={[
                { value: 'linear', label: t('history.linear') },
                { value: 'log', label: t('history.log') },
              ]}
            />
          )}
          <SegmentedControl
            size="xs"
            aria-label={t('history.view')}
            value={view}
            onChange={setView}
            data={[
              { value: 'chart', label: t('history.chart') },
              { value: 'table', label: t('history.table') },
            ]}
          />
        </div>
      }
    >
      {error && !data && <ErrorNotice error={error} onRetry={() => void refetch()} />}
      {!data && !error && <Skeleton height={336} />}
      {data && checked.length === 0 && (
        <EmptyState icon={CalendarX2} title={t('history.emptyTitle')} text={waiting ? t('history.emptyWaiting') : t('history.emptyText')} />
      )}
      {data && checked.length > 0 && (
        <div className={styles.body} data-stale={isPlaceholderData || undefined}>
          {view === 'table' ? (
            <HistoryTable history={data} />
          ) : (
            <>
              <Suspense fallback={<Skeleton height={336} />}>
                <HistoryChart history={data} scale={scale} label={summary} />
              </Suspense>
              <ul className={styles.legend}>
                <li>
                  <span className={styles.keyLine} aria-hidden />
                  {t('history.keyRanked')}
                </li>
                <li>
                  <span className={styles.keyOut} aria-hidden />
                  {t('history.keyOut')}
                </li>
                <li>
                  <span className={styles.keyGap} aria-hidden />
                  {t('history.keyGap', { count: gaps })}
                </li>
                {data.annotations.length > 0 && (
                  <li>
                    <span className={styles.keyMark} aria-hidden />
                    {t('history.keyMark')}
                  </li>
                )}
              </ul>
            </>
          )}
        </div>
      )}
    </Card>
  );
}
