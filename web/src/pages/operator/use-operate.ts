import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { call } from '../../api.ts';
import { showDone, showError } from '../../components/toasts.tsx';
import type { Plan } from '../../queries/billing.ts';
import type { OperatedWorkspace } from '../../queries/operator.ts';

type One = Pick<OperatedWorkspace, 'id' | 'name'>;

/** What follows: the operator's lists, and the frame where the workspace is the operator's own. */
function useFollow(): () => void {
  const queryClient = useQueryClient();
  return () => {
    for (const queryKey of [['operator'], ['session'], ['budget'], ['billing']])
      void queryClient.invalidateQueries({ queryKey });
  };
}

export function useSuspend(onDone: () => void) {
  const { t } = useTranslation();
  const follow = useFollow();
  return useMutation({
    mutationFn: ({ id, reason }: One & { reason: string }) =>
      call('POST /admin/workspaces/{id}/suspend', { params: { id }, body: { reason } }),
    onSuccess(_answer, { name }) {
      showDone(t('operator.suspended', { name }));
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
    onSuccess(_answer, { name }) {
      showDone(t('operator.unsuspended', { name }));
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
    onSuccess(_answer, { name }) {
      showDone(t('operator.planSet', { name }));
      follow();
      onDone();
    },
  });
}
