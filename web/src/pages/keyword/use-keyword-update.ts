import { useMutation, useMutationState, useQueryClient } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { callVersioned, type Keyword, type Request, type Versioned } from '#web/api.ts';
import { showError } from '#web/components/toasts/toasts.tsx';
import { baseOfShown, pickShown } from '#web/conflict/base-of-shown.ts';
import { saveVersioned } from '#web/conflict/save-versioned.ts';
import { tagsQuery } from '#web/queries/alerts.ts';
import { refreshCounts } from '#web/queries/keyword-changes.ts';
import { keywordQuery } from '#web/queries/keywords.ts';
import type { DraftBase } from '#web/use-draft.ts';

type Change = Request<'PATCH /keywords/{keywordId}'>['body'];
interface Variables {
  change: Change;
  /** The fields of the change as the page showed them. */
  shown: Partial<Fields>;
  /** The note on which a changed note is based. */
  basedOn?: DraftBase | undefined;
}
/** False if it was not saved; an error was shown by then. */
export type UpdateKeyword = (change: Change, basedOn?: DraftBase) => Promise<boolean>;

const toState = ({ tags, note, depth, favorite, paused, etag }: Versioned<Keyword>) => ({
  fields: { tags, note, depth, favorite, paused },
  etag,
});
type Fields = ReturnType<typeof toState>['fields'];

function describeField(name: keyof Fields, { tags, note, depth }: Fields): string {
  if (name === 'tags') return tags.join(', ');
  return name === 'note' ? (note ?? '') : String(depth);
}

/**
 * A keyword with its changes that are not saved, and the function that changes it, unless somebody
 * else has changed the same. A note is shown once it is saved: until then it is in its field.
 */
export function useKeywordUpdate(keywordId: number, saved: Versioned<Keyword> | undefined) {
  const { t } = useTranslation();
  const queryClient = useQueryClient();
  const query = keywordQuery(keywordId);
  const { queryKey } = query;
  const mutationKey = ['keyword', keywordId];
  const labels = {
    tags: t('add.tags'),
    note: t('keyword.note'),
    depth: t('keyword.depth'),
    favorite: t('keyword.favorite'),
    paused: t('pending.paused'),
  };
  const { mutateAsync, isPending } = useMutation({
    mutationKey,
    scope: { id: `keyword-${keywordId}` },
    mutationFn({ change, shown, basedOn }: Variables) {
      const base = toState((queryClient.getQueryData(queryKey) ?? saved)!);
      return saveVersioned({
        base: basedOn
          ? { fields: { ...base.fields, note: basedOn.text || null }, etag: basedOn.etag }
          : baseOfShown(base, shown),
        mine: { ...base.fields, ...change },
        read: async () => toState(await queryClient.fetchQuery({ ...query, staleTime: 0 })),
        write: (fields, { ifMatch, changed }) =>
          callVersioned('PATCH /keywords/{keywordId}', {
            params: { keywordId },
            body: Object.fromEntries(changed.map((name) => [name, fields[name]])),
            ifMatch,
          }),
        describe: (name, theirs, mine) => ({
          label: labels[name],
          theirs: describeField(name, theirs),
          mine: describeField(name, mine),
        }),
      });
    },
    async onSuccess(outcome) {
      if (outcome.kind !== 'saved') return;
      const { fields, etag } = toState(outcome.saved);
      // A read that began before the change would bring the keyword as it was.
      await queryClient.cancelQueries({ queryKey, exact: true });
      queryClient.setQueryData(queryKey, (keyword) => keyword && { ...keyword, ...fields, etag });
    },
    onError: showError,
    onSettled(_response, _error, { change: { paused, depth, tags } }) {
      void queryClient.invalidateQueries({ queryKey, exact: true });
      if (paused !== undefined || depth !== undefined) refreshCounts(queryClient, saved?.appId);
      else void queryClient.invalidateQueries({ queryKey: ['apps', saved?.appId, 'keywords'] });
      if (tags) void queryClient.invalidateQueries({ queryKey: tagsQuery.queryKey });
    },
  });
  const unsaved = useMutationState({
    filters: { mutationKey, status: 'pending' },
    select({ state }) {
      const { note: _, ...change } = (state.variables as Variables).change;
      return change;
    },
  });
  const keyword = saved && (Object.assign({ ...saved }, ...unsaved) as typeof saved);
  const update: UpdateKeyword = (change, basedOn) => {
    const { fields } = toState((queryClient.getQueryData(queryKey) ?? saved)!);
    const shown = pickShown(queryClient, { saved: fields, change, mutationKey });
    return mutateAsync({ change, shown, basedOn }).then(
      ({ kind }) => kind !== 'cancelled',
      () => false,
    );
  };
  return { keyword, update, isSaving: isPending };
}
