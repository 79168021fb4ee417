import { useTranslation } from 'react-i18next';
import { formatCountry, formatInstant } from '#web/format.ts';
import type { ReviewCoverage } from '#web/queries/reviews.ts';
import styles from './reviews-page.module.css';

/** How far back reviews are complete. The stores show only the latest few hundred. */
export function CoverageNote({ coverage }: { coverage: readonly ReviewCoverage[] }) {
  const { t } = useTranslation();
  if (coverage.length === 0) return null;
  const whole = coverage.filter(({ state }) => state === 'whole').length;
  const rest = coverage.filter(({ state }) => state !== 'whole');
  return (
    <details className={styles.coverage}>
      <summary>{t('reviews.coverage', { count: coverage.length, whole })}</summary>
      {rest.length === 0 ? (
        <p>{t('reviews.coverageWhole')}</p>
      ) : (
        <ul>
          {rest.map(({ country, state, knownFrom, exceededAt }) => (
            <li key={country}>
              {formatCountry(country)}:{' '}
              {state === 'not_read' || knownFrom === null
                ? t('reviews.notRead')
                : t('reviews.knownFrom', { at: formatInstant(knownFrom) })}
              {exceededAt && ` ${t('reviews.exceeded', { at: formatInstant(exceededAt) })}`}
            </li>
          ))}
        </ul>
      )}
    </details>
  );
}
