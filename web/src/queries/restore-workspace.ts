import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { call } from '../api.ts';
import { showDone, showError } from '../components/toasts.tsx';

/** Takes the deletion of the workspace back: what is shown of anything may have changed with it. */
export function useRestoreWorkspace() {
  const { t } = useTranslation();
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: () => call('POST /workspace/restore'),
    onSuccess: () => {
      showDone(t('banner.deleted.kept'));
      return queryClient.invalidateQueries();
    },
    onError: showError,
  });
}
