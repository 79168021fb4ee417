import { useTranslation } from 'react-i18next';
import { formatCount, formatShare } from '#web/format.ts';
import { gapReasons, shedKinds, sumShed } from './load-kinds.ts';
import type { RunDetail } from './day-card.tsx';
import styles from './runs.module.css';

/** Each gap reason with its count and remedy. */
export function DayGaps({ run }: { run: RunDetail }) {
  const { t } = useTranslation();
  const reasons = gapReasons.filter((reason) => run.gaps[reason] > 0);
  const shed = sumShed(run);
  if (reasons.length === 0 && shed === 0 && run.waiting === 0)
    return <p className="muted">{t('runs.complete')}</p>;
  return (
    <ul className={styles.gaps}>
      {run.waiting > 0 && (
        <li>
          <strong className="num">{formatCount(run.waiting)}</strong>
          <div>
            <p>{t('runs.waitingName')}</p>
            <p className="muted">{t('runs.remedy.waiting')}</p>
          </div>
        </li>
      )}
      {reasons.map((reason) => (
        <li key={reason}>
          <strong className="num">{formatCount(run.gaps[reason])}</strong>
          <div>
            <p>{t(`runs.reason.${reason}`)}</p>
            <p className="muted">{t(`runs.remedy.${reason}`)}</p>
          </div>
        </li>
      ))}
      {shed > 0 && (
        <li>
          <strong className="num">{formatCount(shed)}</strong>
          <div>
            <p>
              {t('runs.reason.others', {
                kinds: shedKinds
                  .filter((kind) => run.shed[kind] > 0)
                  .map((kind) => `${formatCount(run.shed[kind])} ${t(`fanOut.${kind}`)}`)
                  .join(', '),
              })}
            </p>
            <p className="muted">
              {t('runs.remedy.others', {
                share: formatShare(
                  Math.max(0, ...Object.values(run.pressure).map((share) => share ?? 0)),
                ),
              })}
            </p>
          </div>
        </li>
      )}
    </ul>
  );
}
