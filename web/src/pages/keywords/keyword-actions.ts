import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { call, type Keyword, type Request } from '#web/api.ts';
import { showSuccess, showError, showUndo } from '#web/components/toasts/toasts.tsx';
import { tagsQuery } from '#web/queries/alerts.ts';
import { refreshCounts } from '#web/queries/keyword-changes.ts';
import { editRows } from './edit-rows.ts';
import { restoreKeywords } from './restore-keywords.ts';

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

interface Update {
  keywords: Keyword[];
  set: Change;
  silent?: boolean;
}

const idsOf = (keywords: readonly Keyword[]): number[] => keywords.map(({ id }) => id);

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

  const sendUpdate = (ids: readonly number[], set: Change) =>
    editRows(queryClient, appId, {
      ids,
      change: (keyword) => applyUpdate(keyword, set),
      save: (batch) =>
        call('POST /apps/{id}/keywords/update', {
          params: { id: appId },
          body: { ids: batch, set },
        }),
    });
  /** `all` is larger than the number of keywords when a later batch failed. */
  const offerUndoOfUpdate = (keywords: Keyword[], set: Change, all = keywords.length) => {
    const undo = async () => {
      for (const part of undoOf(set, keywords)) {
        const { error } = await sendUpdate(part.ids, part.set);
        if (error !== null) throw error;
      }
      refresh();
    };
    const shown = keywords.length;
    showUndo(
      shown < all
        ? t('keywords.changedPartly', { shown, all })
        : t('keywords.changed', { count: all }),
      () => void undo().catch(onError),
    );
  };
  const update = useMutation({
    async mutationFn({ keywords, set }: Update) {
      const { savedIds, error } = await sendUpdate(idsOf(keywords), set);
      if (error === null) return;
      const changed = keywords.filter(({ id }) => savedIds.has(id));
      if (changed.length > 0) offerUndoOfUpdate(changed, set, keywords.length);
      throw error;
    },
    onSuccess(_data, { keywords, set, silent }) {
      if (set.paused !== undefined) refresh();
      else refreshEach();
      if (!silent) offerUndoOfUpdate(keywords, set);
    },
    onError,
  });

  const offerUndoOfRemoval = (ids: number[], all = ids.length) => {
    const undo = async () => {
      await restoreKeywords(appId, ids);
      showSuccess(t('keywords.restored', { count: ids.length }));
      refresh();
    };
    const shown = ids.length;
    showUndo(
      shown < all
        ? t('keywords.removedPartly', { shown, all })
        : t('keywords.removed', { count: all }),
      () => void undo().catch(onError),
    );
  };
  const remove = useMutation({
    async mutationFn(keywords: Keyword[]) {
      const { savedIds, error } = await editRows(queryClient, appId, {
        ids: idsOf(keywords),
        change: () => null,
        save: (ids) =>
          call('POST /apps/{id}/keywords/delete', { params: { id: appId }, body: { ids } }),
      });
      if (error === null) return;
      if (savedIds.size > 0) offerUndoOfRemoval([...savedIds], keywords.length);
      throw error;
    },
    onSuccess(_data, keywords) {
      refresh();
      offerUndoOfRemoval(idsOf(keywords));
    },
    onError,
  });

  return { update, remove };
}
