import { Button, Tooltip } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { ScanSearch } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { call } from '../../api.ts';
import { followJob } from '../../components/job-toast.ts';
import { showDone, showError } from '../../components/toasts.tsx';
import { useWriteGuard } from '../../queries/write-guard.ts';

/** Looks in what is stored, at once. The second time of a UTC day it is the first one's work, and that is said. */
export function LookNow() {
  const { t } = useTranslation();
  const queryClient = useQueryClient();
  const { canWrite, reason } = useWriteGuard();
  const look = useMutation({
    mutationFn: () => call('POST /actions/run', {}),
    onSuccess({ job }) {
      const isOver = job.dedupedWith !== null && job.state === 'succeeded';
      if (isOver) showDone(t('actions.lookedToday'));
      else void followJob(job.id, t('actions.looking'), queryClient);
    },
    onError: showError,
  });
  return (
    <Tooltip label={reason ?? t('actions.lookHint')} multiline w={260}>
      <Button
        variant="default"
        className="touch"
        leftSection={<ScanSearch size={16} aria-hidden />}
        loading={look.isPending}
        data-disabled={!canWrite || undefined}
        aria-disabled={!canWrite || undefined}
        onClick={() => canWrite && look.mutate()}
      >
        {t('actions.look')}
      </Button>
    </Tooltip>
  );
}
