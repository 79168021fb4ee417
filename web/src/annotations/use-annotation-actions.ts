import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { call } from '#web/api.ts';
import { refetchAnnotations } from '#web/queries/annotations.ts';
import { deleteIfThere } from '#web/delete-if-there.ts';
import type { DraftBase } from '#web/use-draft.ts';
import { showSuccess, showError, showUndo } from '#web/components/toasts/toasts.tsx';
import { saveAnnotation, type AnnotationDraft, type ReadAnnotation } from './save-annotation.ts';

interface Change {
  note: ReadAnnotation;
  draft: AnnotationDraft;
  /** The text on which the draft is based. */
  base: DraftBase;
}

/** Creates, updates and deletes annotations, and refreshes every list and chart that shows them. */
export function useAnnotationActions(appId: number) {
  const { t } = useTranslation();
  const queryClient = useQueryClient();
  const reread = () => refetchAnnotations(queryClient, appId);
  const add = useMutation({
    mutationFn: (body: AnnotationDraft) =>
      call('POST /apps/{id}/annotations', { params: { id: appId }, body }),
    onSuccess: () => showSuccess(t('annotation.added')),
    onError: showError,
    onSettled: reread,
  });
  const restore = useMutation({
    mutationFn: async (note: ReadAnnotation) =>
      (await import('./restore-annotation.ts')).restoreAnnotation(note),
    onSuccess: () => showSuccess(t('annotation.added')),
    onError: showError,
    onSettled: reread,
  });
  const change = useMutation({
    mutationFn: ({ note, draft, base }: Change) => saveAnnotation(note, draft, base),
    onSuccess: ({ kind }) => kind === 'saved' && showSuccess(t('annotation.changed')),
    onError: showError,
    onSettled: reread,
  });
  const remove = useMutation({
    mutationFn: (note: ReadAnnotation) =>
      deleteIfThere(call('DELETE /annotations/{id}', { params: { id: note.id } })),
    onSuccess: (wasThere, note) =>
      wasThere && showUndo(t('annotation.deleted'), () => restore.mutate(note)),
    onError: showError,
    onSettled: reread,
  });
  return { add, change, remove };
}

export type AnnotationActions = ReturnType<typeof useAnnotationActions>;
