import { SegmentedControl, Textarea } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { countCharacters } from '#lib/text.ts';
import { useSearchChoice } from '#web/search-value.ts';
import { FieldTags } from './field-tags.tsx';
import styles from './keyword-field-page.module.css';

const mostAsSent = 1_000;
const views = ['text', 'tags'] as const;

export interface FieldInputProps {
  text: string;
  onChange: (text: string) => void;
  disabled: boolean;
  error: string | undefined;
}

/** Edits the field as text or as tags. */
export function FieldInput(props: FieldInputProps) {
  const { t } = useTranslation();
  const [view, setView] = useSearchChoice('as', views);
  const change = (text: string) => countCharacters(text) <= mostAsSent && props.onChange(text);
  return (
    <div className={styles.input}>
      <SegmentedControl
        className={styles.views}
        size="xs"
        aria-label={t('keywordField.view')}
        value={view}
        onChange={setView}
        data={views.map((value) => ({ value, label: t(`keywordField.views.${value}`) }))}
      />
      {view === 'tags' ? (
        <FieldTags {...props} onChange={change} />
      ) : (
        <Textarea
          aria-label={t('keywordField.title')}
          value={props.text}
          autosize
          minRows={3}
          disabled={props.disabled}
          error={props.error}
          onChange={(event) => change(event.currentTarget.value)}
        />
      )}
    </div>
  );
}
