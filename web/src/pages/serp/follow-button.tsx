import { Button, Tooltip } from '@mantine/core';
import { Plus } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import type { SerpItem } from '#web/queries/serp.ts';
import { useWriteAccess } from '#web/queries/write-guard.ts';
import { useCompetitorMutations } from '../competitors/use-competitor-mutations.ts';
import styles from './serp-page.module.css';

/** Adds an app of the results as a competitor. */
export function FollowButton({
  appId,
  item: { storeAppId, name },
}: {
  appId: number;
  item: SerpItem;
}) {
  const { t } = useTranslation();
  const { canWrite, reason } = useWriteAccess();
  const { add } = useCompetitorMutations();
  return (
    <Tooltip label={reason ?? t('competitors.follow')}>
      <Button
        className={`touch ${styles.follow}`}
        size="compact-sm"
        variant="subtle"
        loading={add.isPending}
        aria-disabled={!canWrite}
        onClick={() => canWrite && add.mutate({ appId, storeAppId })}
      >
        <Plus className={styles.followSign} size={18} aria-hidden />
        <span className={styles.followWord}>{t('competitors.follow')}</span>
        <span className="sr-only"> {name ?? storeAppId}</span>
      </Button>
    </Tooltip>
  );
}
