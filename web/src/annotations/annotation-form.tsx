import { Button, Checkbox, Textarea, TextInput } from '@mantine/core';
import { useId, useState, type FormEvent } from 'react';
import { useTranslation } from 'react-i18next';
import { firstDay } from '#lib/dates.ts';
import { isComposing } from '#web/keys/is-composing.ts';
import { useDraft, type DraftBase } from '#web/use-draft.ts';
import { useIsMounted } from '#web/use-is-mounted.ts';
import styles from './annotations.module.css';
import type { AnnotationDraft } from './save-annotation.ts';

interface Props {
  /** The key of the draft, which survives leaving the page. */
  name: string;
  initial: AnnotationDraft;
  /** The version of `initial`, if it is stored. */
  etag?: string | undefined;
  /** If set, the annotation can be limited to this keyword. */
  keywordId?: number | undefined;
  saving: boolean;
  /** Errors are shown by the caller. False: nothing was saved, and the form stays. */
  onSave: (note: AnnotationDraft, base: DraftBase) => Promise<unknown>;
  /** Not called once the form is gone: another one may be open by then. */
  onSaved: () => void;
  onCancel: () => void;
}

const maxCharacters = 500;

/** A day and a text. Escape closes the form. */
export function AnnotationForm({
  name,
  initial,
  etag,
  keywordId,
  saving,
  onSave,
  onSaved,
  onCancel,
}: Props) {
  const { t } = useTranslation();
  const isMounted = useIsMounted();
  const [date, setDate] = useState(initial.date);
  const draft = useDraft(name, initial.text, etag);
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
    const note = { date, text: text.trim(), keywordIds: isNarrow ? kept : [] };
    void onSave(note, draft.base).then(
      (saved) => {
        if (saved === false) return;
        draft.forget(text);
        if (isMounted()) onSaved();
      },
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
      onKeyDown={(event) => {
        // This Escape belongs to the input method, which drops the characters being composed.
        if (event.key === 'Escape' && !isComposing(event.nativeEvent)) cancel();
      }}
      noValidate
    >
      <TextInput
        className={styles.date}
        type="date"
        label={t('annotation.day')}
        value={date}
        min={firstDay}
        max="2999-12-31"
        error={tried && date === '' ? t('annotation.dayMissing') : undefined}
        onChange={(event) => setDate(event.currentTarget.value)}
      />
      <Textarea
        className={styles.text}
        label={t('annotation.text')}
        placeholder={t('annotation.example')}
        value={text}
        maxLength={maxCharacters}
        rows={2}
        data-autofocus
        autoFocus
        aria-describedby={hint}
        error={tried && text.trim() === '' ? t('annotation.textMissing') : undefined}
        onChange={(event) => draft.change(event.currentTarget.value)}
      />
      {(keywordId !== undefined || initial.keywordIds.length > 0) && (
        <Checkbox
          className={styles.narrow}
          label={t('annotation.onlyKeyword', { count: Math.max(1, initial.keywordIds.length) })}
          checked={isNarrow}
          onChange={(event) => setNarrow(event.currentTarget.checked)}
        />
      )}
      <div className={styles.buttons}>
        <Button type="submit" size="xs" className="touch" loading={saving}>
          {t('annotation.save')}
        </Button>
        <Button variant="default" size="xs" className="touch" onClick={cancel}>
          {t('common.cancel')}
        </Button>
        <span id={hint} className="muted num">
          {t('annotation.left', { count: maxCharacters - [...text].length })}
        </span>
      </div>
    </form>
  );
}
