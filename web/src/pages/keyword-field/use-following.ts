import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { call } from '../../api.ts';
import { followJob } from '../../components/job-toast.ts';
import { showError } from '../../components/toasts.tsx';
import { refreshFreeReads } from '../../queries/free-reads.ts';
import { markFollowed } from '../../queries/keyword-field.ts';
import { markTracked } from '../../queries/suggestions.ts';
import { useKeywordActions } from '../keywords/keyword-actions.ts';

/** Begins and stops following a word as a keyword of the app in a country. Stopping can be taken back, as in the list of keywords. */
export function useFollowing(appId: number, country: string) {
  const { t } = useTranslation();
  const queryClient = useQueryClient();
  const { remove } = useKeywordActions(appId);
  const follow = useMutation({
    mutationFn: (phrase: string) =>
      call('POST /apps/{id}/keywords', {
        params: { id: appId },
        body: { keywords: [{ phrase, country }] },
      }),
    onSuccess({ added, existing, job }, phrase) {
      markFollowed(queryClient, appId, country, {
        term: phrase,
        keywordId: [...added, ...existing][0]?.id ?? null,
      });
      if (job) void followJob(job.id, t('keywordField.following', { word: phrase }), queryClient);
      markTracked(queryClient, appId, country, [phrase]);
      refreshFreeReads(queryClient, ['apps', appId]);
    },
    onError: showError,
  });
  // Whole, so that it can come back as it was.
  const read = useMutation({
    mutationFn: (keywordId: number) =>
      call('GET /keywords/{keywordId}', { params: { keywordId }, query: {} }),
    onError: showError,
  });
  const stop = async (keywordId: number) => {
    const keyword = await read.mutateAsync(keywordId);
    await remove.mutateAsync([keyword]);
    markFollowed(queryClient, appId, country, { term: keyword.phrase, keywordId: null });
  };
  return { follow: follow.mutateAsync, stop };
}

export type Following = ReturnType<typeof useFollowing>;
