import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { call } from './api.ts';
import { showSuccess, showError } from './components/toasts/toasts.tsx';

/** Restores a deleted workspace and refreshes all data. */
export function useRestoreWorkspace() {
  const { t } = useTranslation();
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: () => call('POST /workspace/restore'),
    onSuccess: () => {
      showSuccess(t('banner.deleted.kept'));
      return queryClient.invalidateQueries();
    },
    onError: showError,
  });
}
