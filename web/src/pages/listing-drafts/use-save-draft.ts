import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { splitRequests } from '#listing-files/split-requests.ts';
import { callVersioned } from '#web/api.ts';
import { showSuccess } from '#web/components/toasts/toasts.tsx';
import { saveVersioned } from '#web/conflict/save-versioned.ts';
import { draftQuery, draftsQuery } from '#web/queries/listing-drafts.ts';
import type { Draft } from '#web/use-draft.ts';
import { useErrorAfterLeaving } from '#web/use-error-after-leaving.ts';
import {
  flatten,
  listChangedLocales,
  readState,
  splitName,
  stateOf,
  type FlatState,
} from './draft-state.ts';

/** Saves the changed locales, merged with what others have saved meanwhile. */
export function useSaveDraft(appId: number, id: number, draft: Draft) {
  const { t } = useTranslation();
  const queryClient = useQueryClient();
  const query = draftQuery(id);
  const readNewest = () => queryClient.fetchQuery({ ...query, staleTime: 0 });
  const show = (text: string | undefined) =>
    text === '' ? t('listingDrafts.emptied') : (text ?? '');
  const write = async (
    fields: FlatState,
    { ifMatch, changed }: { ifMatch: string | undefined; changed: string[] },
  ) => {
    const locales = listChangedLocales(fields, changed);
    let version = ifMatch;
    for (const request of splitRequests(locales)) {
      const saved = await callVersioned('PUT /listing-drafts/{id}/texts', {
        params: { id },
        body: { locales: request },
        ifMatch: version,
      });
      version = saved.etag;
    }
  };
  return useMutation({
    async mutationFn() {
      const sent = draft.text;
      const outcome = await saveVersioned<FlatState, void>({
        base: { fields: flatten(readState(draft.base.text)), etag: draft.base.etag },
        mine: flatten(readState(sent)),
        async read() {
          const newest = await readNewest();
          return { fields: flatten(stateOf(newest)), etag: newest.etag };
        },
        write,
        describe(name, theirs, mine) {
          const { locale, field } = splitName(name);
          return {
            label: t('listingDrafts.textOf', {
              field: t(`listingDrafts.field.${field}`),
              locale,
            }),
            theirs: show(theirs[name]),
            mine: show(mine[name]),
          };
        },
      });
      if (outcome.kind === 'saved') await readNewest();
      return { outcome, sent };
    },
    onSuccess({ outcome, sent }) {
      if (outcome.kind === 'cancelled') return;
      if (outcome.kind === 'taken') {
        draft.forget();
        return;
      }
      draft.forget(sent, outcome.isMerged);
      void queryClient.invalidateQueries({ queryKey: draftsQuery(appId).queryKey });
      void queryClient.invalidateQueries({ queryKey: ['listing-drafts', id, 'versions'] });
      showSuccess(t('listingDrafts.saved'));
    },
    onError: useErrorAfterLeaving(),
  });
}
