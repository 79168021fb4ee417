import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { call } from '#web/api.ts';
import { showError, showUndo } from '#web/components/toasts/toasts.tsx';
import { deleteIfThere } from '#web/delete-if-there.ts';
import type { Competitor } from '#web/queries/competitors.ts';

interface Options {
  /** The caller shows errors of `add`, so that no toast does. */
  showsAddError?: boolean;
}

/** Mutations of competitors, which refresh all dependent data. */
export function useCompetitorMutations(appId: number, { showsAddError = false }: Options = {}) {
  const { t } = useTranslation();
  const queryClient = useQueryClient();
  const readAgain = () => {
    void queryClient.invalidateQueries({ queryKey: ['apps', appId] });
    // The saved results mark competitors.
    void queryClient.invalidateQueries({ queryKey: ['keywords'] });
  };
  const add = useMutation({
    mutationFn: (body: { storeAppId: string } | { url: string }) =>
      call('POST /apps/{id}/competitors', { params: { id: appId }, body }),
    onSuccess: ({ competitor }) => {
      showUndo(t('competitors.added', { name: competitor.name }), () =>
        takeBack.mutate(competitor),
      );
      readAgain();
    },
    // Not on `mutate`, which is silent once the page is left: an undo may come later.
    onError: (error) => {
      if (!showsAddError) showError(error);
    },
  });
  const archive = ({ id }: { id: number }) =>
    deleteIfThere(call('DELETE /apps/{id}/competitors/{cid}', { params: { id: appId, cid: id } }));
  const takeBack = useMutation({
    mutationFn: archive,
    onError: showError,
    onSettled: readAgain,
  });
  const remove = useMutation({
    mutationFn: (competitor: Competitor) => archive(competitor),
    onSuccess: (wasThere, { name, storeAppId }) =>
      wasThere && showUndo(t('competitors.removed', { name }), () => add.mutate({ storeAppId })),
    onError: showError,
    onSettled: readAgain,
  });
  return { add, remove };
}
