import { useTranslation } from 'react-i18next';
import { describeError } from '../describe-error.ts';
import styles from './error-notice.module.css';
import { LimitFacts, wayToPlan } from './limit-facts.tsx';
import { useCountdown } from './use-countdown.ts';
import { sayWait } from './wait-words.ts';

/** What a click was refused for, in a toast: which limit, how long it lasts, where there is more. */
export function RefusalWords({ error }: { error: unknown }) {
  const { t } = useTranslation();
  const { title, message, remedy, retryAfterSeconds, envelope } = describeError(error);
  const left = useCountdown(retryAfterSeconds, error);
  const way = envelope && wayToPlan(envelope);
  return (
    <span className={styles.words}>
      <span>{[message, remedy].filter((part) => part && part !== title).join(' ')}</span>
      {envelope && <LimitFacts envelope={envelope} />}
      {retryAfterSeconds !== null && (
        <span className="num" aria-live="off">
          {left > 0 ? sayWait(left, 'error.waitFor') : t('error.waitOver')}
        </span>
      )}
      {way && <a href={way}>{t('error.upgrade')}</a>}
    </span>
  );
}
