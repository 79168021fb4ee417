import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { call, type Request } from '../../../api.ts';
import { showDone, showError } from '../../../components/toasts.tsx';
import type { EventName } from '../../../queries/alerts.ts';
import { webhooksKey, type Webhook } from '../../../queries/webhooks.ts';

type Change = Request<'PATCH /webhooks/{id}'>['body'];

/** What is done with one address; each is told in a toast. */
export function useWebhookChanges({ id, url }: Webhook) {
  const { t } = useTranslation();
  const queryClient = useQueryClient();
  const refresh = () => queryClient.invalidateQueries({ queryKey: webhooksKey });
  const { host } = new URL(url);
  const change = useMutation({
    mutationFn: (set: Change) => call('PATCH /webhooks/{id}', { params: { id }, body: set }),
    onSuccess: (_answer, set) =>
      showDone(
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
    mutationFn: () => call('DELETE /webhooks/{id}', { params: { id } }),
    onSuccess: () => showDone(t('webhooks.removed', { host })),
    onError: showError,
    onSettled: refresh,
  });
  const test = useMutation({
    mutationFn: (event: EventName) =>
      call('POST /webhooks/{id}/test', { params: { id }, body: { event } }),
    onError: showError,
    onSettled: refresh,
  });
  return { change, remove, test };
}
