import { Button, Tooltip } from '@mantine/core';
import { Swords } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { showError } from '../../components/toasts.tsx';
import type { ResultItem } from '../../queries/results.ts';
import { useWriteGuard } from '../../queries/write-guard.ts';
import { useRivalChanges } from '../competitors/rival-changes.ts';
import styles from './results-page.module.css';

/** Compares the app with one that stands in its results. */
export function FollowButton({
  appId,
  item: { storeAppId, name },
}: {
  appId: number;
  item: ResultItem;
}) {
  const { t } = useTranslation();
  const { canWrite, reason } = useWriteGuard();
  const { add } = useRivalChanges(appId);
  return (
    <Tooltip label={reason} disabled={canWrite}>
      <Button
        className={`touch ${styles.follow}`}
        size="compact-sm"
        variant="subtle"
        loading={add.isPending}
        aria-disabled={!canWrite}
        onClick={() => canWrite && add.mutate({ storeAppId }, { onError: showError })}
      >
        <Swords className={styles.followSign} size={18} aria-hidden />
        <span className={styles.followWord}>{t('competitors.follow')}</span>
        <span className="sr-only"> {name ?? storeAppId}</span>
      </Button>
    </Tooltip>
  );
}
