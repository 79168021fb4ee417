import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { call } from '../../api.ts';
import { showDone, showError, showUndo } from '../../components/toasts.tsx';
import type { Rival } from '../../queries/rivals.ts';

/** What may be done to an app's competitors; whatever follows from them is read again. */
export function useRivalChanges(appId: number) {
  const { t } = useTranslation();
  const queryClient = useQueryClient();
  const readAgain = () => {
    void queryClient.invalidateQueries({ queryKey: ['apps', appId] });
    // Kept results say who is a competitor.
    void queryClient.invalidateQueries({ queryKey: ['keywords'] });
  };
  const add = useMutation({
    mutationFn: (body: { storeAppId: string } | { url: string }) =>
      call('POST /apps/{id}/competitors', { params: { id: appId }, body }),
    onSuccess: ({ competitor }) => {
      showDone(t('competitors.added', { name: competitor.name }));
      readAgain();
    },
  });
  const remove = useMutation({
    mutationFn: ({ id }: Rival) =>
      call('DELETE /apps/{id}/competitors/{cid}', { params: { id: appId, cid: id } }),
    onSuccess: (_, { name, storeAppId }) => {
      showUndo(t('competitors.removed', { name }), () =>
        add.mutate({ storeAppId }, { onError: showError }),
      );
      readAgain();
    },
    onError: showError,
  });
  const note = useMutation({
    mutationFn: ({
      id,
      ...body
    }: {
      id: number;
      relationship?: string | null;
      note?: string | null;
    }) => call('PATCH /apps/{id}/competitors/{cid}', { params: { id: appId, cid: id }, body }),
    onSuccess: readAgain,
    onError: showError,
  });
  return { add, remove, note };
}
