import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { call } from '#web/api.ts';
import { showSuccess, showError } from '#web/components/toasts/toasts.tsx';
import type { Plan } from '#web/queries/billing.ts';
import type { AdminWorkspace } from '#web/queries/admin.ts';

type One = Pick<AdminWorkspace, 'id' | 'name'>;

/** Refreshes the admin lists, and the frame if the workspace is the administrator's own. */
function useFollow(): () => void {
  const queryClient = useQueryClient();
  return () => {
    for (const queryKey of [['admin'], ['session'], ['budget'], ['billing']])
      void queryClient.invalidateQueries({ queryKey });
  };
}

export function useSuspend(onDone: () => void) {
  const { t } = useTranslation();
  const follow = useFollow();
  return useMutation({
    mutationFn: ({ id, reason }: One & { reason: string }) =>
      call('POST /admin/workspaces/{id}/suspend', { params: { id }, body: { reason } }),
    onSuccess(_response, { name }) {
      showSuccess(t('admin.suspended', { name }));
      follow();
      onDone();
    },
  });
}

export function useUnsuspend() {
  const { t } = useTranslation();
  const follow = useFollow();
  return useMutation({
    mutationFn: ({ id }: One) => call('POST /admin/workspaces/{id}/unsuspend', { params: { id } }),
    onSuccess(_response, { name }) {
      showSuccess(t('admin.unsuspended', { name }));
      follow();
    },
    onError: showError,
  });
}

export function useSetPlan(onDone: () => void) {
  const { t } = useTranslation();
  const follow = useFollow();
  return useMutation({
    mutationFn: ({ id, plan }: One & { plan: Plan['name'] | null }) =>
      call('PUT /admin/workspaces/{id}/plan', { params: { id }, body: { plan } }),
    onSuccess(_response, { name }) {
      showSuccess(t('admin.planSet', { name }));
      follow();
      onDone();
    },
  });
}
