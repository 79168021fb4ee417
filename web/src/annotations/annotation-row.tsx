import { ActionIcon, Tooltip } from '@mantine/core';
import { Pencil, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { formatDay } from '#web/format.ts';
import { useWriteAccess } from '#web/queries/write-guard.ts';
import { AnnotationForm } from './annotation-form.tsx';
import styles from './annotations.module.css';
import type { ReadAnnotation } from './save-annotation.ts';
import type { AnnotationActions } from './use-annotation-actions.ts';

interface Props {
  note: ReadAnnotation;
  actions: AnnotationActions;
  keywordId?: number | undefined;
  /** Set where the day is already shown. */
  withoutDay?: boolean;
}

/** An annotation, edited in place. */
export function AnnotationRow({ note, actions, keywordId, withoutDay = false }: Props) {
  const { t } = useTranslation();
  // As it was when the form was opened: others may change it meanwhile.
  const [edited, setEdited] = useState<ReadAnnotation | null>(null);
  // The focus was in the form, which is gone.
  const [wasEdited, setWasEdited] = useState(false);
  const close = () => {
    setEdited(null);
    setWasEdited(true);
  };
  const { canWrite, reason } = useWriteAccess();
  if (edited) {
    return (
      <AnnotationForm
        name={`annotation:${note.id}`}
        initial={edited}
        etag={edited.etag}
        keywordId={keywordId}
        saving={actions.change.isPending}
        onSave={async (draft, base) => {
          const { kind } = await actions.change.mutateAsync({ note: edited, draft, base });
          return kind !== 'cancelled';
        }}
        onSaved={close}
        onCancel={close}
      />
    );
  }
  const about =
    note.keywordIds.length === 0
      ? t('annotation.wholeApp')
      : t('annotation.keywords', { count: note.keywordIds.length });
  return (
    <div className={styles.note}>
      <div className={styles.words}>
        <p className={styles.body} dir="auto">
          {note.text}
        </p>
        <p className="muted">
          {!withoutDay && <span className="num">{formatDay(note.date, true)} · </span>}
          {about}
        </p>
      </div>
      <Tooltip label={reason ?? t('annotation.edit')}>
        <ActionIcon
          className="touch"
          variant="subtle"
          color="gray"
          autoFocus={wasEdited}
          aria-label={`${t('annotation.edit')}: ${note.text}`}
          data-disabled={!canWrite || undefined}
          aria-disabled={!canWrite}
          onClick={() => canWrite && setEdited(note)}
        >
          <Pencil size={15} aria-hidden />
        </ActionIcon>
      </Tooltip>
      <Tooltip label={reason ?? t('annotation.delete')}>
        <ActionIcon
          className="touch"
          variant="subtle"
          color="gray"
          aria-label={`${t('annotation.delete')}: ${note.text}`}
          data-disabled={!canWrite || undefined}
          aria-disabled={!canWrite}
          onClick={() => canWrite && actions.remove.mutate(note)}
        >
          <Trash2 size={15} aria-hidden />
        </ActionIcon>
      </Tooltip>
    </div>
  );
}
