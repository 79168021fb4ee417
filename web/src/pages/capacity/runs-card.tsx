import { Skeleton } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { CalendarClock } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import type { Run } from '../../api.ts';
import { Card } from '../../components/card.tsx';
import { EmptyState } from '../../components/empty-state.tsx';
import { ErrorNotice } from '../../components/error-notice.tsx';
import { formatCount, formatDay, formatShare } from '../../format.ts';
import { runsQuery } from '../../queries/runs.ts';
import styles from './capacity-page.module.css';

const reasons = ['shed', 'store_error', 'over_quota', 'not_yet_run', 'paused'] as const;

function describeTime({ startedAt, finishedAt }: Run): string {
  const clock = (instant: string) => instant.slice(11, 16);
  if (!startedAt) return '–';
  return finishedAt ? `${clock(startedAt)} – ${clock(finishedAt)}` : clock(startedAt);
}

function Gaps({ run }: { run: Run }) {
  const { t } = useTranslation();
  const gaps = reasons.filter((reason) => run.gaps[reason] > 0);
  const shed = run.shed.appRefreshes;
  if (gaps.length === 0 && shed === 0) return <span className="muted">{t('runs.noGaps')}</span>;
  return (
    <>
      {gaps.map((reason) => t('runs.gap', { shown: formatCount(run.gaps[reason]), reason: t(`runs.${reason}`) })).join(', ')}
      {shed > 0 && (
        <span className="muted">
          {gaps.length > 0 && ' · '}
          {t('runs.shedRefreshes', { count: shed })}
        </span>
      )}
    </>
  );
}

export function RunsCard() {
  const { t } = useTranslation();
  const { data, error, isPending, refetch } = useQuery(runsQuery(30));
  return (
    <Card title={t('runs.title')} lead={t('runs.lead')}>
      {isPending && <Skeleton height={220} />}
      {error && <ErrorNotice error={error} onRetry={() => void refetch()} />}
      {data && data.items.length === 0 && <EmptyState icon={CalendarClock} title={t('runs.emptyTitle')} text={t('runs.emptyText')} />}
      {data && data.items.length > 0 && (
        <div className="table-scroll" role="region" aria-label={t('runs.table')} tabIndex={0}>
          <table className="plain-table">
            <thead>
              <tr>
                <th>{t('history.day')}</th>
                <th>{t('runs.state')}</th>
                <th className="end">{t('runs.coverage')}</th>
                <th className="end">{t('runs.checks')}</th>
                <th>{t('runs.time')}</th>
                <th>{t('runs.gaps')}</th>
              </tr>
            </thead>
            <tbody>
              {data.items.map((run) => (
                <tr key={run.date}>
                  <td className="num">{formatDay(run.date)}</td>
                  <td>
                    <span className={styles.state} data-state={run.state}>
                      <span className={styles.dot} aria-hidden />
                      {t(`runState.${run.state}`)}
                    </span>
                  </td>
                  <td className="end num">
                    <strong>{run.coverage === null ? '–' : formatShare(run.coverage)}</strong>
                  </td>
                  <td className="end num">{t('runs.done', { done: formatCount(run.done), planned: formatCount(run.planned) })}</td>
                  <td className="num muted">{describeTime(run)}</td>
                  <td>
                    <Gaps run={run} />
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
    </Card>
  );
}
