import { Button, Select, Skeleton, TextInput } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { Link2 } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { profileOf, storeProfiles } from '#stores/profiles.ts';
import { call, type Listing, type Store } from '#web/api.ts';
import { ErrorNotice } from '#web/components/error-notice.tsx';
import { isApiError } from '#web/describe-error.ts';
import { useCountryGroups } from '#web/components/use-country-groups.ts';
import { useWriteAccess } from '#web/queries/write-guard.ts';
import { guessCountry } from './browser-country.ts';
import { Found } from './found-apps.tsx';
import { ListingCard } from './listing-card.tsx';
import { searchByName } from './search-by-name.ts';
import styles from './steps.module.css';
import {
  namesCountry,
  readInput,
  pickInitialPhrases,
  type useWizardState,
} from './wizard-state.ts';

type LookupQuery =
  | { url: string; country?: string }
  | { store: Store; id: string; country: string };

export function AppStep({ state, change }: ReturnType<typeof useWizardState>) {
  const { t } = useTranslation();
  const queryClient = useQueryClient();
  const { canWrite, reason } = useWriteAccess();
  const take = (listing: Listing) =>
    change({
      listing,
      appId: listing.tracked,
      countries: [...new Set([listing.country, ...state.countries])],
      ...pickInitialPhrases(listing),
    });
  const lookup = useMutation({
    mutationFn: (query: LookupQuery) => call('GET /store/apps/lookup', { query: query }),
    onSuccess: take,
  });
  const search = useMutation({ mutationFn: searchByName });
  const add = useMutation({
    mutationFn: ({ store, storeAppId, country }: Listing) =>
      call('POST /apps', { body: { store, storeAppId, lookupCountry: country } }),
    onSuccess: ({ app }) => {
      void queryClient.invalidateQueries({ queryKey: ['apps'] });
      change({ appId: app.id, step: 'countries' });
    },
  });
  const country = state.country ?? guessCountry();
  // Addresses are accepted without their protocol, and the field of a phone is short.
  const example = storeProfiles[0]?.appAddress.example.replace('https://', '');
  const find = () => {
    const input = readInput(state.input);
    // Clears the country that came with the previous app.
    change({
      listing: null,
      countries: state.countries.filter((code) => code !== state.listing?.country),
    });
    lookup.reset();
    search.reset();
    if (input.kind === 'name') search.mutate({ term: input.value, country });
    else if (input.kind === 'id') lookup.mutate({ store: input.store, id: input.value, country });
    else
      lookup.mutate(
        namesCountry(input.value) ? { url: input.value } : { url: input.value, country },
      );
  };
  const error = lookup.error ?? search.error;
  const isBusy = lookup.isPending || search.isPending;
  const results = state.listing || isBusy ? undefined : search.data;
  const failed = error ? [] : (results?.failed ?? []);
  return (
    <div className={styles.stack}>
      <form
        className={styles.finder}
        onSubmit={(event) => {
          event.preventDefault();
          if (canWrite && state.input.trim()) find();
        }}
      >
        <TextInput
          className={styles.grow}
          size="md"
          label={t('welcome.app.label')}
          placeholder={example}
          leftSection={<Link2 size={17} aria-hidden />}
          value={state.input}
          maxLength={2_000}
          autoFocus
          autoComplete="off"
          spellCheck={false}
          onChange={(event) => change({ input: event.currentTarget.value })}
        />
        <Select
          className={styles.store}
          size="md"
          label={t('welcome.app.country')}
          data={useCountryGroups()}
          value={country}
          onChange={(value) => change({ country: value })}
          allowDeselect={false}
          searchable
          nothingFoundMessage={t('countries.none')}
        />
        <Button
          type="submit"
          size="md"
          loading={isBusy}
          disabled={!canWrite}
          title={reason}
          variant={state.listing ? 'default' : 'filled'}
        >
          {t('welcome.app.find')}
        </Button>
      </form>
      {isBusy && <Skeleton height={104} radius={14} />}
      {error && !isBusy && (
        <ErrorNotice
          error={error}
          onRetry={find}
          {...(isApiError(error, 'invalid_request') && {
            title: t('welcome.app.wrongTitle'),
            remedy: t('welcome.app.hint'),
          })}
        />
      )}
      {failed.length > 0 && (
        <ErrorNotice
          error={failed[0]!.error}
          onRetry={() => search.mutate(search.variables!)}
          title={t('welcome.app.failed', {
            store: failed.map(({ store }) => profileOf(store).name).join(', '),
          })}
        />
      )}
      {results && (results.found.length > 0 || failed.length === 0) && (
        <Found
          apps={results.found}
          country={search.variables!.country}
          onPick={(app) =>
            lookup.mutate({
              store: app.store,
              id: app.storeAppId,
              country: search.variables!.country,
            })
          }
        />
      )}
      {state.listing && !isBusy && (
        <>
          <ListingCard listing={state.listing} />
          {add.error && (
            <ErrorNotice error={add.error} onRetry={() => add.mutate(state.listing!)} isWrite />
          )}
          {reason && <p className={styles.hint}>{reason}</p>}
          <div className={styles.actions}>
            <Button
              size="md"
              disabled={!canWrite}
              title={reason}
              loading={add.isPending}
              autoFocus
              onClick={() =>
                state.listing!.tracked
                  ? change({ appId: state.listing!.tracked, step: 'countries' })
                  : add.mutate(state.listing!)
              }
            >
              {t('welcome.app.confirm')}
            </Button>
          </div>
        </>
      )}
      {!state.listing && !isBusy && !error && !search.data && (
        <p className={styles.hint}>{reason ?? t('welcome.app.hint')}</p>
      )}
    </div>
  );
}
