import { Button, Tooltip } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { ScanSearch } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { call } from '#web/api.ts';
import { followJob } from '#web/components/job-toast.ts';
import { showSuccess, showError } from '#web/components/toasts/toasts.tsx';
import { useWriteAccess } from '#web/queries/write-guard.ts';

/**
 * Recomputes the suggestions from stored data. The API does this once per UTC day, and the message
 * says so.
 */
export function RunActionsButton() {
  const { t } = useTranslation();
  const queryClient = useQueryClient();
  const { canWrite, reason } = useWriteAccess();
  const look = useMutation({
    mutationFn: () => call('POST /actions/run', {}),
    onSuccess({ job }) {
      const isOver = job.deduped && job.state === 'succeeded';
      if (isOver) showSuccess(t('actions.alreadyRanToday'));
      else void followJob(job.id, t('actions.running'), queryClient);
    },
    onError: showError,
  });
  return (
    <Tooltip label={reason ?? t('actions.runHint')} multiline w={260}>
      <Button
        variant="default"
        className="touch"
        leftSection={<ScanSearch size={16} aria-hidden />}
        loading={look.isPending}
        data-disabled={!canWrite || undefined}
        aria-disabled={!canWrite || undefined}
        onClick={() => canWrite && look.mutate()}
      >
        {t('actions.runNow')}
      </Button>
    </Tooltip>
  );
}
