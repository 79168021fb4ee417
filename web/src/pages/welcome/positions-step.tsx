import { Button, Progress } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { CloudAlert } from 'lucide-react';
import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { CountryChip } from '../../components/country-chip.tsx';
import { PositionText } from '../../components/position-text.tsx';
import { ErrorNotice } from '../../components/error-notice.tsx';
import { useKeywordRows } from '../keywords/use-keyword-rows.ts';
import { isWaiting } from '../../queries/keywords.ts';
import { ConnectClient } from './connect-client.tsx';
import styles from './steps.module.css';
import type { useWizardState } from './wizard-state.ts';

function useSeconds(isRunning: boolean): number {
  const [seconds, setSeconds] = useState(0);
  useEffect(() => {
    if (!isRunning) return;
    const timer = setInterval(() => setSeconds((before) => before + 1), 1_000);
    return () => clearInterval(timer);
  }, [isRunning]);
  return seconds;
}

/** The first checks jump the queue: each row fills as its search comes back. */
export function PositionsStep({ state, clear }: ReturnType<typeof useWizardState>) {
  const { t } = useTranslation();
  const { keywords, error, refetch } = useKeywordRows(state.appId ?? 0);
  const wanted = new Set(state.addedIds);
  const rows = keywords.filter((keyword) => wanted.has(keyword.id));
  const done = rows.filter((keyword) => !isWaiting(keyword));
  const found = done.filter((keyword) => keyword.latest?.position != null);
  const isRunning = done.length < wanted.size;
  const seconds = useSeconds(isRunning);
  const ordered = rows.toSorted((a, b) => (a.latest?.position ?? 999) - (b.latest?.position ?? 999) || a.phrase.localeCompare(b.phrase));
  return (
    <div className={styles.stack}>
      <div className={styles.progress}>
        <div className={styles.progressText}>
          <strong role="status">{t('welcome.positions.progress', { done: done.length, count: wanted.size })}</strong>
          <span className="muted num">
            {isRunning ? t('welcome.positions.seconds', { count: seconds }) : t('welcome.positions.foundAll', { count: found.length })}
          </span>
        </div>
        <Progress value={(done.length / Math.max(1, wanted.size)) * 100} size="sm" aria-label={t('welcome.positions.progressLabel')} />
      </div>
      {error && <ErrorNotice error={error} onRetry={() => void refetch()} />}
      <ul className={styles.live} aria-label={t('keywords.title')}>
        {ordered.map((keyword) => (
          <li key={keyword.id} data-done={!isWaiting(keyword) || undefined}>
            <bdi className={styles.phraseText}>{keyword.phrase}</bdi>
            <CountryChip code={keyword.country} />
            <span className={styles.livePosition}>
              {isWaiting(keyword) && !keyword.latest ? (
                <span className={styles.checking}>
                  <span className={styles.pulse} aria-hidden />
                  {t(keyword.pending === 'running' ? 'pending.running' : 'pending.queued')}
                </span>
              ) : keyword.pending === 'store_error' && !keyword.latest ? (
                <span className={styles.checking}>
                  <CloudAlert size={14} aria-hidden />
                  {t('pending.store_error')}
                </span>
              ) : (
                <PositionText cell={keyword.latest} />
              )}
            </span>
          </li>
        ))}
      </ul>
      <p className={styles.hint}>{t('welcome.positions.note')}</p>
      <ConnectClient />
      <div className={styles.actions}>
        <Button
          size="md"
          onClick={() => setTimeout(clear)}
          renderRoot={(props) => <Link to="/apps/$appId/keywords" params={{ appId: String(state.appId ?? 0) }} {...props} />}
        >
          {t('welcome.positions.open')}
        </Button>
      </div>
    </div>
  );
}
