import { SegmentedControl, Skeleton } from '@mantine/core';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useSearch } from '@tanstack/react-router';
import { CalendarX2 } from 'lucide-react';
import { useCallback, useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { daysBetween } from '../../../../src/lib/dates.ts';
import type { History, Keyword } from '../../api.ts';
import { Card } from '../../components/card.tsx';
import { ChartCard } from '../../components/chart/chart-card.tsx';
import type { Palette } from '../../components/chart/palette.ts';
import { EmptyState } from '../../components/empty-state.tsx';
import { ErrorNotice } from '../../components/error-notice.tsx';
import type { Span } from '../../queries/apps.ts';
import { historyQuery, isWaiting } from '../../queries/keywords.ts';
import { readScope, spanOfScope } from '../../scope.ts';
import { HistoryLegend } from './history-legend.tsx';
import { buildHistoryOption, pickScale, type Scale } from './history-option.ts';
import { HistoryTable } from './history-table.tsx';
import { summariseHistory, tabulateHistory, writeHistoryText } from './history-text.ts';
import { RivalChips } from './rival-chips.tsx';
import { useRivalHistories, type RivalChoice } from './rival-histories.ts';

const heightPx = 350;

/** Where the app stood day by day, and beside it the competitors that are picked. */
export function HistoryCard({ keyword }: { keyword: Keyword }) {
  const { t } = useTranslation();
  const span = spanOfScope(readScope(useSearch({ strict: false })));
  const waiting = isWaiting(keyword);
  const { data, error, refetch } = useQuery({
    ...historyQuery(keyword.id, span),
    placeholderData: keepPreviousData,
    refetchInterval: waiting ? 3_000 : false,
  });
  const choice = useRivalHistories(keyword.appId, keyword.id, span);
  if (data?.items.some((cell) => cell.state !== 'not_checked')) {
    return <DrawnHistory history={data} keyword={keyword} span={span} choice={choice} />;
  }
  return (
    <Card title={t('history.title')} lead={t('history.lead')}>
      {error && !data && <ErrorNotice error={error} onRetry={() => void refetch()} />}
      {!data && !error && <Skeleton height={heightPx + 76} />}
      {data && (
        <EmptyState
          icon={CalendarX2}
          title={t('history.emptyTitle')}
          text={waiting ? t('history.emptyWaiting') : t('history.emptyText')}
        />
      )}
    </Card>
  );
}

interface DrawnProps {
  history: History;
  keyword: Keyword;
  span: Span;
  choice: RivalChoice;
}

function DrawnHistory({ history, keyword, span, choice }: DrawnProps) {
  const { t } = useTranslation();
  const [chosen, setScale] = useState<Scale | null>(null);
  const scale = chosen ?? pickScale(history.items);
  const rivals = choice.histories;
  const text = useMemo(() => writeHistoryText(history, rivals, t), [history, rivals, t]);
  const option = useCallback(
    (palette: Palette, widthPx: number) =>
      buildHistoryOption({ history, rivals, scale, text }, palette, widthPx),
    [history, rivals, scale, text],
  );
  return (
    <ChartCard
      title={t('history.title')}
      lead={t('history.lead')}
      height={heightPx}
      option={option}
      label={summariseHistory(history, keyword.phrase, daysBetween(span.from, span.to) + 1, t)}
      fileName={`${keyword.phrase}-${keyword.country}-${span.from}-${span.to}`}
      table={tabulateHistory(history, rivals, t)}
      tableView={<HistoryTable history={history} rivals={rivals} />}
      action={
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
      }
      tools={
        <>
          <RivalChips choice={choice} />
          {choice.error && <ErrorNotice error={choice.error} title={t('history.rivalsFailed')} />}
        </>
      }
      legend={
        <HistoryLegend
          gaps={history.items.filter((cell) => cell.state === 'not_checked').length}
          hasMarks={history.annotations.length > 0}
        />
      }
    />
  );
}
