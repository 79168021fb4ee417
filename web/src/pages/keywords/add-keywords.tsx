import { Button, TagsInput, Textarea } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { call } from '#web/api.ts';
import { rememberCountries } from '#web/components/country-sets.ts';
import { CountrySetButtons } from '#web/components/country-set-buttons.tsx';
import { CountryPicker } from '#web/components/country-picker.tsx';
import { DevicePicker } from '#web/components/device-picker.tsx';
import { ErrorNotice } from '#web/components/error-notice.tsx';
import { describeError } from '#web/describe-error.ts';
import { describeTooLong } from '#web/components/describe-too-long.ts';
import { isTooLong, parsePhrases } from '#web/components/phrase-rules.ts';
import { splitNewTags } from '#web/components/split-new-tags.ts';
import { useCurrentApp } from '#web/frame/current-app.ts';
import { useDraft } from '#web/use-draft.ts';
import { listDeviceIds } from '#stores/profiles.ts';
import { AdditionPreview, usePreviewError } from './addition-preview.tsx';
import styles from './dialog.module.css';
import { DialogActions, DialogFrame } from './dialog.tsx';
import { useAddition } from './use-addition.ts';

interface Props {
  appId: number;
  initialCountries: string[];
  /** Instead of the first device of the store. */
  initialDevice: string | undefined;
  knownTags: string[];
  opened: boolean;
  onClose: () => void;
}

/** The limit of the API. */
const batch = 200;

/** Calls `onAdded` with the number added so far, because batches before a failed one stay. */
async function addInBatches(
  appId: number,
  markets: { phrase: string; country: string; device: string }[],
  tags: string[],
  onAdded: (added: number) => void,
) {
  let added = 0;
  let existing = 0;
  for (let at = 0; at < markets.length; at += batch) {
    const keywords = markets
      .slice(at, at + batch)
      .map((market) => ({ ...market, ...(tags.length > 0 && { tags }) }));
    const response = await call('POST /apps/{id}/keywords', {
      params: { id: appId },
      body: { keywords },
    });
    added += response.added.length;
    existing += response.existing.length;
    onAdded(added);
  }
  return { added, existing };
}

/** The devices of the app's store and the chosen ones, in the order of the store. */
function useChosenDevices(initial: string | undefined) {
  const app = useCurrentApp();
  const devices = app ? listDeviceIds(app.store) : [];
  const [picked, setChosen] = useState<string[] | null>(null);
  const usual = [initial ?? devices[0] ?? ''];
  return { devices, chosen: devices.filter((id) => (picked ?? usual).includes(id)), setChosen };
}

function Form({
  appId,
  initialCountries,
  initialDevice,
  knownTags,
  onClose,
}: Omit<Props, 'opened'>) {
  const { t } = useTranslation();
  const draft = useDraft(`add-keywords.${appId}`);
  const { text } = draft;
  const field = useRef<HTMLTextAreaElement>(null);
  const [countries, setCountries] = useState(initialCountries);
  const { devices, chosen, setChosen } = useChosenDevices(initialDevice);
  const [tags, setTags] = useState<string[]>([]);
  const phrases = parsePhrases(text);
  const tooLong = phrases.filter(isTooLong);
  const [asked] = useDebouncedValue({ phrases, countries, devices: chosen }, 350);
  const isReady =
    Object.values(asked).every((list) => list.length > 0) && !asked.phrases.some(isTooLong);
  const markets = phrases.flatMap((phrase) =>
    countries.flatMap((country) => chosen.map((device) => ({ phrase, country, device }))),
  );
  const [added, setAdded] = useState(0);
  const add = useAddition({
    add: () => addInBatches(appId, markets, tags, setAdded),
    onDone(sent: { text: string; countries: string[] }) {
      draft.forget(sent.text);
      rememberCountries(sent.countries);
    },
    onClose,
  });
  const total = markets.length;
  // What was refused for the plan is refused again until it is less.
  const [tried, setTried] = useState(0);
  const isPreviewed = total <= batch && countMarkets(asked) <= batch;
  const body = isReady && isPreviewed ? asked : null;
  const refusal = usePreviewError({ appId, body });
  const isOverQuota = isQuota(refusal) || (isQuota(add.error) && total >= tried);
  return (
    <form
      className={styles.form}
      onSubmit={(event) => {
        event.preventDefault();
        setTried(total);
        setAdded(0);
        add.mutate({ text, countries });
      }}
    >
      <Textarea
        ref={field}
        label={t('add.phrases')}
        description={t('add.phrasesHint')}
        placeholder={t('add.phrasesExample')}
        autosize
        minRows={6}
        maxRows={12}
        value={text}
        onChange={(event) => draft.change(event.currentTarget.value)}
        error={describeTooLong(phrases, t)}
        data-autofocus
      />
      {tooLong.length > 0 && (
        <Button
          variant="default"
          size="xs"
          className="touch"
          style={{ justifySelf: 'start' }}
          onClick={() => {
            draft.change(phrases.filter((phrase) => !isTooLong(phrase)).join('\n'));
            field.current?.focus();
          }}
        >
          {t('add.leaveOut', { count: tooLong.length })}
        </Button>
      )}
      <CountryPicker label={t('add.countries')} value={countries} onChange={setCountries} />
      <CountrySetButtons label={t('add.lastCountries')} value={countries} onChange={setCountries} />
      {devices.length > 1 && (
        <DevicePicker
          label={t('add.devices')}
          description={t('add.devicesHint')}
          devices={devices}
          value={chosen}
          onChange={setChosen}
        />
      )}
      <TagsInput
        label={t('add.tags')}
        value={tags}
        onChange={(names) => setTags(splitNewTags(names, tags))}
        data={knownTags}
        maxTags={20}
        maxLength={40}
        clearable
        clearButtonProps={{ 'aria-label': t('add.clearTags') }}
      />
      {total <= batch ? (
        <AdditionPreview appId={appId} body={body} />
      ) : (
        <p className="muted">{t('add.noPreview', { most: batch })}</p>
      )}
      {add.error && codeOf(add.error) !== codeOf(refusal) && (
        <ErrorNotice
          error={add.error}
          remedy={added > 0 ? t('add.partly', { count: added }) : undefined}
        />
      )}
      <DialogActions
        submit={total > 0 ? t('add.submit', { count: total }) : t('add.submitEmpty')}
        isReady={total > 0 && tooLong.length === 0 && !isOverQuota}
        isPending={add.isPending}
        onClose={onClose}
      />
    </form>
  );
}

const countMarkets = (of: Readonly<Record<'phrases' | 'countries' | 'devices', string[]>>) =>
  of.phrases.length * of.countries.length * of.devices.length;

const codeOf = (error: Error | null) => error && describeError(error).code;
const isQuota = (error: Error | null): boolean => codeOf(error)?.startsWith('quota_') ?? false;

export function AddKeywords({ opened, onClose, ...rest }: Props) {
  const { t } = useTranslation();
  return (
    <DialogFrame title={t('add.title')} opened={opened} onClose={onClose}>
      <Form {...rest} onClose={onClose} />
    </DialogFrame>
  );
}
