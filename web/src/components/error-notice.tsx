import { Button } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { TriangleAlert } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { describeError } from '../describe-error.ts';
import styles from './error-notice.module.css';
import { LimitFacts, findBillingPath } from './limit-facts.tsx';
import { RetryButton } from './retry-button.tsx';
import { useCountdown } from './use-countdown.ts';
import { formatWait } from './format-wait.ts';

interface Props {
  error: unknown;
  onRetry?: () => void;
  /**
   * Set if a retry writes data: it then waits for a click when a limit ends. Reads retry
   * automatically.
   */
  isWrite?: true;
  /** Replaces the title of the error code where the page knows better. */
  title?: string | undefined;
  /** Replaces what to do next in the same way. */
  remedy?: string | undefined;
}

/** The same request would fail again. */
const final: ReadonlySet<string> = new Set(['not_found', 'forbidden', 'invalid_request']);

/** In a form, it may be below the visible part of a dialog. */
const showInForm = (notice: HTMLElement | null): void => {
  if (notice?.closest('form, [role="dialog"]')) notice.scrollIntoView({ block: 'nearest' });
};

/**
 * Shows an error with its reason and remedy. A countdown is announced once instead of every second.
 */
export function ErrorNotice({ error, onRetry, isWrite, title, remedy }: Props) {
  const { t } = useTranslation();
  const {
    code,
    title: ofCode,
    message,
    remedy: ofCodeRemedy,
    retryAfterSeconds: wait,
    envelope,
  } = describeError(error);
  const goesOn = onRetry !== undefined && !isWrite && envelope?.statusCode === 429;
  const left = useCountdown(wait, error, goesOn ? onRetry : undefined);
  const isNews = title === undefined && message !== '' && message.replace(/\.$/, '') !== ofCode;
  const canRetry = onRetry !== undefined && !final.has(code);
  const way = envelope && findBillingPath(envelope);
  const issues = envelope?.issues ?? [];
  return (
    <div className={styles.notice} role="alert" ref={showInForm}>
      <TriangleAlert size={18} className={styles.icon} aria-hidden />
      <div className={styles.text}>
        <p className={styles.title}>{title ?? ofCode}</p>
        {isNews && <p>{message}</p>}
        <p className="muted">{remedy ?? ofCodeRemedy}</p>
        {issues.length > 1 && (
          <ul className={styles.issues}>
            {issues.slice(0, 5).map((issue) => (
              <li key={`${issue.path}${issue.message}`}>
                <code>{issue.path || '/'}</code> {issue.message}
                {issue.limit !== null && ` (${issue.limit})`}
              </li>
            ))}
          </ul>
        )}
        {envelope && <LimitFacts envelope={envelope} />}
        {wait !== null && (
          <p className="sr-only">{t(goesOn ? 'error.goesOn' : 'error.waits', { count: wait })}</p>
        )}
        {(canRetry || left > 0 || way) && (
          <div className={styles.actions} aria-live="off">
            {canRetry && (
              <RetryButton variant="default" size="xs" leftSeconds={left} onRetry={onRetry} />
            )}
            {!canRetry && left > 0 && (
              <span className="num muted">{formatWait(left, 'error.waitFor')}</span>
            )}
            {way && (
              <Button
                className="touch"
                size="xs"
                renderRoot={(props) => <Link to={way as '/settings/billing'} {...props} />}
              >
                {t('error.upgrade')}
              </Button>
            )}
          </div>
        )}
        {wait !== null && left === 0 && !goesOn && <p role="status">{t('error.waitOver')}</p>}
      </div>
    </div>
  );
}
