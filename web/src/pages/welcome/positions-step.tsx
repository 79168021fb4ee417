import { Button, Progress } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Keyword } from '#web/api.ts';
import { ErrorNotice } from '#web/components/error-notice.tsx';
import { RemainingKeywords } from '../keywords/remaining-keywords.tsx';
import { useKeywordRows } from '../keywords/use-keyword-rows.ts';
import { appsQuery } from '#web/queries/apps.ts';
import { isWaiting } from '#web/queries/keywords.ts';
import { measureProgress, updateProgress, type CheckProgress } from './check-progress.ts';
import { ConnectClient } from './connect-client.tsx';
import { FirstResults } from './first-results.tsx';
import { NotificationsCard } from './notifications-card.tsx';
import { LiveRow } from './live-row.tsx';
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

function useProgress(rows: readonly Keyword[]): CheckProgress {
  const [progress, setProgress] = useState<CheckProgress>(new Map());
  const current = updateProgress(progress, rows);
  if (current !== progress) setProgress(current);
  return current;
}

/** First checks are prioritized. Each row is filled when its search is completed. */
export function PositionsStep({ state, clear }: ReturnType<typeof useWizardState>) {
  const { t } = useTranslation();
  const { data: apps } = useQuery(appsQuery);
  const app = apps?.items.find(({ id }) => id === state.appId);
  const { keywords, total: listed, hasNextPage, error, refetch } = useKeywordRows(state.appId ?? 0);
  const added = new Set(state.addedIds);
  const rows = keywords.filter((keyword) => added.has(keyword.id));
  const done = rows.filter((keyword) => !isWaiting(keyword));
  const found = done.filter((keyword) => keyword.latest?.position != null);
  const home = app?.primaryCountry;
  // Some may have been removed since. Until all pages are read, the others may be on the next one.
  const total = listed !== null && !hasNextPage ? rows.length : added.size;
  const isRunning = done.length < total;
  const seconds = useSeconds(isRunning);
  const { counted, secondsLeft } = measureProgress(useProgress(rows), { rows, total, seconds });
  const ordered = rows.toSorted(
    (a, b) =>
      (a.latest?.position ?? 999) - (b.latest?.position ?? 999) ||
      Number(b.country === home) - Number(a.country === home) ||
      a.phrase.localeCompare(b.phrase),
  );
  // The first completed row stays selected until another is chosen, so that the shown results do
  // not change.
  const [shownId, show] = useState<number | null>(null);
  const firstId = done.find((keyword) => keyword.latest)?.id ?? null;
  useEffect(() => show((before) => before ?? firstId), [firstId]);
  const shown = rows.find((keyword) => keyword.id === shownId);
  return (
    <div className={styles.stack}>
      <RemainingKeywords appId={state.appId ?? 0} />
      <div className={styles.progress}>
        <div className={styles.progressText}>
          <strong role="status">
            {t('welcome.positions.progress', { done: counted, count: total })}
          </strong>
          <span className="muted num">
            {isRunning
              ? secondsLeft !== null && t('welcome.positions.left', { count: secondsLeft })
              : t('welcome.positions.foundAll', { count: found.length })}
          </span>
        </div>
        <Progress
          value={(counted / Math.max(1, total)) * 100}
          size="sm"
          aria-label={t('welcome.positions.progressLabel')}
        />
      </div>
      {error && keywords.length === 0 && (
        <ErrorNotice error={error} onRetry={() => void refetch()} />
      )}
      <div className={styles.sides}>
        <div className={styles.stack}>
          <ul className={styles.live} aria-label={t('keywords.title')}>
            {ordered.map((keyword) => (
              <LiveRow
                key={keyword.id}
                keyword={keyword}
                isShown={keyword.id === shownId}
                onShow={() => show(keyword.id)}
              />
            ))}
          </ul>
          <p className={styles.hint}>{t('welcome.positions.note')}</p>
        </div>
        <div className={styles.stack}>
          {shown && <FirstResults keyword={shown} store={state.listing?.store} />}
          <NotificationsCard />
          <ConnectClient />
        </div>
      </div>
      <div className={styles.actions}>
        <Button variant="default" size="md" onClick={clear}>
          {t('welcome.positions.another')}
        </Button>
        <Button
          size="md"
          onClick={() => setTimeout(clear)}
          renderRoot={(props) => (
            <Link
              to="/apps/$appId/keywords"
              params={{ appId: String(state.appId ?? 0) }}
              {...props}
            />
          )}
        >
          {t('welcome.positions.open')}
        </Button>
      </div>
    </div>
  );
}
