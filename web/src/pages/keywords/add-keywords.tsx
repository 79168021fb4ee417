import { TagsInput, Textarea } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { call } from '#web/api.ts';
import { CountryPicker } from '#web/components/country-picker.tsx';
import { ErrorNotice } from '#web/components/error-notice.tsx';
import { isTooLong, parsePhrases } from '#web/components/phrase-rules.ts';
import { useDraft } from '#web/use-draft.ts';
import { AdditionPreview } from './addition-preview.tsx';
import styles from './dialog.module.css';
import { DialogActions, DialogFrame } from './dialog.tsx';
import { useAddition } from './use-addition.ts';

interface Props {
  appId: number;
  initialCountries: string[];
  knownTags: string[];
  opened: boolean;
  onClose: () => void;
}

const batch = 200;

async function addInBatches(
  appId: number,
  pairs: { phrase: string; country: string }[],
  tags: string[],
) {
  let added = 0;
  let existing = 0;
  for (let at = 0; at < pairs.length; at += batch) {
    const keywords = pairs
      .slice(at, at + batch)
      .map((pair) => ({ ...pair, ...(tags.length > 0 && { tags }) }));
    const response = await call('POST /apps/{id}/keywords', {
      params: { id: appId },
      body: { keywords },
    });
    added += response.added.length;
    existing += response.existing.length;
  }
  return { added, existing };
}

function Form({ appId, initialCountries, knownTags, onClose }: Omit<Props, 'opened'>) {
  const { t } = useTranslation();
  const draft = useDraft(`add-keywords.${appId}`);
  const { text } = draft;
  const [countries, setCountries] = useState(initialCountries);
  const [tags, setTags] = useState<string[]>([]);
  const phrases = parsePhrases(text);
  const tooLong = phrases.filter(isTooLong);
  const [asked] = useDebouncedValue({ phrases, countries }, 350);
  const isReady =
    asked.phrases.length > 0 && asked.countries.length > 0 && !asked.phrases.some(isTooLong);
  const pairs = phrases.flatMap((phrase) => countries.map((country) => ({ phrase, country })));
  const add = useAddition(
    () => addInBatches(appId, pairs, tags),
    () => {
      draft.forget();
      onClose();
    },
  );
  const total = pairs.length;
  return (
    <form
      className={styles.form}
      onSubmit={(event) => {
        event.preventDefault();
        add.mutate();
      }}
    >
      <Textarea
        label={t('add.phrases')}
        description={t('add.phrasesHint')}
        placeholder={t('add.phrasesExample')}
        autosize
        minRows={6}
        maxRows={12}
        value={text}
        onChange={(event) => draft.change(event.currentTarget.value)}
        error={
          tooLong.length > 0
            ? t('add.tooLong', { count: tooLong.length, phrase: tooLong[0]!.slice(0, 60) })
            : null
        }
        data-autofocus
      />
      <CountryPicker label={t('add.countries')} value={countries} onChange={setCountries} />
      <TagsInput
        label={t('add.tags')}
        value={tags}
        onChange={setTags}
        data={knownTags}
        maxTags={20}
        maxLength={40}
        clearable
        clearButtonProps={{ 'aria-label': t('add.clearTags') }}
      />
      <AdditionPreview appId={appId} body={isReady ? asked : null} />
      {add.error && <ErrorNotice error={add.error} />}
      <DialogActions
        submit={total > 0 ? t('add.submit', { count: total }) : t('add.submitEmpty')}
        isReady={total > 0 && tooLong.length === 0}
        isPending={add.isPending}
        onClose={onClose}
      />
    </form>
  );
}

export function AddKeywords({ opened, onClose, ...rest }: Props) {
  const { t } = useTranslation();
  return (
    <DialogFrame title={t('add.title')} opened={opened} onClose={onClose}>
      <Form {...rest} onClose={onClose} />
    </DialogFrame>
  );
}
