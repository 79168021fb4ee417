import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { call } from '../../api.ts';
import { rereadNotes, type Note } from '../../queries/annotations.ts';
import { showDone, showError, showUndo } from '../toasts.tsx';

export interface NoteDraft {
  date: string;
  text: string;
  /** None: the note is about the whole app. */
  keywordIds: number[];
}

/** Writing, changing and deleting notes; each is marked wherever notes are shown. */
export function useNoteActions(appId: number) {
  const { t } = useTranslation();
  const queryClient = useQueryClient();
  const reread = () => rereadNotes(queryClient, appId);
  const add = useMutation({
    mutationFn: (body: NoteDraft) =>
      call('POST /apps/{id}/annotations', { params: { id: appId }, body }),
    onSuccess: () => showDone(t('note.added')),
    onError: showError,
    onSettled: reread,
  });
  const change = useMutation({
    mutationFn: ({ id, ...body }: NoteDraft & { id: number }) =>
      call('PATCH /annotations/{id}', { params: { id }, body }),
    onSuccess: () => showDone(t('note.changed')),
    onError: showError,
    onSettled: reread,
  });
  const remove = useMutation({
    mutationFn: (note: Note) => call('DELETE /annotations/{id}', { params: { id: note.id } }),
    onSuccess: (_answer, { date, text, keywordIds }) =>
      showUndo(t('note.deleted'), () => add.mutate({ date, text, keywordIds })),
    onError: showError,
    onSettled: reread,
  });
  return { add, change, remove };
}

export type NoteActions = ReturnType<typeof useNoteActions>;
