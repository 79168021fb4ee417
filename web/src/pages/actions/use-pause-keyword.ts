import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { call } from '#web/api.ts';
import { showError, showSuccess } from '#web/components/toasts/toasts.tsx';
import { refreshCounts } from '#web/queries/keyword-changes.ts';

interface Props {
  appId: number | undefined;
  keywordId: number;
  onDone: () => void;
}

export function usePauseKeyword({ appId, keywordId, onDone }: Props) {
  const { t } = useTranslation();
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: () =>
      call('PATCH /keywords/{keywordId}', { params: { keywordId }, body: { paused: true } }),
    onSuccess() {
      showSuccess(t('actions.paused'));
      void queryClient.invalidateQueries({ queryKey: ['keywords', keywordId] });
      refreshCounts(queryClient, appId);
      onDone();
    },
    onError: showError,
  });
}
