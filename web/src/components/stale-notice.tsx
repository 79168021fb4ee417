import { Button } from '@mantine/core';
import { RotateCw } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { describeError } from '../describe-error.ts';
import { formatClock } from '../format.ts';
import styles from './error-notice.module.css';
import { useCountdown } from './use-countdown.ts';
import { sayWait } from './wait-words.ts';

interface Props {
  error: unknown;
  readAtMs: number;
  onRetry: () => void;
}

/** Above what was read before: since when it may have changed unseen. A limit that opens goes on by itself. */
export function StaleNotice({ error, readAtMs, onRetry }: Props) {
  const { t } = useTranslation();
  const { envelope, retryAfterSeconds } = describeError(error);
  const left = useCountdown(retryAfterSeconds, error, envelope?.statusCode === 429 ? onRetry : undefined);
  return (
    <div className={styles.stale}>
      <span role="status">{t('error.stale', { at: formatClock(new Date(readAtMs).toISOString()) })}</span>
      <Button
        className="touch"
        variant="subtle"
        size="compact-xs"
        disabled={left > 0}
        leftSection={<RotateCw size={13} aria-hidden />}
        onClick={onRetry}
      >
        {left > 0 ? sayWait(left, 'error.retryIn') : t('error.retry')}
      </Button>
    </div>
  );
}
