import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { Ago } from '#web/components/ago.tsx';
import { formatCountry } from '#web/format.ts';
import type { CountryScore } from '#web/queries/country-scores.ts';
import styles from './country-scores-page.module.css';

/** The state of a row, with the reason of a failure. A tracked one leads to its keyword. */
export function RowState({ row }: { row: CountryScore }) {
  const { t } = useTranslation();
  const { state, keywordId, scoredAt, failure, phrase, country } = row;
  if (state === 'tracked' && keywordId !== null)
    return (
      <Link
        to="/keywords/$keywordId"
        params={{ keywordId: String(keywordId) }}
        aria-label={t('countryScores.openKeyword', { phrase, country: formatCountry(country) })}
      >
        {t('countryScores.states.tracked')}
      </Link>
    );
  if (state === 'failed' && failure)
    return (
      <span className={styles.failed}>
        {t('countryScores.states.failed')}: {t(`countryScores.failure.${failure.reason}`)}
        {scoredAt !== null && ` ${t('countryScores.olderResult')}`}
      </span>
    );
  return (
    <span className="muted">
      {t(`countryScores.states.${state}`)}
      {state === 'scored' && scoredAt !== null && (
        <>
          {' '}
          <Ago instant={scoredAt} />
        </>
      )}
    </span>
  );
}
