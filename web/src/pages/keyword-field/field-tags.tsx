import { Pill, TagsInput } from '@mantine/core';
import { useRef, type KeyboardEvent } from 'react';
import { useTranslation } from 'react-i18next';
import { splitNewTags } from '#web/components/split-new-tags.ts';
import type { FieldInputProps } from './field-input.tsx';
import styles from './keyword-field-page.module.css';
import { splitPhrases } from './normalise.ts';

/**
 * The row of tags is a single tab stop: arrow keys move between tags, and Alt with an arrow key
 * moves a tag.
 */
export function FieldTags({ text, onChange, disabled, error }: FieldInputProps) {
  const { t } = useTranslation();
  const input = useRef<HTMLInputElement>(null);
  return (
    <TagsInput
      ref={input}
      aria-label={t('keywordField.title')}
      description={t('keywordField.tagsHint')}
      inputWrapperOrder={['label', 'input', 'description', 'error']}
      value={splitPhrases(text)}
      onChange={(phrases) => onChange(splitNewTags(phrases, splitPhrases(text)).join(','))}
      splitChars={[',', '，', '\n', '\r']}
      allowDuplicates
      withPillsReorder
      disabled={disabled}
      error={error}
      renderPill={({ value, onRemove, reorderProps }) => {
        const remove = () => {
          onRemove?.();
          input.current?.focus();
        };
        const press = (event: KeyboardEvent<HTMLDivElement>) => {
          if (event.key === 'Delete' || event.key === 'Backspace') remove();
          else reorderProps?.onKeyDown?.(event);
        };
        return (
          <Pill
            {...reorderProps}
            className={styles.tag}
            disabled={disabled}
            withRemoveButton={!disabled}
            removeButtonProps={{
              'aria-hidden': undefined,
              'aria-label': t('keywordField.removeTag', { phrase: value }),
            }}
            onRemove={remove}
            onKeyDown={press}
          >
            <bdi>{value}</bdi>
          </Pill>
        );
      }}
    />
  );
}
