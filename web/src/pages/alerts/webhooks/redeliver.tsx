import { Button, Menu } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { RefreshCw } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { call } from '#web/api.ts';
import { followJob } from '#web/components/job-toast.ts';
import { showError } from '#web/components/toasts/toasts.tsx';
import type { Webhook } from '#web/queries/webhooks.ts';

const dayMs = 86_400_000;
const spans = [1, 7, 30] as const;

/**
 * Resends the failed deliveries of the last days. Each keeps its id, so that receivers can detect
 * duplicates.
 */
export function RedeliverAll({ webhook, canWrite }: { webhook: Webhook; canWrite: boolean }) {
  const { t } = useTranslation();
  const queryClient = useQueryClient();
  const again = useMutation({
    mutationFn: (days: number) =>
      call('POST /webhooks/{id}/redeliver', {
        params: { id: webhook.id },
        body: { from: new Date(Date.now() - days * dayMs).toISOString(), state: 'failed' },
      }),
    onSuccess: ({ job }) => void followJob(job.id, t('webhooks.redelivering'), queryClient),
    onError: showError,
  });
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <Button
          variant="default"
          className="touch"
          disabled={!canWrite || !webhook.enabled}
          loading={again.isPending}
          leftSection={<RefreshCw size={14} aria-hidden />}
        >
          {t('webhooks.redeliverAll')}
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        {spans.map((days) => (
          <Menu.Item key={days} onClick={() => again.mutate(days)}>
            {t('webhooks.ofDays', { count: days })}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}

/** Resends one delivery under the same id. */
export function RedeliverOne({ deliveryId, canWrite }: { deliveryId: number; canWrite: boolean }) {
  const { t } = useTranslation();
  const queryClient = useQueryClient();
  const again = useMutation({
    mutationFn: () =>
      call('POST /webhooks/deliveries/{deliveryId}/redeliver', { params: { deliveryId } }),
    onSuccess: ({ job }) => void followJob(job.id, t('webhooks.redelivering'), queryClient),
    onError: showError,
  });
  return (
    <Button
      className="touch"
      disabled={!canWrite}
      loading={again.isPending}
      leftSection={<RefreshCw size={14} aria-hidden />}
      onClick={() => again.mutate()}
    >
      {t('webhooks.redeliver')}
    </Button>
  );
}
