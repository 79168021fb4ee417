import { useMutation, useQueryClient } from '@tanstack/react-query';
import { call, type Keyword, type Request } from '#web/api.ts';
import { showError } from '#web/components/toasts.tsx';
import { tagsQuery } from '#web/queries/alerts.ts';
import { refreshCounts } from '#web/queries/keyword-changes.ts';
import { keywordQuery } from '#web/queries/keywords.ts';

type Change = Request<'PATCH /keywords/{keywordId}'>['body'];

/** Updates a keyword optimistically, except its note. A rejected change is rolled back. */
export function useKeywordUpdate(keywordId: number, appId: number | undefined) {
  const queryClient = useQueryClient();
  const { queryKey } = keywordQuery(keywordId);
  return useMutation({
    mutationFn: (body: Change) =>
      call('PATCH /keywords/{keywordId}', { params: { keywordId }, body }),
    async onMutate(change) {
      await queryClient.cancelQueries({ queryKey, exact: true });
      const before = queryClient.getQueryData<Keyword>(queryKey);
      queryClient.setQueryData<Keyword>(
        queryKey,
        (keyword) => keyword && { ...keyword, ...change, note: keyword.note },
      );
      return { before };
    },
    onSuccess(_response, { note }) {
      if (note !== undefined)
        queryClient.setQueryData<Keyword>(queryKey, (keyword) => keyword && { ...keyword, note });
    },
    onError(error, _change, context) {
      if (context?.before) queryClient.setQueryData(queryKey, context.before);
      showError(error);
    },
    onSettled(_response, _error, { paused, depth, tags }) {
      void queryClient.invalidateQueries({ queryKey, exact: true });
      if (paused !== undefined || depth !== undefined) refreshCounts(queryClient, appId);
      else void queryClient.invalidateQueries({ queryKey: ['apps', appId, 'keywords'] });
      if (tags) void queryClient.invalidateQueries({ queryKey: tagsQuery.queryKey });
    },
  });
}

export type UpdateKeyword = ReturnType<typeof useKeywordUpdate>;
