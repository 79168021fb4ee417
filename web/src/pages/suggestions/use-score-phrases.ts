import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { call } from '#web/api.ts';
import { showError, showSuccess } from '#web/components/toasts/toasts.tsx';
import { phraseScoreQuery } from '#web/queries/scores.ts';
import type { Market } from '#web/scope.ts';

/**
 * Scores phrases one after another, also when the page is left, until the allowance is used up or
 * the store refuses.
 */
export function useScorePhrases(appId: number, market: Market) {
  const { t } = useTranslation();
  const queryClient = useQueryClient();
  return useMutation({
    // Single requests wait for these, because the store allows few per minute.
    scope: { id: 'score-phrase' },
    async mutationFn(phrases: readonly string[]) {
      let scored = 0;
      try {
        for (const phrase of phrases) {
          const score = await call('GET /apps/{id}/phrase-score', {
            params: { id: appId },
            query: { phrase, ...market },
          });
          queryClient.setQueryData(phraseScoreQuery(appId, market, score.phrase).queryKey, score);
          scored += 1;
        }
        return { scored, error: null };
      } catch (error) {
        return { scored, error };
      }
    },
    onSuccess({ scored, error }, { length }) {
      if (scored > 0) showSuccess(t('suggestions.scored', { scored, count: length }));
      if (error !== null) showError(error);
      void queryClient.invalidateQueries({ queryKey: ['workspace', 'usage'] });
    },
  });
}
