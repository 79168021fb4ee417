import { Gauge } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { formatCount, formatHours } from '#web/format.ts';
import type { CountryScoreCost } from '#web/queries/country-scores.ts';
import styles from './country-scores-page.module.css';

interface Props {
  cost: CountryScoreCost | undefined;
  isPending: boolean;
  isOver: boolean;
}

/** Requests to the store, the share of the allowance, and phrases that have scores already. */
export function ScoreCost({ cost, isPending, isOver }: Props) {
  const { t } = useTranslation();
  return (
    <div className={styles.cost} data-pending={isPending || undefined} aria-live="polite">
      <Gauge size={15} aria-hidden />
      {cost ? <Facts cost={cost} isOver={isOver} /> : <p>{t('countryScores.costNone')}</p>}
    </div>
  );
}

function Facts({ cost, isOver }: { cost: CountryScoreCost; isOver: boolean }) {
  const { t } = useTranslation();
  const { toScore, requests, seconds, tracked, fresh, open, freshDays, allowance } = cost;
  const shown = (value: number) => formatCount(value);
  return (
    <div className="num">
      <p>
        <strong>{t('countryScores.costToScore', { count: toScore, shown: shown(toScore) })}</strong>
        {toScore > 0 && (
          <>
            {' · '}
            {t('countryScores.costRequests', {
              min: shown(requests.min),
              max: shown(requests.max),
            })}
            {' · '}
            {t('countryScores.costTime', {
              max: formatHours(seconds.max / 3_600),
            })}
          </>
        )}
      </p>
      {tracked + fresh + open > 0 && (
        <p>
          {t('countryScores.costKnown', {
            tracked: shown(tracked),
            fresh: shown(fresh),
            open: shown(open),
            days: freshDays,
          })}
        </p>
      )}
      {allowance && (
        <p data-over={isOver || undefined}>
          {isOver
            ? t('countryScores.costOver', {
                left: shown(Math.max(0, allowance.limit - allowance.used)),
                limit: shown(allowance.limit),
              })
            : t('countryScores.costAllowance', {
                left: shown(allowance.limit - allowance.used),
                limit: shown(allowance.limit),
                toScore: shown(toScore),
              })}
        </p>
      )}
    </div>
  );
}
