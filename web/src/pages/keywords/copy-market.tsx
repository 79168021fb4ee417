import { Select } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { call, type Keyword } from '#web/api.ts';
import { CountryPicker } from '#web/components/country-picker.tsx';
import { ErrorNotice } from '#web/components/error-notice.tsx';
import { formatCount, formatCountry } from '#web/format.ts';
import { AdditionPreview } from './addition-preview.tsx';
import styles from './dialog.module.css';
import { DialogActions, DialogFrame } from './dialog.tsx';
import { useAddition } from './use-addition.ts';

interface Props {
  appId: number;
  keywords: readonly Keyword[];
  initialCountry: string | undefined;
  knownTags: string[];
  opened: boolean;
  onClose: () => void;
}

/** The limit of the API. */
const maxKeywords = 200;
const maxCountries = 10;

/** The countries with tracked keywords, largest first. */
function countByCountry(keywords: readonly Keyword[]): { country: string; count: number }[] {
  const groups = Map.groupBy(keywords, ({ country }) => country);
  return [...groups]
    .map(([country, rows]) => ({ country, count: rows.length }))
    .toSorted((a, b) => b.count - a.count);
}

function Form({ appId, keywords, initialCountry, knownTags, onClose }: Omit<Props, 'opened'>) {
  const { t } = useTranslation();
  const markets = useMemo(
    () => countByCountry(keywords.filter(({ paused }) => !paused)),
    [keywords],
  );
  const [from, setFrom] = useState(
    (markets.find(({ country }) => country === initialCountry) ?? markets[0])?.country ?? '',
  );
  const [to, setTo] = useState<string[]>([]);
  const [tag, setTag] = useState('');
  const copied = keywords.filter(
    (keyword) =>
      keyword.country === from && !keyword.paused && (!tag || keyword.tags.includes(tag)),
  );
  const requested = to.flatMap((country) =>
    copied.map(({ phrase, device, depth, tags }) => ({ phrase, country, device, depth, tags })),
  );
  const isTooMany = requested.length > maxKeywords;
  const isReady = requested.length > 0 && !isTooMany;
  const [asked] = useDebouncedValue(isReady ? requested : null, 350);
  const copy = useAddition({
    async add() {
      const body = { fromCountry: from, toCountries: to, onlyTag: tag || undefined };
      const { added, existing } = await call('POST /apps/{id}/keywords/copy-market', {
        params: { id: appId },
        body,
      });
      return { added: added.length, existing: existing.length };
    },
    onClose,
  });
  return (
    <form
      className={styles.form}
      onSubmit={(event) => {
        event.preventDefault();
        copy.mutate();
      }}
    >
      <p className="muted">{t('copy.lead')}</p>
      <Select
        label={t('copy.from')}
        data={markets.map(({ country, count }) => ({
          value: country,
          label: `${formatCountry(country)} · ${formatCount(count)}`,
        }))}
        value={from}
        onChange={(value) => {
          setFrom(value ?? '');
          setTo(to.filter((country) => country !== value));
        }}
        allowDeselect={false}
        searchable
        data-autofocus
      />
      <CountryPicker
        label={t('copy.to')}
        value={to}
        onChange={setTo}
        without={from}
        most={maxCountries}
      />
      {knownTags.length > 0 && (
        <Select
          label={t('copy.tag')}
          data={[
            { value: '', label: t('toolbar.anyTag') },
            ...knownTags.map((value) => ({ value, label: value })),
          ]}
          value={tag}
          onChange={(value) => setTag(value ?? '')}
          allowDeselect={false}
        />
      )}
      {copied.length === 0 && <p className={styles.fault}>{t('copy.nothing')}</p>}
      {isTooMany && (
        <p className={styles.fault}>
          {t('copy.tooMany', { shown: formatCount(requested.length), most: maxKeywords })}
        </p>
      )}
      <AdditionPreview appId={appId} body={isReady && asked ? { keywords: asked } : null} />
      {copy.error && <ErrorNotice error={copy.error} />}
      <DialogActions
        submit={isReady ? t('copy.submit', { count: requested.length }) : t('copy.submitEmpty')}
        isReady={isReady}
        isPending={copy.isPending}
        onClose={onClose}
      />
    </form>
  );
}

/** Copies the tracked keywords of one country to others. */
export function CopyMarket({ opened, onClose, ...rest }: Props) {
  const { t } = useTranslation();
  return (
    <DialogFrame title={t('copy.title')} opened={opened} onClose={onClose}>
      <Form {...rest} onClose={onClose} />
    </DialogFrame>
  );
}
