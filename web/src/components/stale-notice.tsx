import { useTranslation } from 'react-i18next';
import { describeError } from '../describe-error.ts';
import { formatClock } from '../format.ts';
import styles from './error-notice.module.css';
import { RetryButton } from './retry-button.tsx';
import { useCountdown } from './use-countdown.ts';

interface Props {
  error: unknown;
  readAtMs: number;
  onRetry: () => void;
}

/** Shown above data that could not be refreshed. It retries automatically when a limit ends. */
export function StaleNotice({ error, readAtMs, onRetry }: Props) {
  const { t } = useTranslation();
  const { envelope, retryAfterSeconds } = describeError(error);
  const left = useCountdown(
    retryAfterSeconds,
    error,
    envelope?.statusCode === 429 ? onRetry : undefined,
  );
  return (
    <div className={styles.stale}>
      <span role="status">
        {t('error.stale', { at: formatClock(new Date(readAtMs).toISOString()) })}
      </span>
      <RetryButton variant="subtle" size="compact-xs" leftSeconds={left} onRetry={onRetry} />
    </div>
  );
}
