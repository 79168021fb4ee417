import { SegmentedControl, Skeleton } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { alertTypes, keywordAlertTypes } from '#contract/choices.ts';
import { Card } from '#web/components/card.tsx';
import { ChartCard } from '#web/components/chart/chart-card.tsx';
import { ErrorNotice } from '#web/components/error-notice.tsx';
import { formatCount } from '#web/format.ts';
import {
  backtestQuery,
  backtestSpans,
  type AlertRule,
  type Backtest,
} from '#web/queries/alerts.ts';
import { useSearchChoice } from '#web/search-value.ts';
import { eventViews } from '../event-views.ts';
import { BacktestList } from './backtest-list.tsx';
import { buildBacktestChart } from './backtest-chart.ts';
import styles from './rules.module.css';

const shownSpans = backtestSpans.toSorted((a, b) => Number(b) - Number(a));
const debounceMs = 500;
/** Event types that need a check, so that an unchecked day has no value for them. */
const needChecks: ReadonlySet<string> = new Set(keywordAlertTypes);

function Result({ backtest }: { backtest: Backtest }) {
  const { t } = useTranslation();
  const spec = useMemo(
    () =>
      buildBacktestChart(backtest, {
        name: (event) => t(`event.${event}.title`),
        none: t('backtest.noneThatDay'),
        unchecked: t('history.gap'),
        coverage: ({ checked, followed }) =>
          t('distribution.coverage', {
            checked: formatCount(checked),
            count: followed,
            followed: formatCount(followed),
          }),
      }),
    [backtest, t],
  );
  const days = backtest.days.length;
  const total = t('backtest.total', {
    count: backtest.total,
    shown: formatCount(backtest.total),
    days,
  });
  const checkedDays = backtest.days.filter(({ checked }) => checked > 0).length;
  const summary = `${total}${t('backtest.checkedDays', { count: checkedDays, days })}`;
  return (
    <>
      <ChartCard
        title={t('backtest.title')}
        lead={<span aria-live="polite">{summary}</span>}
        spec={spec}
        label={summary}
        height={190}
        fileName="alerts-backtest"
        table={{
          head: [
            t('history.day'),
            ...alertTypes.map((name) => t(`event.${name}.title`)),
            t('backtest.checked'),
          ],
          rows: backtest.days
            .toReversed()
            .map((day) => [
              day.date,
              ...alertTypes.map((name) =>
                day.checked === 0 && needChecks.has(name) ? null : day.counts[name],
              ),
              day.checked,
            ]),
        }}
        legend={
          <ul className={styles.legendRow}>
            {alertTypes.map((name) => (
              <li key={name}>
                <span className={styles.swatch} data-color={eventViews[name].color} aria-hidden />
                {t(`event.${name}.title`)}{' '}
                <strong className="num">{formatCount(backtest.counts[name])}</strong>
              </li>
            ))}
          </ul>
        }
      />
      <BacktestList backtest={backtest} />
    </>
  );
}

/** The alerts that the current rules would have triggered, computed from stored data. */
export function BacktestCard({ rules }: { rules: readonly AlertRule[] }) {
  const { t } = useTranslation();
  const [span, setSpan] = useSearchChoice('span', backtestSpans);
  const [asked] = useDebouncedValue(rules, debounceMs);
  const { data, error, isFetching, refetch } = useQuery({
    ...backtestQuery([...asked], Number(span)),
    placeholderData: keepPreviousData,
  });
  return (
    <aside
      className={styles.backtest}
      aria-label={t('backtest.label')}
      aria-busy={isFetching || asked !== rules}
    >
      <SegmentedControl
        fullWidth
        aria-label={t('backtest.span')}
        value={span}
        onChange={setSpan}
        data={shownSpans.map((days) => ({
          value: days,
          label: t('backtest.days', { count: Number(days) }),
        }))}
      />
      {error ? (
        <Card title={t('backtest.title')}>
          <ErrorNotice error={error} onRetry={() => void refetch()} />
        </Card>
      ) : data ? (
        <Result backtest={data} />
      ) : (
        <Skeleton height={420} radius={14} />
      )}
    </aside>
  );
}
