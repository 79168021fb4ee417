import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { call, type Keyword, type Request } from '#web/api.ts';
import { showSuccess, showError, showUndo } from '#web/components/toasts/toasts.tsx';
import { tagsQuery } from '#web/queries/alerts.ts';
import { refreshCounts } from '#web/queries/keyword-changes.ts';
import { editRows } from './edit-rows.ts';
import { inBatches, restoreKeywords } from './restore-keywords.ts';

type Change = Request<'POST /apps/{id}/keywords/update'>['body']['set'];

function applyUpdate(keyword: Keyword, set: Change): Keyword {
  const tags = new Set([...keyword.tags, ...(set.addTags ?? [])]);
  for (const tag of set.removeTags ?? []) tags.delete(tag);
  return {
    ...keyword,
    tags: [...tags],
    paused: set.paused ?? keyword.paused,
    favorite: set.favorite ?? keyword.favorite,
  };
}

/** Undo: sends each previous state to the rows that had it. */
function undoOf(set: Change, before: Keyword[]): { ids: number[]; set: Change }[] {
  const ids = (keep: (keyword: Keyword) => boolean) =>
    before.filter(keep).map((keyword) => keyword.id);
  const parts: { ids: number[]; set: Change }[] = [];
  if (set.paused !== undefined)
    parts.push({
      ids: ids((keyword) => keyword.paused !== set.paused),
      set: { paused: !set.paused },
    });
  if (set.favorite !== undefined)
    parts.push({
      ids: ids((keyword) => keyword.favorite !== set.favorite),
      set: { favorite: !set.favorite },
    });
  for (const tag of set.addTags ?? [])
    parts.push({ ids: ids((keyword) => !keyword.tags.includes(tag)), set: { removeTags: [tag] } });
  for (const tag of set.removeTags ?? [])
    parts.push({ ids: ids((keyword) => keyword.tags.includes(tag)), set: { addTags: [tag] } });
  return parts.filter((part) => part.ids.length > 0);
}

export function useKeywordActions(appId: number) {
  const { t } = useTranslation();
  const queryClient = useQueryClient();
  /** Refreshes other data of the changed keywords and the list of tags. */
  const refreshEach = () => {
    void queryClient.invalidateQueries({ queryKey: ['keywords'] });
    void queryClient.invalidateQueries({ queryKey: tagsQuery.queryKey });
  };
  const refresh = () => {
    refreshCounts(queryClient, appId);
    refreshEach();
  };
  const onError = (error: unknown) => {
    refresh();
    showError(error);
  };

  const send = async (ids: number[], set: Change) => {
    const chosen = new Set(ids);
    await editRows(
      queryClient,
      appId,
      (keyword) => (chosen.has(keyword.id) ? applyUpdate(keyword, set) : keyword),
      async () => {
        for (const part of inBatches(ids))
          await call('POST /apps/{id}/keywords/update', {
            params: { id: appId },
            body: { ids: part, set },
          });
      },
    );
  };
  const update = useMutation({
    mutationFn: ({ keywords, set }: { keywords: Keyword[]; set: Change; silent?: boolean }) =>
      send(
        keywords.map((keyword) => keyword.id),
        set,
      ),
    onSuccess(_data, { keywords, set, silent }) {
      if (set.paused !== undefined) refresh();
      else refreshEach();
      if (silent) return;
      const undo = async () => {
        for (const part of undoOf(set, keywords)) await send(part.ids, part.set);
        refresh();
      };
      showUndo(t('keywords.changed', { count: keywords.length }), () => void undo().catch(onError));
    },
    onError,
  });

  const remove = useMutation({
    async mutationFn(keywords: Keyword[]) {
      const gone = new Set(keywords.map((keyword) => keyword.id));
      await editRows(
        queryClient,
        appId,
        (keyword) => (gone.has(keyword.id) ? null : keyword),
        async () => {
          for (const ids of inBatches([...gone]))
            await call('POST /apps/{id}/keywords/delete', { params: { id: appId }, body: { ids } });
        },
      );
    },
    onSuccess(_data, keywords) {
      refresh();
      const undo = async () => {
        await restoreKeywords(
          appId,
          keywords.map((keyword) => keyword.id),
        );
        showSuccess(t('keywords.restored', { count: keywords.length }));
        refresh();
      };
      showUndo(t('keywords.removed', { count: keywords.length }), () => void undo().catch(onError));
    },
    onError,
  });

  return { update, remove };
}
