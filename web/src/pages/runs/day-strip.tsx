import { useMediaQuery } from '@mantine/hooks';
import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import type { Run } from '#web/api.ts';
import { formatDay, formatShare } from '#web/format.ts';
import styles from './runs.module.css';

const most = 30;
/** A finger needs 24 pixels for each. */
const mostOnPhones = 12;

/** The last days, oldest first. The height is the checked share, and each links to its day. */
export function DayStrip({ runs, chosen }: { runs: readonly Run[]; chosen?: string | undefined }) {
  const { t } = useTranslation();
  const isPhone =
    useMediaQuery('(max-width: 36em)', false, { getInitialValueInEffect: false }) ?? false;
  const days = runs.slice(0, isPhone ? mostOnPhones : most).toReversed();
  const [first, last] = [days[0], days.at(-1)];
  if (!first || !last) return null;
  return (
    <div className={styles.strip}>
      <ol className={styles.bars} aria-label={t('runs.strip')}>
        {days.map((run) => {
          const share =
            run.coverage === null ? t('runs.nothingPlanned') : formatShare(run.coverage);
          const label = t('runs.stripDay', {
            day: formatDay(run.date),
            state: t(`runState.${run.state}`),
            share,
          });
          return (
            <li key={run.date}>
              <Link
                to="/runs"
                search={(before) => ({ ...before, tab: undefined, day: run.date }) as never}
                className={styles.barLink}
                data-state={run.state}
                data-full={run.coverage === 1 || undefined}
                aria-current={run.date === chosen ? 'date' : undefined}
                aria-label={label}
                title={label}
              >
                <span
                  className={styles.fill}
                  style={{ height: `${Math.max(4, (run.coverage ?? 0) * 100)}%` }}
                />
              </Link>
            </li>
          );
        })}
      </ol>
      <div className={styles.ends} aria-hidden>
        <span>{formatDay(first.date)}</span>
        <span>{formatDay(last.date)}</span>
      </div>
    </div>
  );
}
