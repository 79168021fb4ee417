import { Button, Select, Switch, TextInput } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { localesOf } from '#listing-files/locales.ts';
import type { Store } from '#web/api.ts';
import { Card } from '#web/components/card.tsx';
import { DataTable, type DataColumn } from '#web/components/data-table.tsx';
import { Loaded } from '#web/components/loaded.tsx';
import { showError } from '#web/components/toasts/toasts.tsx';
import { formatCountry } from '#web/format.ts';
import { useScope } from '#web/frame/use-scope.ts';
import { storefrontLocalesQuery, type StorefrontLocale } from '#web/queries/listing-drafts.ts';
import { useWriteAccess } from '#web/queries/write-guard.ts';
import styles from './listing-drafts-page.module.css';
import { readRow, saveRow, type RowFields } from './save-row.ts';

interface Change extends Pick<StorefrontLocale, 'country' | 'locale'> {
  /** The row that was seen; undefined for one that is added. */
  row?: StorefrontLocale;
  /** Null restores the shipped row. */
  set: RowFields | null;
}

/** The table of storefronts and their locales, with the workspace's own changes. */
export function StorefrontsCard({ store }: { store: Store }) {
  const { t } = useTranslation();
  const { country } = useScope();
  const queryClient = useQueryClient();
  const { canWrite, reason } = useWriteAccess();
  const query = useQuery(storefrontLocalesQuery(country));
  const change = useMutation({
    mutationFn: async ({ country: of, locale, row, set }: Change) =>
      saveRow(row ?? (await readRow(of, locale)), set),
    onError: showError,
    onSettled: () =>
      Promise.all([
        queryClient.invalidateQueries({ queryKey: ['storefront-locales'] }),
        queryClient.invalidateQueries({
          predicate: ({ queryKey }) => queryKey.includes('coverage-preview'),
        }),
      ]),
  });
  const columns: DataColumn<StorefrontLocale>[] = [
    {
      id: 'country',
      head: t('listingDrafts.storefront'),
      cell: (row) => formatCountry(row.country),
      sortBy: (row) => formatCountry(row.country),
      csv: (row) => row.country,
      isCsvOnly: country !== undefined,
    },
    {
      id: 'locale',
      head: t('listingDrafts.locale'),
      cell: (row) => <bdi>{row.locale}</bdi>,
      sortBy: (row) => row.locale,
    },
    {
      id: 'enabled',
      head: t('listingDrafts.counted'),
      cell: (row) => (
        <Switch
          aria-label={t('listingDrafts.countedOf', {
            locale: row.locale,
            country: formatCountry(row.country),
          })}
          checked={row.enabled}
          disabled={!canWrite}
          title={reason}
          onChange={({ currentTarget: { checked } }) =>
            change.mutate({ ...row, row, set: { enabled: checked, note: row.note } })
          }
        />
      ),
      sortBy: (row) => Number(!row.enabled),
      csv: (row) => Number(row.enabled),
    },
    {
      id: 'displays',
      head: t('listingDrafts.displays'),
      cell: (row) => (row.displays ? t(`listingDrafts.displaysAs.${row.displays}`) : '–'),
      sortBy: (row) => row.displays,
    },
    {
      id: 'claimed',
      head: t('listingDrafts.claimedBy'),
      cell: (row) => row.claimedBy.join(', ') || '–',
      csv: (row) => row.claimedBy.join(' '),
    },
    {
      id: 'denied',
      head: t('listingDrafts.deniedBy'),
      cell: (row) => row.deniedBy.join(', ') || '–',
      csv: (row) => row.deniedBy.join(' '),
    },
    {
      id: 'confidence',
      head: t('listingDrafts.confidence'),
      cell: (row) => t(`listingDrafts.confidences.${row.confidence ?? 'own'}`),
      sortBy: (row) => row.confidence,
    },
    {
      id: 'note',
      head: t('listingDrafts.note'),
      cell: (row) => (
        <span className={styles.note}>
          <bdi>{row.note}</bdi>
          {row.savedAt !== null && (
            <Button
              size="compact-xs"
              variant="default"
              className="touch"
              disabled={!canWrite}
              title={reason}
              aria-label={t('listingDrafts.restoreOf', {
                locale: row.locale,
                country: formatCountry(row.country),
              })}
              onClick={() => change.mutate({ ...row, row, set: null })}
            >
              {t('listingDrafts.restoreRow')}
            </Button>
          )}
        </span>
      ),
      csv: (row) => row.note ?? '',
    },
  ];
  return (
    <Card
      title={t('listingDrafts.storefronts')}
      lead={t('listingDrafts.storefrontsLead')}
      foldsLead
    >
      {country === undefined && <p className={styles.hint}>{t('listingDrafts.chooseCountry')}</p>}
      <Loaded query={query} height={480}>
        {({ items }) => (
          <DataTable
            label={t('listingDrafts.storefronts')}
            rows={items}
            columns={columns}
            keyOf={(row) => `${row.country} ${row.locale}`}
            fileName="storefront-locales"
          />
        )}
      </Loaded>
      {country !== undefined && (
        <AddRow
          key={country}
          store={store}
          country={country}
          disabled={!canWrite}
          onAdd={change.mutateAsync}
        />
      )}
    </Card>
  );
}

interface AddProps {
  store: Store;
  country: string;
  disabled: boolean;
  onAdd: (change: Change) => Promise<{ kind: string }>;
}

function AddRow({ store, country, disabled, onAdd }: AddProps) {
  const { t } = useTranslation();
  const [locale, setLocale] = useState<string | null>(null);
  const [note, setNote] = useState('');
  const add = async () => {
    if (locale === null) return;
    const set = { enabled: true, note: note.trim() || null };
    const added = await onAdd({ country, locale, set }).catch(() => null);
    if (added === null || added.kind === 'cancelled') return;
    setLocale(null);
    setNote('');
  };
  return (
    <div className={styles.addRow}>
      <Select
        aria-label={t('listingDrafts.locale')}
        placeholder={t('listingDrafts.addLocale')}
        searchable
        disabled={disabled}
        data={[...localesOf(store)]}
        value={locale}
        onChange={setLocale}
      />
      <TextInput
        aria-label={t('listingDrafts.note')}
        placeholder={t('listingDrafts.note')}
        maxLength={500}
        disabled={disabled}
        value={note}
        onChange={(event) => setNote(event.currentTarget.value)}
      />
      <Button
        className="touch"
        variant="default"
        disabled={disabled || locale === null}
        onClick={() => void add()}
      >
        {t('listingDrafts.addRow', { country: formatCountry(country) })}
      </Button>
    </div>
  );
}
