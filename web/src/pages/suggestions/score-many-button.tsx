import { Button, Tooltip } from '@mantine/core';
import { Gauge } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { useWriteAccess } from '#web/queries/write-guard.ts';
import type { Market } from '#web/scope.ts';
import styles from './suggestions-page.module.css';
import { useRequestScores } from './use-request-scores.ts';

interface Props {
  appId: number;
  market: Market;
  /** Those without scores among the selected phrases, or at the top of the list without any. */
  unscored: string[];
}

export function ScoreManyButton({ appId, market, unscored }: Props) {
  const { t } = useTranslation();
  const { canWrite, reason } = useWriteAccess();
  const request = useRequestScores(appId, market);
  return (
    <Tooltip label={reason} disabled={canWrite}>
      <Button
        className={`touch ${styles.scoreMany}`}
        size="compact-sm"
        variant="default"
        leftSection={<Gauge size={15} aria-hidden />}
        loading={request.isPending}
        disabled={unscored.length === 0}
        aria-disabled={!canWrite || undefined}
        onClick={() => canWrite && request.mutate(unscored)}
      >
        {t('suggestions.scoreMany', { count: unscored.length })}
      </Button>
    </Tooltip>
  );
}
