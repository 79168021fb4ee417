import { useMutation, useQueryClient } from '@tanstack/react-query';
import { call } from '#web/api.ts';
import { showError } from '#web/components/toasts/toasts.tsx';
import { phraseScoreQuery, type PhraseScore } from '#web/queries/scores.ts';
import type { Market } from '#web/scope.ts';

export const scorePhraseKey = ['score-phrase'];

/** Scores phrases one after another, because the store allows few requests per minute. */
export function useScorePhrase(
  appId: number,
  market: Market,
  onScored?: (score: PhraseScore) => void,
) {
  const queryClient = useQueryClient();
  return useMutation({
    mutationKey: scorePhraseKey,
    scope: { id: 'score-phrase' },
    mutationFn: (phrase: string) =>
      call('GET /apps/{id}/phrase-score', { params: { id: appId }, query: { phrase, ...market } }),
    onSuccess: (score) => {
      queryClient.setQueryData(phraseScoreQuery(appId, market, score.phrase).queryKey, score);
      onScored?.(score);
    },
    onError: showError,
    onSettled: () => void queryClient.invalidateQueries({ queryKey: ['workspace', 'usage'] }),
  });
}
