import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { call } from '#web/api.ts';
import { showError, showUndo } from '#web/components/toasts/toasts.tsx';
import { deleteIfThere } from '#web/delete-if-there.ts';
import type { Competitor } from '#web/queries/competitors.ts';
import { useErrorAfterLeaving } from '#web/use-error-after-leaving.ts';

interface Options {
  /** The caller shows errors of `add`: a toast shows them only once it is gone. */
  showsAddError?: boolean;
}

type Added = { appId: number } & ({ storeAppId: string } | { url: string });
interface Archived {
  appId: number;
  id: number;
}

/**
 * Mutations of competitors, which refresh all dependent data. They name the app: it may be another
 * one than that of the page by the time of an undo.
 */
export function useCompetitorMutations({ showsAddError = false }: Options = {}) {
  const { t } = useTranslation();
  const queryClient = useQueryClient();
  const showAfterLeaving = useErrorAfterLeaving();
  const readAgain = (appId: number) => {
    void queryClient.invalidateQueries({ queryKey: ['apps', appId] });
    // The saved results mark competitors.
    void queryClient.invalidateQueries({ queryKey: ['keywords'] });
  };
  const add = useMutation({
    mutationFn: ({ appId, ...body }: Added) =>
      call('POST /apps/{id}/competitors', { params: { id: appId }, body }),
    onSuccess: ({ competitor: { id, name } }, { appId }) => {
      showUndo(t('competitors.added', { name }), () => takeBack.mutate({ appId, id }));
      readAgain(appId);
    },
    // Not on `mutate`, which is silent once the page is left: an undo may come later.
    onError: showsAddError ? showAfterLeaving : showError,
  });
  const archive = ({ appId, id }: Archived) =>
    deleteIfThere(call('DELETE /apps/{id}/competitors/{cid}', { params: { id: appId, cid: id } }));
  const takeBack = useMutation({
    mutationFn: archive,
    onError: showError,
    onSettled: (_data, _error, { appId }) => readAgain(appId),
  });
  const remove = useMutation({
    mutationFn: ({ appId, competitor: { id } }: { appId: number; competitor: Competitor }) =>
      archive({ appId, id }),
    onSuccess: (wasThere, { appId, competitor: { name, storeAppId } }) =>
      wasThere &&
      showUndo(t('competitors.removed', { name }), () => add.mutate({ appId, storeAppId })),
    onError: showError,
    onSettled: (_data, _error, { appId }) => readAgain(appId),
  });
  return { add, remove };
}
