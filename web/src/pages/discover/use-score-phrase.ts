import { useMutation, useQueryClient } from '@tanstack/react-query';
import { call } from '../../api.ts';
import { showError } from '../../components/toasts.tsx';
import { phraseScoreQuery, type PhraseScore } from '../../queries/scores.ts';

export const scorePhraseKey = ['score-phrase'];

/** Scores phrases when somebody asks for it, one after another: the store lets itself be asked few things a minute. */
export function useScorePhrase(
  appId: number,
  country: string,
  onScored?: (score: PhraseScore) => void,
) {
  const queryClient = useQueryClient();
  return useMutation({
    mutationKey: scorePhraseKey,
    scope: { id: 'score-phrase' },
    mutationFn: (phrase: string) =>
      call('GET /apps/{id}/phrase-score', { params: { id: appId }, query: { phrase, country } }),
    onSuccess: (score) => {
      queryClient.setQueryData(phraseScoreQuery(appId, country, score.phrase).queryKey, score);
      onScored?.(score);
    },
    onError: showError,
    onSettled: () => void queryClient.invalidateQueries({ queryKey: ['workspace', 'usage'] }),
  });
}
