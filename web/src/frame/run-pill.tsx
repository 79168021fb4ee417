import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import type { Run } from '../api.ts';
import { formatClock, formatDay, formatInstant, formatShare, zonedDayOf } from '../format.ts';
import { Hint } from '../components/overlays/hint.tsx';
import { awayQuery } from '../queries/away.ts';
import { budgetQuery, runsQuery } from '../queries/runs.ts';
import styles from './run-pill.module.css';

function describeRun(run: Run): string {
  const at = run.finishedAt ?? run.startedAt;
  if (!at) return formatDay(run.date);
  const isToday = zonedDayOf(at) === zonedDayOf(new Date().toISOString());
  return isToday ? formatClock(at) : formatInstant(at);
}

const minShownShare = 0.001;
/** Below this share of a day the capacity is no news. */
const newsworthyShare = 0.7;

/**
 * `last run 06:12 UTC · next 02:00`, with a link to the runs. Above 70 % of a day it also shows the
 * capacity, and links there.
 */
export function RunPill() {
  const { t } = useTranslation();
  const { data: runs } = useQuery(runsQuery(1));
  const { data: budget } = useQuery(budgetQuery);
  const { data: away } = useQuery(awayQuery);
  if (!runs || !budget) return null;
  const run = runs.items[0];
  const isFull = budget.utilization > newsworthyShare;
  const last = !run
    ? t('pill.noRun')
    : run.state === 'running'
      ? t('pill.running', { done: run.done, planned: run.planned })
      : t('pill.last', { at: describeRun(run) });
  const next = t('pill.next', { at: formatClock(budget.completion.startsAt) });
  const share = formatShare(budget.utilization, minShownShare);
  return (
    <Hint label={away?.title ?? t(isFull ? 'pill.open' : 'pill.openRuns')}>
      {(props) => (
        <Link
          {...props}
          to={isFull ? '/capacity' : '/runs'}
          className={styles.pill}
          data-state={away ? 'away' : (run?.state ?? 'none')}
          data-full={isFull || undefined}
        >
          <span className={styles.dot} aria-hidden />
          <span className={styles.wide}>{last}</span>
          <span className={styles.wide} aria-hidden>
            ·
          </span>
          <span className={styles.wide}>{next}</span>
          {isFull && (
            <>
              <span className={styles.wide} aria-hidden>
                ·
              </span>
              <span className={styles.share}>{t('pill.share', { share })}</span>
              <span className={styles.short} aria-hidden>
                {share}
              </span>
            </>
          )}
        </Link>
      )}
    </Hint>
  );
}
