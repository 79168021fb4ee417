import { Button } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { call } from '#web/api.ts';
import { Card } from '#web/components/card.tsx';
import { ConfirmButton } from '#web/components/confirm-button.tsx';
import { DataTable } from '#web/components/data-table.tsx';
import { formatPeriod } from '#web/components/format-period.ts';
import { Loaded } from '#web/components/loaded.tsx';
import { State } from '#web/components/state.tsx';
import { showError } from '#web/components/toasts/toasts.tsx';
import { formatCount, formatCountry, formatInstant } from '#web/format.ts';
import { popularitySyncQuery, type PopularitySync } from '#web/queries/popularity-sync.ts';
import { useWriteAccess } from '#web/queries/write-guard.ts';
import { PopularityKeyForm } from './popularity-key-form.tsx';
import { PopularityQuarantine } from './popularity-quarantine.tsx';
import styles from './settings-page.module.css';

const tones = {
  off: 'off',
  waiting: 'good',
  due: 'busy',
  running: 'busy',
  retrying: 'warn',
  stopped: 'bad',
} as const;

/** The key of the Apple Ads Platform API, the weekly sync with it, and its quarantine. */
export function PopularitySyncCard() {
  const { t } = useTranslation();
  const query = useQuery(popularitySyncQuery);
  return (
    <>
      <Card title={t('popularitySync.title')} lead={t('popularitySync.lead')}>
        <Loaded query={query} height={240}>
          {(sync) => (sync.credentials ? <Sync sync={sync} /> : <PopularityKeyForm />)}
        </Loaded>
      </Card>
      {query.data && query.data.quarantined > 0 && <PopularityQuarantine />}
    </>
  );
}

function Sync({ sync }: { sync: PopularitySync }) {
  const { t } = useTranslation();
  const [isReplacing, setReplacing] = useState(sync.state === 'stopped');
  const isNarrow =
    useMediaQuery('(max-width: 47.99em)', false, { getInitialValueInEffect: false }) ?? false;
  const formatWeek = (period: string) => formatPeriod({ granularity: 'week', period });
  return (
    <div className={styles.form}>
      <Facts sync={sync} />
      <Buttons sync={sync} onReplace={() => setReplacing(true)} />
      {isReplacing && <PopularityKeyForm onDone={() => setReplacing(false)} />}
      {sync.weeks.length > 0 && (
        <DataTable
          label={t('popularitySync.title')}
          fileName="popularity-weeks"
          sortName="weeks"
          rows={sync.weeks}
          keyOf={({ country, week }) => `${country} ${week}`}
          columns={[
            {
              id: 'country',
              head: t('popularity.country'),
              cell: ({ country, week }) => (
                <>
                  {formatCountry(country)}
                  {isNarrow && <div className="muted">{formatWeek(week)}</div>}
                </>
              ),
              sortBy: ({ country }) => formatCountry(country),
            },
            {
              id: 'week',
              head: t('popularity.period'),
              cell: ({ week }) => formatWeek(week),
              sortBy: ({ week }) => week,
              isCsvOnly: isNarrow,
            },
            {
              id: 'terms',
              head: t('popularitySync.terms'),
              isEnd: true,
              cell: ({ terms }) => formatCount(terms),
              sortBy: ({ terms }) => terms,
            },
            {
              id: 'outcome',
              head: t('popularitySync.outcome'),
              cell: ({ outcome }) => t(`popularitySync.outcome.${outcome}`),
              csv: ({ outcome }) => outcome,
            },
          ]}
        />
      )}
    </div>
  );
}

/** Null when it is due: the instant has passed. */
function nextOf({ state, nextAt }: PopularitySync): string | null {
  if (state === 'due') return null;
  return nextAt === null ? '–' : formatInstant(nextAt);
}

function Facts({ sync }: { sync: PopularitySync }) {
  const { t } = useTranslation();
  const { clientId, teamId, keyId, accountName, savedBy, savedAt } = sync.credentials!;
  const at = (instant: string | null) =>
    instant === null ? t('popularitySync.never') : formatInstant(instant);
  const facts: [string, string][] = [
    [t('popularitySync.last'), at(sync.finishedAt)],
    [t('popularitySync.next'), nextOf(sync) ?? t('popularitySync.nextNow')],
    [
      t('popularitySync.requests'),
      t('popularitySync.requestsOf', {
        sent: formatCount(sync.requestsToday),
        limit: formatCount(sync.requestsPerDay),
      }),
    ],
    [t('popularitySync.account'), accountName],
    [t('popularitySync.clientId'), clientId],
    [t('popularitySync.teamId'), teamId],
    [t('popularitySync.keyId'), keyId],
  ];
  return (
    <>
      <div role="status">
        <State tone={tones[sync.state]} wraps>
          {t(`popularitySync.state.${sync.state}`)}
        </State>
        {sync.failure && (
          <p lang="en" className="muted">
            {sync.failure.message} {formatInstant(sync.failure.at)}
          </p>
        )}
        {sync.state === 'stopped' && <p>{t('popularitySync.stoppedText')}</p>}
      </div>
      <dl className={styles.facts}>
        {facts.map(([name, value]) => (
          <div key={name}>
            <dt className="muted">{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
      <p className="muted">
        {t('popularitySync.saved', { by: savedBy, at: formatInstant(savedAt) })}
      </p>
    </>
  );
}

function Buttons({ sync, onReplace }: { sync: PopularitySync; onReplace: () => void }) {
  const { t } = useTranslation();
  const queryClient = useQueryClient();
  const { canWrite, reason } = useWriteAccess();
  const refresh = () => queryClient.invalidateQueries({ queryKey: ['popularity'] });
  const now = useMutation({
    mutationFn: () => call('POST /popularity/sync', {}),
    onSuccess: refresh,
    onError: showError,
  });
  const remove = useMutation({
    mutationFn: () => call('DELETE /popularity/credentials', {}),
    onSuccess: refresh,
    onError: showError,
  });
  return (
    <div className={styles.buttons}>
      <Button
        size="xs"
        className="touch"
        title={reason}
        disabled={!canWrite || ['stopped', 'due', 'running'].includes(sync.state)}
        loading={now.isPending}
        onClick={() => now.mutate()}
      >
        {t('popularitySync.now')}
      </Button>
      <Button
        size="xs"
        variant="default"
        className="touch"
        disabled={!canWrite}
        onClick={onReplace}
      >
        {t('popularitySync.replace')}
      </Button>
      <ConfirmButton
        question={t('popularitySync.removeText')}
        sure={t('popularitySync.remove')}
        disabled={!canWrite}
        why={reason}
        loading={remove.isPending}
        onConfirm={() => remove.mutate()}
      >
        {t('popularitySync.remove')}
      </ConfirmButton>
    </div>
  );
}
