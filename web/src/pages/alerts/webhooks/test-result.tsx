import { CircleCheck, CircleX } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { formatCount } from '#web/format.ts';
import type { TestOutcome } from '#web/queries/webhooks.ts';
import styles from './webhooks.module.css';

/** The response to a test event. */
export function TestResult({ outcome }: { outcome: TestOutcome }) {
  const { t } = useTranslation();
  const { state: status, httpStatus, latencyMs, responseSnippet, error } = outcome;
  const isDone = status === 'succeeded';
  return (
    <div className={styles.outcome} role="status" data-status={status}>
      {isDone ? <CircleCheck size={16} aria-hidden /> : <CircleX size={16} aria-hidden />}
      <div>
        <p>
          <strong>{isDone ? t('webhooks.testDone') : t('webhooks.testFailed')}</strong>{' '}
          <span className="num">
            {httpStatus === null
              ? t('webhooks.noResponse')
              : t('webhooks.responded', { status: httpStatus })}
          </span>{' '}
          <span className="num muted">{t('webhooks.ms', { ms: formatCount(latencyMs) })}</span>
        </p>
        {error && <p className="muted">{error}</p>}
        {responseSnippet && <code className={styles.snippet}>{responseSnippet}</code>}
      </div>
    </div>
  );
}
