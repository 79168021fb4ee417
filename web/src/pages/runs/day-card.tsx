import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { profileOf } from '#stores/profiles.ts';
import type { ResponseOf } from '#web/api.ts';
import { Card } from '#web/components/card.tsx';
import { Facts, type Fact } from '#web/components/facts.tsx';
import { Loaded } from '#web/components/loaded.tsx';
import { StoreState } from '#web/components/store-state.tsx';
import { formatCount, formatDay, formatShare } from '#web/format.ts';
import { runQuery } from '#web/queries/runs.ts';
import { CountriesTable } from './countries-table.tsx';
import { DayGaps } from './day-gaps.tsx';
import { DayComparisons, ProviderProbes } from './provider-probes.tsx';
import { hoursOf, RunState, RunTime } from './run-state.tsx';
import { StoreDrifts } from './store-drifts.tsx';
import styles from './runs.module.css';

export type RunDetail = ResponseOf<'GET /runs/{date}'>;

function Probes({ run }: { run: RunDetail }) {
  const { t } = useTranslation();
  return (
    <ul className={styles.probes} aria-label={t('runs.probes')}>
      {run.storeHealth.map((health) => (
        <li key={health.store}>
          <strong>{profileOf(health.store).name}</strong>
          <StoreState health={health} />
          {health.requests !== null && health.refused !== null && (
            <span className="muted num">
              {t('runs.asked', {
                requests: formatCount(health.requests),
                refused: formatCount(health.refused),
              })}
            </span>
          )}
          <ProviderProbes health={health} />
          <StoreDrifts health={health} />
        </li>
      ))}
    </ul>
  );
}

function Figures({ run }: { run: RunDetail }) {
  const { t } = useTranslation();
  const facts: Fact[] = [
    [t('runs.state'), <RunState key="state" state={run.state} />],
    [
      t('runs.coverage'),
      run.coverage === null ? t('runs.nothingPlanned') : formatShare(run.coverage),
    ],
    [
      t('runs.checks'),
      t('runs.done', { done: formatCount(run.done), planned: formatCount(run.planned) }),
    ],
    [
      t('runs.time'),
      hoursOf(run) === null && !run.startedAt ? (
        t('runs.notStarted')
      ) : (
        <RunTime key="time" run={run} />
      ),
    ],
    [
      t('runs.listings'),
      t('runs.done', {
        done: formatCount(run.refreshes.done),
        planned: formatCount(run.refreshes.planned),
      }),
    ],
  ];
  return <Facts facts={facts} className={styles.facts} />;
}

export function DayCard({ date }: { date: string }) {
  const { t } = useTranslation();
  const query = useQuery(runQuery(date));
  return (
    <Card title={t('runs.dayTitle', { day: formatDay(date, true) })} lead={t('runs.dayLead')}>
      <Loaded query={query} height={[661, 808]}>
        {(run) => (
          <div className={styles.day}>
            <Figures run={run} />
            <section className={styles.part}>
              <h3>{t('runs.probes')}</h3>
              <Probes run={run} />
            </section>
            <section className={styles.part}>
              <h3>{t('runs.gaps')}</h3>
              <DayGaps run={run} />
            </section>
            {run.comparisons.length > 0 && (
              <section className={styles.part}>
                <h3>{t('runs.comparisons')}</h3>
                <DayComparisons run={run} />
              </section>
            )}
            {run.countries.length > 0 && (
              <section className={styles.part}>
                <h3>{t('runs.byCountry')}</h3>
                <CountriesTable run={run} />
              </section>
            )}
          </div>
        )}
      </Loaded>
    </Card>
  );
}
