import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { call, type Request } from '#web/api.ts';
import { showSuccess, showError } from '#web/components/toasts/toasts.tsx';
import { deleteIfThere } from '#web/delete-if-there.ts';
import type { EventName } from '#web/queries/alerts.ts';
import { webhooksKey, type Webhook } from '#web/queries/webhooks.ts';

type Change = Request<'PATCH /webhooks/{id}'>['body'];

/** Changes to a webhook, each confirmed by a toast. */
export function useWebhookChanges({ id, url }: Webhook) {
  const { t } = useTranslation();
  const queryClient = useQueryClient();
  const refresh = () => queryClient.invalidateQueries({ queryKey: webhooksKey });
  const { host } = new URL(url);
  const change = useMutation({
    mutationFn: (set: Change) => call('PATCH /webhooks/{id}', { params: { id }, body: set }),
    onSuccess: (_response, set) =>
      showSuccess(
        set.enabled === true
          ? t('webhooks.resumed', { host })
          : set.enabled === false
            ? t('webhooks.paused', { host })
            : t('webhooks.changed'),
      ),
    onError: showError,
    onSettled: refresh,
  });
  const remove = useMutation({
    mutationFn: () => deleteIfThere(call('DELETE /webhooks/{id}', { params: { id } })),
    onSuccess: () => showSuccess(t('webhooks.removed', { host })),
    onError: showError,
    onSettled: refresh,
  });
  const test = useMutation({
    mutationFn: (type: EventName) =>
      call('POST /webhooks/{id}/test', { params: { id }, body: { type } }),
    onError: showError,
    onSettled: refresh,
  });
  return { change, remove, test };
}
