import { Button, SegmentedControl } from '@mantine/core';
import { useMutation, useQueries, useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { call, type App } from '#web/api.ts';
import { PageHead } from '#web/components/page-head.tsx';
import { WordLegend } from '#web/components/phrase-words.tsx';
import { useCurrentApp } from '#web/frame/current-app.ts';
import { appsQuery } from '#web/queries/apps.ts';
import { briefingQuery, type Since } from '#web/queries/briefing.ts';
import { useWriteAccess } from '#web/queries/write-guard.ts';
import { useSearchChoice } from '#web/search-value.ts';
import { ActionsCard } from '../overview/actions-card.tsx';
import { HealthCard } from '../overview/health-card.tsx';
import { AppCard } from './app-card.tsx';
import styles from './briefing-page.module.css';
import { UnreadCard } from './unread-card.tsx';

const shownAtFirst = 5;

/** Changes since the last visit: moves with their causes, alerts, and what was not checked. */
export function BriefingPage() {
  const { t } = useTranslation();
  const [since, choose] = useSearchChoice('since', ['visit', 'yesterday']);
  const [count, setCount] = useState(shownAtFirst);
  const current = useCurrentApp();
  const { data } = useQuery(appsQuery);
  useVisit();
  const apps = (data?.items ?? []).toSorted(
    (a, b) => Number(b.id === current?.id) - Number(a.id === current?.id),
  );
  return (
    <>
      <PageHead title={t('briefing.title')} lead={t('briefing.lead')}>
        <SegmentedControl
          size="xs"
          aria-label={t('briefing.since')}
          value={since}
          onChange={choose}
          data={(['visit', 'yesterday'] as const).map((value) => ({
            value,
            label: t(`briefing.since.${value}`),
          }))}
        />
      </PageHead>
      <div className={styles.columns}>
        <div className={styles.main}>
          {apps.slice(0, count).map((app) => (
            <AppCard key={app.id} app={app} since={since} />
          ))}
          <Legend apps={apps.slice(0, count)} since={since} />
          {apps.length > count && (
            <Button variant="default" onClick={() => setCount(count + shownAtFirst)}>
              {t('briefing.moreApps')}
            </Button>
          )}
        </div>
        <div className={styles.side}>
          <UnreadCard />
          {current && <ActionsCard appId={current.id} />}
          <HealthCard />
        </div>
      </div>
    </>
  );
}

/** One for all cards, as soon as one of them lists a phrase. */
function Legend({ apps, since }: { apps: readonly App[]; since: Since }) {
  const stores = useQueries({
    queries: apps.map(({ id }) => briefingQuery(id, since)),
    combine: (briefings) =>
      apps.flatMap(({ store }, index) =>
        (briefings[index]?.data?.movers.length ?? 0) > 0 ? [store] : [],
      ),
  });
  return <WordLegend store={stores} />;
}

/** Records that the page was seen today. A failure only means an older day next time. */
function useVisit(): void {
  const { canWrite } = useWriteAccess();
  const { mutate } = useMutation({ mutationFn: () => call('POST /briefing/visit', {}) });
  useEffect(() => {
    if (canWrite) mutate();
  }, [canWrite, mutate]);
}
