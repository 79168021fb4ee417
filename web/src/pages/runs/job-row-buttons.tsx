import { Button } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { Ban, RotateCw } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { call, type Job } from '#web/api.ts';
import { showSuccess, showError } from '#web/components/toasts/toasts.tsx';
import { useWriteAccess } from '#web/queries/write-guard.ts';

/** Retries failed jobs, and cancels those that have not started or can end between two steps. */
export function JobRowButtons({ job }: { job: Job }) {
  const { t } = useTranslation();
  const queryClient = useQueryClient();
  const { canWrite, reason } = useWriteAccess();
  const canRetry = job.state === 'failed' || job.state === 'cancelled' || job.state === 'shed';
  const canCancel =
    job.state === 'queued' || (job.state === 'running' && job.kind === 'country-scores');
  const change = useMutation({
    mutationFn: (verb: 'retry' | 'cancel') =>
      verb === 'retry'
        ? call('POST /jobs/{jobId}/retry', { params: { jobId: job.id } })
        : call('POST /jobs/{jobId}/cancel', { params: { jobId: job.id } }),
    onSuccess: (_response, verb) =>
      showSuccess(t(verb === 'retry' ? 'jobs.retried' : 'jobs.cancelled')),
    onError: showError,
    onSettled: () => queryClient.invalidateQueries({ queryKey: ['jobs'] }),
  });
  if (!canRetry && !canCancel) return null;
  const verb = canRetry ? 'retry' : 'cancel';
  return (
    <Button
      size="compact-sm"
      variant="default"
      className="touch"
      disabled={!canWrite}
      title={reason}
      loading={change.isPending}
      leftSection={canRetry ? <RotateCw size={13} aria-hidden /> : <Ban size={13} aria-hidden />}
      onClick={() => change.mutate(verb)}
    >
      {t(`jobs.${verb}`)}
      <span className="sr-only"> {t('jobs.number', { id: job.id })}</span>
    </Button>
  );
}
