import { Button, Progress } from '@mantine/core';
import { RotateCw, TriangleAlert } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { describeError } from '../describe-error.ts';
import { formatCount } from '../format.ts';
import styles from './error-notice.module.css';
import { useCountdown } from './use-countdown.ts';

interface Props {
  error: unknown;
  onRetry?: () => void;
  /** In place of the code's own title, where the page knows better what was refused. */
  title?: string | undefined;
}

/** What was refused, why, and what to do; waits count down and open the retry by themselves. */
export function ErrorNotice({ error, onRetry, title }: Props) {
  const { t } = useTranslation();
  const described = describeError(error);
  const left = useCountdown(described.retryAfterSeconds, error);
  const { quota, entitlement, issues } = described.envelope ?? {};
  const isNews = title === undefined && described.message !== '' && described.message.replace(/\.$/, '') !== described.title;
  const canRetry = onRetry !== undefined && described.code !== 'not_found' && described.code !== 'forbidden';
  return (
    <div className={styles.notice} role="alert">
      <TriangleAlert size={18} className={styles.icon} aria-hidden />
      <div className={styles.text}>
        <p className={styles.title}>{title ?? described.title}</p>
        {isNews && <p>{described.message}</p>}
        <p className="muted">{described.remedy}</p>
        {issues && issues.length > 1 && (
          <ul className={styles.issues}>
            {issues.slice(0, 5).map((issue) => (
              <li key={`${issue.path}${issue.rule}`}>
                <code>{issue.path || '/'}</code> {issue.rule}
                {issue.limit !== null && ` (${issue.limit})`}
              </li>
            ))}
          </ul>
        )}
        {quota && (
          <div className={styles.quota}>
            <Progress value={Math.min(100, (quota.used / Math.max(1, quota.limit)) * 100)} aria-label={t('error.quotaLabel')} />
            <span className="num">
              {t('error.quota', { used: formatCount(quota.used), limit: formatCount(quota.limit), requested: formatCount(quota.requested) })}
            </span>
          </div>
        )}
        {(canRetry || left > 0 || entitlement) && (
          <div className={styles.actions}>
            {canRetry && (
              <Button
                className="touch"
                variant="default"
                size="xs"
                disabled={left > 0}
                leftSection={<RotateCw size={14} aria-hidden />}
                onClick={onRetry}
              >
                {left > 0 ? t('error.retryIn', { count: left }) : t('error.retry')}
              </Button>
            )}
            {!canRetry && left > 0 && <span className="num muted">{t('error.waitFor', { count: left })}</span>}
            {entitlement && (
              <Button size="xs" renderRoot={(props) => <a href={entitlement.upgradePath} {...props} />}>
                {t('error.upgrade')}
              </Button>
            )}
          </div>
        )}
      </div>
    </div>
  );
}
