import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { call } from '#web/api.ts';
import { followJob } from '#web/components/job-toast.ts';
import { showError } from '#web/components/toasts/toasts.tsx';
import { refreshFreeReads } from '#web/queries/free-reads.ts';
import { setTokensTracked } from '#web/queries/keyword-field.ts';
import { setSuggestionsTracked } from '#web/queries/suggestions.ts';
import type { Market } from '#web/scope.ts';
import { useKeywordActions } from '../keywords/keyword-actions.ts';

/**
 * Tracks or untracks a word as a keyword in a market. Untracking can be undone, as in the list of
 * keywords.
 */
export function useFollowing(appId: number, market: Market) {
  const { t } = useTranslation();
  const queryClient = useQueryClient();
  const { remove } = useKeywordActions(appId);
  const follow = useMutation({
    mutationFn: (phrase: string) =>
      call('POST /apps/{id}/keywords', {
        params: { id: appId },
        body: { keywords: [{ phrase, ...market }] },
      }),
    onSuccess({ added, existing, job }, phrase) {
      setTokensTracked(queryClient, appId, market, {
        term: phrase,
        keywordId: [...added, ...existing][0]?.id ?? null,
      });
      if (job) void followJob(job.id, t('keywordField.following', { word: phrase }), queryClient);
      setSuggestionsTracked(queryClient, appId, market, [phrase]);
      refreshFreeReads(queryClient, ['apps', appId]);
    },
    onError: showError,
  });
  // The complete keyword, so that undo can restore it.
  const read = useMutation({
    mutationFn: (keywordId: number) =>
      call('GET /keywords/{keywordId}', { params: { keywordId }, query: {} }),
    onError: showError,
  });
  const stop = async (keywordId: number) => {
    const keyword = await read.mutateAsync(keywordId);
    await remove.mutateAsync({ keywords: [keyword] });
    setTokensTracked(queryClient, appId, market, { term: keyword.phrase, keywordId: null });
  };
  return { follow: follow.mutateAsync, stop };
}

export type Following = ReturnType<typeof useFollowing>;
