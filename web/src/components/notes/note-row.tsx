import { ActionIcon, Tooltip } from '@mantine/core';
import { Pencil, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { formatDay } from '../../format.ts';
import type { Note } from '../../queries/annotations.ts';
import { useWriteGuard } from '../../queries/write-guard.ts';
import { NoteForm } from './note-form.tsx';
import styles from './notes.module.css';
import type { NoteActions } from './use-notes.ts';

interface Props {
  note: Note;
  actions: NoteActions;
  keywordId?: number | undefined;
  /** Where the day stands beside it already. */
  withoutDay?: boolean;
}

/** A note; it is changed where it stands. */
export function NoteRow({ note, actions, keywordId, withoutDay = false }: Props) {
  const { t } = useTranslation();
  const [editing, setEditing] = useState(false);
  const { canWrite, reason } = useWriteGuard();
  if (editing) {
    return (
      <NoteForm
        name={`note.${note.id}`}
        initial={note}
        keywordId={keywordId}
        saving={actions.change.isPending}
        onSave={(draft) =>
          actions.change.mutateAsync({ id: note.id, ...draft }).then(() => setEditing(false))
        }
        onCancel={() => setEditing(false)}
      />
    );
  }
  const about =
    note.keywordIds.length === 0
      ? t('note.wholeApp')
      : t('note.keywords', { count: note.keywordIds.length });
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
      <Tooltip label={reason ?? t('note.edit')}>
        <ActionIcon
          className="touch"
          variant="subtle"
          color="gray"
          aria-label={`${t('note.edit')}: ${note.text}`}
          data-disabled={!canWrite || undefined}
          aria-disabled={!canWrite}
          onClick={() => canWrite && setEditing(true)}
        >
          <Pencil size={15} aria-hidden />
        </ActionIcon>
      </Tooltip>
      <Tooltip label={reason ?? t('note.delete')}>
        <ActionIcon
          className="touch"
          variant="subtle"
          color="gray"
          aria-label={`${t('note.delete')}: ${note.text}`}
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
