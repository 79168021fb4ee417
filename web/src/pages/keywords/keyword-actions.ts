import { useMutation, useQueryClient, type MutationOptions } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import type { Keyword } from '#web/api.ts';
import { showSuccess, showError, showUndo } from '#web/components/toasts/toasts.tsx';
import { tagsQuery } from '#web/queries/alerts.ts';
import { refreshCounts } from '#web/queries/keyword-changes.ts';
import { rowEditsKey, saveEdit, type Change, type RowEdit } from './edit-rows.ts';
import { restoreKeywords } from './restore-keywords.ts';

/** Undo: sends each previous state to the rows that had it. */
function undoOf(set: Change, before: readonly Keyword[]): RowEdit[] {
  const parts: RowEdit[] = [];
  if (set.paused !== undefined)
    parts.push({
      keywords: before.filter((keyword) => keyword.paused !== set.paused),
      set: { paused: !set.paused },
    });
  if (set.favorite !== undefined)
    parts.push({
      keywords: before.filter((keyword) => keyword.favorite !== set.favorite),
      set: { favorite: !set.favorite },
    });
  for (const tag of set.addTags ?? [])
    parts.push({
      keywords: before.filter((keyword) => !keyword.tags.includes(tag)),
      set: { removeTags: [tag] },
    });
  for (const tag of set.removeTags ?? [])
    parts.push({
      keywords: before.filter((keyword) => keyword.tags.includes(tag)),
      set: { addTags: [tag] },
    });
  return parts.filter(({ keywords }) => keywords.length > 0);
}

interface Update extends RowEdit {
  set: Change;
  silent?: boolean;
}

/** Edits of a list are saved in the order in which they were made, and shown at once. */
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
  const inOrder = { scope: { id: `keywords-${appId}` }, onError };
  const edits = { ...inOrder, mutationKey: rowEditsKey(appId) };
  /** `onPartlySaved` receives the ids that were saved before the error, if there are any. */
  const save = async (edit: RowEdit, onPartlySaved?: (ids: ReadonlySet<number>) => void) => {
    const { savedIds, error } = await saveEdit(queryClient, appId, edit);
    if (error === null) return;
    if (savedIds.size > 0) onPartlySaved?.(savedIds);
    throw error;
  };
  /** For an undo, whose toast stays when the list of another app is opened. */
  const start = <Variables>(
    options: MutationOptions<void, Error, Variables>,
    variables: Variables,
  ): void => {
    const mutation = queryClient.getMutationCache().build(queryClient, options);
    // `onError` shows the error.
    mutation.execute(variables).catch(() => undefined);
  };

  /** `all` is larger than the number of keywords when a later batch failed. */
  const offerUndoOfUpdate = (keywords: readonly Keyword[], set: Change, all = keywords.length) => {
    const undo = () => {
      for (const part of undoOf(set, keywords))
        start({ ...edits, mutationFn: (edit: RowEdit) => save(edit), onSuccess: refresh }, part);
    };
    const shown = keywords.length;
    showUndo(
      shown < all
        ? t('keywords.changedPartly', { shown, all })
        : t('keywords.changed', { count: all }),
      undo,
    );
  };
  const update = useMutation({
    ...edits,
    mutationFn: ({ keywords, set }: Update) =>
      save({ keywords, set }, (ids) => {
        const changed = keywords.filter(({ id }) => ids.has(id));
        offerUndoOfUpdate(changed, set, keywords.length);
      }),
    onSuccess(_data, { keywords, set, silent }) {
      if (set.paused !== undefined) refresh();
      else refreshEach();
      if (!silent) offerUndoOfUpdate(keywords, set);
    },
  });

  const offerUndoOfRemoval = (ids: readonly number[], all = ids.length) => {
    const undo = {
      ...inOrder,
      mutationFn: () => restoreKeywords(appId, ids),
      onSuccess() {
        showSuccess(t('keywords.restored', { count: ids.length }));
        refresh();
      },
    };
    const shown = ids.length;
    showUndo(
      shown < all
        ? t('keywords.removedPartly', { shown, all })
        : t('keywords.removed', { count: all }),
      () => start(undo, undefined),
    );
  };
  const remove = useMutation({
    ...edits,
    mutationFn: ({ keywords }: Pick<RowEdit, 'keywords'>) =>
      save({ keywords }, (ids) => offerUndoOfRemoval([...ids], keywords.length)),
    onSuccess(_data, { keywords }) {
      refresh();
      offerUndoOfRemoval(keywords.map(({ id }) => id));
    },
  });

  return { update, remove };
}
