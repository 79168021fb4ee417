import { SegmentedControl, Skeleton } from '@mantine/core';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useSearch } from '@tanstack/react-router';
import { CalendarX2 } from 'lucide-react';
import { useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { daysBetween } from '#lib/dates.ts';
import type { History, Keyword } from '#web/api.ts';
import { annotateDay } from '#web/annotations/annotate-day.tsx';
import { Card } from '#web/components/card.tsx';
import { ChartCard } from '#web/components/chart/chart-card.tsx';
import { EmptyState } from '#web/components/empty-state.tsx';
import { CompetitorChips } from '#web/components/competitor-lines/competitor-chips.tsx';
import {
  useCompetitorChoice,
  type CompetitorChoice,
} from '#web/components/competitor-lines/use-competitor-choice.ts';
import { ErrorNotice } from '#web/components/error-notice.tsx';
import { averageOf } from '#web/components/periods/compared-span.ts';
import { PeriodChoiceField } from '#web/components/periods/period-choice-field.tsx';
import { PeriodSummary } from '#web/components/periods/period-summary.tsx';
import { formatDecimal, formatSpan } from '#web/format.ts';
import { useCurrentApp } from '#web/frame/current-app.ts';
import type { Span } from '#web/queries/apps.ts';
import { historyQuery, isWaiting } from '#web/queries/keywords.ts';
import { readScope, spanOfScope } from '#web/scope.ts';
import { HistoryLegend } from './history-legend.tsx';
import { buildHistoryChart, pickScale, rankedPosition, type Scale } from './history-chart.ts';
import { findBoundaries } from './history-segments.ts';
import { HistoryTable } from './history-table.tsx';
import {
  countFallbacks,
  hasOtherProviders,
  summariseHistory,
  tabulateHistory,
  writeHistoryText,
} from './history-text.ts';
import styles from './history-card.module.css';
import { nameKeywordFile } from './name-keyword-file.ts';
import { useComparedHistory } from './use-compared-history.ts';
import { useCompetitorHistories, type CompetitorHistory } from './use-competitor-histories.ts';

const heightPx = 350;

/** The position history with the selected competitors. */
export function HistoryCard({ keyword }: { keyword: Keyword }) {
  const { t } = useTranslation();
  const span = spanOfScope(readScope(useSearch({ strict: false })));
  const waiting = isWaiting(keyword);
  const { data, error, refetch } = useQuery({
    ...historyQuery(keyword.id, span),
    placeholderData: keepPreviousData,
    refetchInterval: waiting ? 3_000 : false,
  });
  const choice = useCompetitorChoice(keyword.appId);
  const { histories, error: failed } = useCompetitorHistories(choice, {
    appId: keyword.appId,
    keywordId: keyword.id,
    span,
  });
  if (data?.items.some((cell) => cell.state !== 'not_checked' || cell.fallback)) {
    return (
      <DrawnHistory
        history={data}
        keyword={keyword}
        span={data.span}
        chosenSpan={span}
        choice={choice}
        competitors={histories}
        error={choice.error ?? failed}
      />
    );
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
  /** The period of the history: the one before while the chosen one loads. */
  span: Span;
  chosenSpan: Span;
  choice: CompetitorChoice;
  competitors: readonly CompetitorHistory[];
  /** A competitor’s positions could not be loaded. */
  error: Error | null;
}

function DrawnHistory({
  history,
  keyword,
  span,
  chosenSpan,
  choice,
  competitors,
  error,
}: DrawnProps) {
  const { t } = useTranslation();
  const store = useCurrentApp()?.store;
  const [chosen, setScale] = useState<Scale | null>(null);
  const scale = chosen ?? pickScale(history.items);
  const nowhere = competitors
    .filter(({ positions }) => Object.values(positions).every(({ position }) => position === null))
    .map(({ name }) => name);
  const before = useComparedHistory(keyword.id, span);
  const compared = before.cells;
  const text = useMemo(
    () => writeHistoryText(history, competitors, store, t, compared),
    [history, competitors, store, t, compared],
  );
  const spec = useMemo(
    () => buildHistoryChart({ history, competitors, scale, text, compared }),
    [history, competitors, scale, text, compared],
  );
  const describe = (of: Span, positions: (number | null)[]) => {
    const [period, known] = [formatSpan(of), averageOf(positions)];
    if (!known) return t('periods.unknown', { period });
    const average = formatDecimal(known.average);
    return t('periods.position', { period, average, count: known.count });
  };
  const periods = before.span &&
    compared && {
      own: describe(span, history.items.map(rankedPosition)),
      compared: describe(before.span, [...compared.values()].map(rankedPosition)),
      note: hasOtherProviders(history, compared) ? t('periods.provider') : undefined,
    };
  const summary = summariseHistory(history, keyword.phrase, daysBetween(span.from, span.to) + 1, t);
  return (
    <ChartCard
      title={t('history.title')}
      lead={t('history.lead')}
      height={heightPx}
      spec={spec}
      label={periods ? `${summary} ${periods.own}. ${periods.compared}.` : summary}
      openDay={annotateDay({ appId: keyword.appId, keywordId: keyword.id })}
      fileName={`${nameKeywordFile(keyword)}-${span.from}-${span.to}`}
      table={tabulateHistory(history, competitors, store, t, compared)}
      tableView={
        <HistoryTable
          history={history}
          competitors={competitors}
          compared={compared}
          store={store}
        />
      }
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
          <div className={styles.tools}>
            <PeriodChoiceField span={chosenSpan} />
            <CompetitorChips choice={choice} nowhere={nowhere} />
          </div>
          {before.error && <ErrorNotice error={before.error} title={t('periods.failed')} />}
          {error && <ErrorNotice error={error} title={t('competitorLines.failed')} />}
        </>
      }
      legend={
        <>
          {periods && <PeriodSummary {...periods} />}
          <HistoryLegend
            gaps={history.items.filter((cell) => cell.state === 'not_checked').length}
            fallbacks={countFallbacks(history.items)}
            hasBoundaries={findBoundaries(history).length > 0}
            hasEvents={history.annotations.length > 0}
          />
        </>
      }
    />
  );
}
