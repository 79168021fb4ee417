import { Button, Checkbox, Textarea, TextInput } from '@mantine/core';
import { useId, useState, type FormEvent } from 'react';
import { useTranslation } from 'react-i18next';
import { useDraft } from '../../use-draft.ts';
import styles from './notes.module.css';
import type { NoteDraft } from './use-notes.ts';

interface Props {
  /** Under which its words outlive the page. */
  name: string;
  initial: NoteDraft;
  /** With it a note may be about this keyword alone. */
  keywordId?: number | undefined;
  saving: boolean;
  /** Refusals are told where they come from. */
  onSave: (note: NoteDraft) => Promise<unknown>;
  onCancel: () => void;
}

const mostCharacters = 500;

/** A day and what happened on it; Escape puts it away. */
export function NoteForm({ name, initial, keywordId, saving, onSave, onCancel }: Props) {
  const { t } = useTranslation();
  const [date, setDate] = useState(initial.date);
  const draft = useDraft(name, initial.text);
  const { text } = draft;
  const [isNarrow, setNarrow] = useState(initial.keywordIds.length > 0);
  const [tried, setTried] = useState(false);
  const hint = useId();
  const isReady = date !== '' && text.trim() !== '';
  const save = (event: FormEvent) => {
    event.preventDefault();
    setTried(true);
    const kept =
      initial.keywordIds.length > 0
        ? initial.keywordIds
        : keywordId === undefined
          ? []
          : [keywordId];
    if (!isReady || saving) return;
    void onSave({ date, text: text.trim(), keywordIds: isNarrow ? kept : [] }).then(
      () => draft.forget(text),
      () => undefined,
    );
  };
  const cancel = () => {
    draft.forget();
    onCancel();
  };
  return (
    <form
      className={styles.form}
      onSubmit={save}
      onKeyDown={(event) => event.key === 'Escape' && cancel()}
      noValidate
    >
      <TextInput
        className={styles.date}
        type="date"
        label={t('note.day')}
        value={date}
        min="2000-01-01"
        max="2999-12-31"
        error={tried && date === '' ? t('note.dayMissing') : undefined}
        onChange={(event) => setDate(event.currentTarget.value)}
      />
      <Textarea
        className={styles.text}
        label={t('note.text')}
        placeholder={t('note.example')}
        value={text}
        maxLength={mostCharacters}
        rows={2}
        data-autofocus
        autoFocus
        aria-describedby={hint}
        error={tried && text.trim() === '' ? t('note.textMissing') : undefined}
        onChange={(event) => draft.change(event.currentTarget.value)}
      />
      {(keywordId !== undefined || initial.keywordIds.length > 0) && (
        <Checkbox
          className={styles.narrow}
          label={t('note.onlyKeyword', { count: Math.max(1, initial.keywordIds.length) })}
          checked={isNarrow}
          onChange={(event) => setNarrow(event.currentTarget.checked)}
        />
      )}
      <div className={styles.buttons}>
        <Button type="submit" size="xs" className="touch" loading={saving}>
          {t('note.save')}
        </Button>
        <Button variant="default" size="xs" className="touch" onClick={cancel}>
          {t('common.cancel')}
        </Button>
        <span id={hint} className="muted num">
          {t('note.left', { count: mostCharacters - [...text].length })}
        </span>
      </div>
    </form>
  );
}
