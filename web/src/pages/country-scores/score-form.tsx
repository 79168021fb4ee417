import { Button, SegmentedControl, Textarea, Tooltip } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { keepPreviousData, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { call } from '#web/api.ts';
import { Card } from '#web/components/card.tsx';
import { CountryPicker } from '#web/components/country-picker.tsx';
import { CountrySetButtons } from '#web/components/country-set-buttons.tsx';
import { rememberCountries, useCountrySets } from '#web/components/country-sets.ts';
import { ErrorNotice } from '#web/components/error-notice.tsx';
import { isTooLong, parsePhrases } from '#web/components/phrase-rules.ts';
import { showSuccess } from '#web/components/toasts/toasts.tsx';
import type { CountryScoresBody } from '#web/queries/country-scores.ts';
import { useWriteAccess } from '#web/queries/write-guard.ts';
import { useDraft } from '#web/use-draft.ts';
import { useErrorAfterLeaving } from '#web/use-error-after-leaving.ts';
import styles from './country-scores-page.module.css';
import { ScoreCost } from './score-cost.tsx';

interface Props {
  appId: number;
  device: string;
  /** From the address, for example from a keyword. */
  phrase: string;
  /** Rows that a job has still to score: the cost depends on them. */
  waiting: number;
}

const sources = ['typed', 'tracked'] as const;

/** Chooses phrases and countries, and shows the cost before anything is requested. */
export function ScoreForm({ appId, device, phrase, waiting }: Props) {
  const { t } = useTranslation();
  const { canWrite, reason } = useWriteAccess();
  const draft = useDraft(`country-scores.${appId}.${phrase}`, phrase);
  const [source, setSource] = useState<(typeof sources)[number]>('typed');
  const lastSet = useCountrySets()[0] ?? [];
  const [countries, setCountries] = useState<string[]>(lastSet);
  const phrases = parsePhrases(draft.text);
  const tooLong = phrases.filter(isTooLong);
  const isReady =
    countries.length > 0 && (source === 'tracked' || (phrases.length > 0 && tooLong.length === 0));
  const body: CountryScoresBody = {
    phrases: source === 'tracked' ? 'tracked' : phrases,
    countries,
    device,
  };
  const preview = usePreview(appId, body, { isReady, waiting });
  const cost = isReady ? preview.data?.cost : undefined;
  const start = useStart(appId, () => rememberCountries(countries));
  const isOver = !!cost?.allowance && cost.allowance.used + cost.toScore > cost.allowance.limit;
  return (
    <Card title={t('countryScores.form')} lead={t('countryScores.formLead')}>
      <form
        className={styles.form}
        onSubmit={(event) => {
          event.preventDefault();
          if (canWrite && isReady && !isOver) start.mutate(body);
        }}
      >
        <div className={styles.phrases}>
          <SegmentedControl
            size="xs"
            aria-label={t('countryScores.source')}
            value={source}
            onChange={(value) => setSource(value)}
            data={sources.map((value) => ({ value, label: t(`countryScores.source.${value}`) }))}
          />
          {source === 'typed' && (
            <Textarea
              label={t('countryScores.phrases')}
              description={t('countryScores.phrasesHint')}
              autosize
              minRows={2}
              maxRows={8}
              value={draft.text}
              onChange={(event) => draft.change(event.currentTarget.value)}
              error={
                tooLong.length > 0
                  ? t('countryScores.tooLong', {
                      count: tooLong.length,
                      phrase: tooLong[0]!.slice(0, 60),
                    })
                  : null
              }
            />
          )}
        </div>
        <div className={styles.countries}>
          <CountryPicker
            label={t('countryScores.countries')}
            value={countries}
            onChange={setCountries}
          />
          <CountrySetButtons
            label={t('countryScores.lastCountries')}
            value={countries}
            onChange={setCountries}
          />
        </div>
        <div className={styles.submit}>
          <ScoreCost cost={cost} isPending={preview.isFetching} isOver={isOver} />
          <Tooltip label={reason} disabled={canWrite}>
            <Button
              className="touch"
              type="submit"
              loading={start.isPending}
              disabled={!isReady || isOver}
              aria-disabled={!canWrite || undefined}
            >
              {t('countryScores.submit', { count: cost?.toScore ?? 0 })}
            </Button>
          </Tooltip>
        </div>
        {isReady && preview.error && !preview.isPlaceholderData && (
          <ErrorNotice error={preview.error} />
        )}
        {start.error && <ErrorNotice error={start.error} />}
      </form>
    </Card>
  );
}

function usePreview(
  appId: number,
  body: CountryScoresBody,
  { isReady, waiting }: { isReady: boolean; waiting: number },
) {
  const queryClient = useQueryClient();
  useEffect(() => {
    void queryClient.invalidateQueries({ queryKey: ['apps', appId, 'country-scores-preview'] });
  }, [queryClient, appId, waiting]);
  // As text, because an object is another one with each rendering.
  const [text] = useDebouncedValue(JSON.stringify(body), 350);
  const requested = JSON.parse(text) as CountryScoresBody;
  return useQuery({
    queryKey: ['apps', appId, 'country-scores-preview', requested],
    queryFn: ({ signal }) =>
      call(
        'POST /apps/{id}/country-scores/preview',
        { params: { id: appId }, body: requested },
        signal,
      ),
    enabled: isReady && requested.countries.length > 0 && requested.phrases.length > 0,
    placeholderData: keepPreviousData,
    retry: false,
  });
}

function useStart(appId: number, onStarted: () => void) {
  const { t } = useTranslation();
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (body: CountryScoresBody) =>
      call('POST /apps/{id}/country-scores', { params: { id: appId }, body }),
    onSuccess: ({ job, cost }) => {
      onStarted();
      showSuccess(
        job === null
          ? t('countryScores.allKnown')
          : t('countryScores.started', { count: cost.toScore }),
      );
    },
    onError: useErrorAfterLeaving(),
    onSettled: () => {
      for (const list of ['country-scores', 'country-scores-preview'])
        void queryClient.invalidateQueries({ queryKey: ['apps', appId, list] });
      void queryClient.invalidateQueries({ queryKey: ['jobs'] });
    },
  });
}
