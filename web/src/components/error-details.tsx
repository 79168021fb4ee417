import { useTranslation } from 'react-i18next';
import { withBasePath } from '../base-path.ts';
import { describeError } from '../describe-error.ts';
import styles from './error-notice.module.css';
import { LimitFacts, findBillingPath } from './limit-facts.tsx';
import { useCountdown } from './use-countdown.ts';
import { formatWait } from './format-wait.ts';

/** The details of a rejected click in a toast: the limit, its duration and the link to more. */
export function ErrorDetails({ error }: { error: unknown }) {
  const { t } = useTranslation();
  const { title, message, remedy, retryAfterSeconds, envelope } = describeError(error);
  const left = useCountdown(retryAfterSeconds, error);
  const way = envelope && findBillingPath(envelope);
  return (
    <span className={styles.words}>
      <span>{[message, remedy].filter((part) => part && part !== title).join(' ')}</span>
      {envelope && <LimitFacts envelope={envelope} />}
      {retryAfterSeconds !== null && (
        <span className="num" aria-live="off">
          {left > 0 ? formatWait(left, 'error.waitFor') : t('error.waitOver')}
        </span>
      )}
      {way && <a href={withBasePath(way)}>{t('error.upgrade')}</a>}
    </span>
  );
}
