import { Button, Checkbox, TextInput } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { keepPreviousData, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Plus } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { call } from '#web/api.ts';
import { CostLine } from '#web/components/cost-line.tsx';
import { ErrorNotice } from '#web/components/error-notice.tsx';
import { describeTooLong } from '#web/components/describe-too-long.ts';
import { parsePhrases } from '#web/components/phrase-rules.ts';
import { formatDecimal } from '#web/format.ts';
import { keywordPagesQuery } from '#web/queries/keywords.ts';
import { useWriteAccess } from '#web/queries/write-guard.ts';
import { most, requestPrices } from './request-prices.ts';
import styles from './steps.module.css';
import type { useWizardState } from './wizard-state.ts';

const sources = ['title', 'subtitle', 'summary', 'category', 'description'] as const;

export function KeywordsStep({ state, change }: ReturnType<typeof useWizardState>) {
  const { t } = useTranslation();
  const queryClient = useQueryClient();
  const { canWrite, reason } = useWriteAccess();
  const [text, setText] = useState('');
  const { phrases, ticked, countries } = state;
  const appId = state.appId ?? 0;
  const [asked] = useDebouncedValue({ phrases: ticked, countries }, 250);
  const preview = useQuery({
    queryKey: ['apps', appId, 'preview', asked],
    queryFn: ({ signal }) =>
      call('POST /apps/{id}/keywords/preview', { params: { id: appId }, body: asked }, signal),
    enabled: asked.phrases.length > 0 && countries.length > 0,
    placeholderData: keepPreviousData,
    retry: false,
  });
  // Costs are requested once for all phrases, so that selecting does not make them flicker.
  const prices = useQuery({
    queryKey: ['apps', appId, 'prices', phrases.map(({ phrase }) => phrase), countries],
    queryFn: ({ signal }) =>
      requestPrices(
        appId,
        phrases.map(({ phrase }) => phrase),
        countries,
        signal,
      ),
    enabled: phrases.length > 0 && countries.length > 0,
    placeholderData: keepPreviousData,
    staleTime: 300_000,
    retry: false,
  });
  // All phrases may be more than the plan allows, and those that are selected not.
  const priced = prices.data ?? preview.data?.items ?? [];
  const formatCost = (phrase: string): string => {
    const own = priced.filter((item) => item.phrase === phrase.toLowerCase());
    if (own.length === 0) return '';
    const cost = own.reduce((sum, item) => sum + item.requestsPerDay, 0);
    return cost > 0
      ? t('welcome.keywords.cost', { count: cost, shown: formatDecimal(cost) })
      : t('welcome.keywords.free');
  };
  const add = useMutation({
    mutationFn: () =>
      call('POST /apps/{id}/keywords', {
        params: { id: appId },
        body: { phrases: ticked, countries },
      }),
    onSuccess({ added, existing }) {
      void queryClient.invalidateQueries({ queryKey: ['apps'] });
      void queryClient.invalidateQueries({ queryKey: ['budget'] });
      // A list that was read before has none of the added ones, as if they had been removed.
      queryClient.removeQueries({ queryKey: keywordPagesQuery(appId).queryKey });
      change({ addedIds: [...added, ...existing].map((keyword) => keyword.id), step: 'positions' });
    },
  });
  const tooLong = describeTooLong(parsePhrases(text), t);
  const toggle = (phrase: string) =>
    change({
      ticked: ticked.includes(phrase)
        ? ticked.filter((other) => other !== phrase)
        : [...ticked, phrase],
    });
  const addOwn = () => {
    const own = parsePhrases(text);
    const fresh = own.filter((phrase) => !phrases.some((known) => known.phrase === phrase));
    change({
      phrases: [...fresh.map((phrase) => ({ phrase, source: 'own' })), ...phrases],
      ticked: [...new Set([...ticked, ...own])],
    });
    setText('');
  };
  const total = ticked.length * countries.length;
  return (
    <div className={styles.stack}>
      <form
        className={styles.finder}
        onSubmit={(event) => {
          event.preventDefault();
          addOwn();
        }}
      >
        <TextInput
          className={styles.grow}
          label={t('welcome.keywords.own')}
          placeholder={t('welcome.keywords.ownExample')}
          value={text}
          onChange={(event) => setText(event.currentTarget.value)}
          error={tooLong}
        />
        <Button
          type="submit"
          variant="default"
          disabled={!text.trim() || tooLong !== null}
          leftSection={<Plus size={15} aria-hidden />}
        >
          {t('welcome.keywords.addOwn')}
        </Button>
      </form>
      {phrases.length > 0 && (
        <fieldset className={styles.phrases}>
          <legend className="sr-only">{t('welcome.keywords.offered')}</legend>
          {phrases.map(({ phrase, source }) => {
            const known = sources.find((name) => name === source);
            return (
              <label
                key={phrase}
                className={styles.phrase}
                data-on={ticked.includes(phrase) || undefined}
              >
                <Checkbox
                  checked={ticked.includes(phrase)}
                  onChange={() => toggle(phrase)}
                  aria-label={phrase}
                />
                <bdi className={styles.phraseText}>{phrase}</bdi>
                <span className={styles.source}>{t(known ? `source.${known}` : 'source.own')}</span>
                <span className={styles.price}>{formatCost(phrase)}</span>
              </label>
            );
          })}
        </fieldset>
      )}
      <div className={styles.summary}>
        {preview.error && !preview.isFetching ? (
          <ErrorNotice error={preview.error} onRetry={() => void preview.refetch()} />
        ) : (
          <CostLine
            delta={total > 0 ? preview.data?.budgetDelta : undefined}
            pending={preview.isFetching}
          />
        )}
        {total > most && (
          <p role="alert">{t('welcome.keywords.tooMany', { count: total, most })}</p>
        )}
      </div>
      {add.error && <ErrorNotice error={add.error} onRetry={() => add.mutate()} isWrite />}
      <div className={styles.actions}>
        <Button
          variant="subtle"
          color="gray"
          size="md"
          onClick={() => change({ step: 'countries' })}
        >
          {t('common.back')}
        </Button>
        <Button
          size="md"
          disabled={!canWrite || total === 0 || total > most}
          title={reason}
          loading={add.isPending}
          onClick={() => add.mutate()}
        >
          {total > 0 ? t('welcome.keywords.submit', { count: total }) : t('add.submitEmpty')}
        </Button>
      </div>
    </div>
  );
}
