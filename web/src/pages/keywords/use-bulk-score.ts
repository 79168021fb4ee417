import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { call, type Keyword } from '#web/api.ts';
import { showError, showSuccess } from '#web/components/toasts/toasts.tsx';

/**
 * Requests the scores of keywords one after another, until the allowance is used up. The server
 * computes them within the pace of the store.
 */
export function useBulkScore() {
  const { t } = useTranslation();
  const queryClient = useQueryClient();
  return useMutation({
    async mutationFn(keywords: readonly Keyword[]) {
      let requested = 0;
      try {
        for (const { id } of keywords) {
          await call('POST /keywords/{keywordId}/score', { params: { keywordId: id } });
          requested += 1;
        }
        return { requested, error: null };
      } catch (error) {
        return { requested, error };
      }
    },
    onSuccess({ requested, error }, { length }) {
      if (requested > 0) showSuccess(t('bulk.scoring', { requested, count: length }));
      if (error !== null) showError(error);
      void queryClient.invalidateQueries({ queryKey: ['jobs'] });
    },
  });
}
