import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { showSuccess } from '#web/components/toasts/toasts.tsx';
import { budgetQuery } from '#web/queries/runs.ts';
import { useErrorAfterLeaving } from '#web/use-error-after-leaving.ts';
import { useIsMounted } from '#web/use-is-mounted.ts';

interface Addition<Sent> {
  add: () => Promise<{ added: number; existing: number }>;
  /** Called with what was sent: the form may have changed since. */
  onDone?: (sent: Sent) => void;
  onClose: () => void;
}

/**
 * Adds keywords, reports how many are new or already tracked, and refreshes dependent data. The
 * dialog can be closed meanwhile: then a toast reports an error, and a dialog that was opened since
 * stays open.
 */
export function useAddition<Sent = void>({ add, onDone, onClose }: Addition<Sent>) {
  const { t } = useTranslation();
  const queryClient = useQueryClient();
  const isMounted = useIsMounted();
  return useMutation({
    mutationFn: (_sent: Sent) => add(),
    onSuccess({ added, existing }, sent) {
      showSuccess(
        existing > 0
          ? t('add.doneExisting', { count: added, existing })
          : t('add.done', { count: added }),
      );
      onDone?.(sent);
      if (isMounted()) onClose();
    },
    onError: useErrorAfterLeaving(),
    onSettled() {
      void queryClient.invalidateQueries({ queryKey: ['apps'] });
      void queryClient.invalidateQueries({ queryKey: budgetQuery.queryKey });
    },
  });
}
