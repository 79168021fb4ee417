import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { callVersioned, type Keyword, type Request, type Versioned } from '#web/api.ts';
import { showError } from '#web/components/toasts/toasts.tsx';
import { saveVersioned } from '#web/conflict/save-versioned.ts';
import { tagsQuery } from '#web/queries/alerts.ts';
import { refreshCounts } from '#web/queries/keyword-changes.ts';
import { keywordQuery } from '#web/queries/keywords.ts';
import type { DraftBase } from '#web/use-draft.ts';

type Change = Request<'PATCH /keywords/{keywordId}'>['body'];
interface Variables extends Change {
  /** The note on which a changed note is based. */
  basedOn?: DraftBase;
}

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
 * Updates a keyword optimistically, except its note. A rejected change is rolled back, and a change
 * of what somebody else has changed is shown instead of saved.
 */
export function useKeywordUpdate(keywordId: number, appId: number | undefined) {
  const { t } = useTranslation();
  const queryClient = useQueryClient();
  const query = keywordQuery(keywordId);
  const { queryKey } = query;
  const seen = useRef<Versioned<Keyword>>(undefined);
  const labels = {
    tags: t('add.tags'),
    note: t('keyword.note'),
    depth: t('keyword.depth'),
    favorite: t('keyword.favorite'),
    paused: t('pending.paused'),
  };
  return useMutation({
    mutationFn({ basedOn, ...change }: Variables) {
      const base = toState(seen.current!);
      return saveVersioned({
        base: basedOn
          ? { fields: { ...base.fields, note: basedOn.text || null }, etag: basedOn.etag }
          : base,
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
    async onMutate({ basedOn: _, ...change }) {
      await queryClient.cancelQueries({ queryKey, exact: true });
      const before = queryClient.getQueryData(queryKey);
      seen.current = before;
      queryClient.setQueryData(
        queryKey,
        (keyword) =>
          keyword && {
            ...keyword,
            ...change,
            tags: change.tags ?? keyword.tags,
            note: keyword.note,
          },
      );
      return { before };
    },
    onSuccess(outcome, _variables, context) {
      if (outcome.kind === 'saved') {
        const { note, etag } = outcome.saved;
        queryClient.setQueryData(queryKey, (keyword) => keyword && { ...keyword, note, etag });
      } else if (outcome.kind === 'cancelled' && context.before)
        queryClient.setQueryData(queryKey, context.before);
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
