import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { showSuccess } from '#web/components/toasts/toasts.tsx';
import { budgetQuery } from '#web/queries/runs.ts';

/** Adds keywords, reports how many are new or already tracked, and refreshes dependent data. */
export function useAddition(
  add: () => Promise<{ added: number; existing: number }>,
  onDone: () => void,
) {
  const { t } = useTranslation();
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: add,
    onSuccess({ added, existing }) {
      showSuccess(
        existing > 0
          ? t('add.doneExisting', { count: added, existing })
          : t('add.done', { count: added }),
      );
      onDone();
    },
    onSettled() {
      void queryClient.invalidateQueries({ queryKey: ['apps'] });
      void queryClient.invalidateQueries({ queryKey: budgetQuery.queryKey });
    },
  });
}
