import styles from './runs.module.css';
import { useTranslation } from 'react-i18next';
import type { Run } from '#web/api.ts';
import { State, type Tone } from '#web/components/state.tsx';
import { formatCount, formatHours } from '#web/format.ts';
import { gapReasons, sumShed } from './load-kinds.ts';

const tones: Record<Run['state'], Tone> = {
  planned: 'idle',
  running: 'busy',
  finished: 'good',
  degraded: 'warn',
  overdue: 'warn',
  missed: 'warn',
};

export function RunState({ state }: { state: Run['state'] }) {
  const { t } = useTranslation();
  return <State tone={tones[state]}>{t(`runState.${state}`)}</State>;
}

/** The coverage of a finished run; null while it is running or if there was none. */
export function hoursOf({ startedAt, finishedAt }: Run): number | null {
  return startedAt && finishedAt
    ? (Date.parse(finishedAt) - Date.parse(startedAt)) / 3_600_000
    : null;
}

export function RunTime({ run }: { run: Run }) {
  const clock = (instant: string) => instant.slice(11, 16);
  const hours = hoursOf(run);
  if (!run.startedAt) return <span className="muted">–</span>;
  return (
    <span className="num">
      {run.finishedAt ? `${clock(run.startedAt)} – ${clock(run.finishedAt)}` : clock(run.startedAt)}
      {hours !== null && (
        <span className={`muted ${styles.duration}`}> · {formatHours(hours)}</span>
      )}
    </span>
  );
}

/** The gap reasons of a day in one line. */
export function RunGaps({ run }: { run: Run }) {
  const { t } = useTranslation();
  const gaps = gapReasons.filter((reason) => run.gaps[reason] > 0);
  const shed = sumShed(run);
  const parts = gaps.map((reason) =>
    t('runs.gap', { shown: formatCount(run.gaps[reason]), reason: t(`runs.${reason}`) }),
  );
  if (shed > 0) parts.push(t('runs.shedOther', { count: shed, shown: formatCount(shed) }));
  if (parts.length === 0)
    return (
      <span className="muted">
        {run.waiting > 0 ? t('runs.waiting', { count: run.waiting }) : t('runs.noGaps')}
      </span>
    );
  return <>{parts.join(', ')}</>;
}
