import { Button, Loader, Tooltip } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { showError } from '#web/components/toasts/toasts.tsx';
import type { Suggestion } from '#web/queries/suggestions.ts';
import { useWriteAccess } from '#web/queries/write-guard.ts';
import { cancelJobs } from './cancel-jobs.ts';
import styles from './suggestions-page.module.css';

/** How many suggestions a job has still to score, and how to stop it. */
export function ScoringProgress({ appId, waiting }: { appId: number; waiting: Suggestion[] }) {
  const { t } = useTranslation();
  const { canWrite, reason } = useWriteAccess();
  const queryClient = useQueryClient();
  // Not all of the app: the country finder may have jobs of its own.
  const open = new Set(waiting.flatMap(({ score }) => score?.jobId ?? []));
  const stop = useMutation({
    mutationFn: () => cancelJobs(open),
    onError: showError,
    onSettled: () => {
      void queryClient.invalidateQueries({ queryKey: ['apps', appId, 'suggestions'] });
      void queryClient.invalidateQueries({ queryKey: ['jobs'] });
    },
  });
  return (
    <span className={styles.scoring} role="status">
      <Loader size={14} aria-hidden />
      {t('suggestions.waiting', { count: waiting.length })}
      <Tooltip label={reason} disabled={canWrite}>
        <Button
          className="touch"
          size="compact-sm"
          variant="subtle"
          loading={stop.isPending}
          aria-disabled={!canWrite || undefined}
          onClick={() => canWrite && stop.mutate()}
        >
          {t('suggestions.stop')}
        </Button>
      </Tooltip>
    </span>
  );
}
