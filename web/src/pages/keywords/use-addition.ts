import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { showDone } from '../../components/toasts.tsx';
import { budgetQuery } from '../../queries/runs.ts';

/** Follows more keywords: says how many are new and how many were there, and reads anew what depends on them. */
export function useAddition(
  add: () => Promise<{ added: number; existing: number }>,
  onDone: () => void,
) {
  const { t } = useTranslation();
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: add,
    onSuccess({ added, existing }) {
      showDone(
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
