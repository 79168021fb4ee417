import { Button } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Link, useParams } from '@tanstack/react-router';
import { ListPlus, Play } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { call } from '#web/api.ts';
import { Hint } from '#web/components/overlays/hint.tsx';
import { AfterPaint } from '#web/components/after-paint.tsx';
import { Ago } from '#web/components/ago.tsx';
import { Card } from '#web/components/card.tsx';
import { EmptyState } from '#web/components/empty-state.tsx';
import { followJob } from '#web/components/job-toast.ts';
import { Loaded } from '#web/components/loaded.tsx';
import { PageHead } from '#web/components/page-head.tsx';
import { showError } from '#web/components/toasts/toasts.tsx';
import { useCurrentApp } from '#web/frame/current-app.ts';
import { useScope } from '#web/frame/use-scope.ts';
import { overviewQuery } from '#web/queries/apps.ts';
import { useWriteAccess } from '#web/queries/write-guard.ts';
import { isPast, marketOf, spanOfScope } from '#web/scope.ts';
import { ActionsCard } from './actions-card.tsx';
import { AppFacts } from './app-facts.tsx';
import { Balance } from './balance.tsx';
import { EventsCard } from './events-card.tsx';
import { HealthCard } from './health-card.tsx';
import { MoversCard } from './movers-card.tsx';
import styles from './overview-page.module.css';
import { Waiting } from '#web/components/waiting.tsx';
import { Tiles } from './tiles.tsx';
import { VisibilityCard } from './visibility-card.tsx';

/** Each card loads its own data, all at once, so that the page appears with the first response. */
export function OverviewPage() {
  const { t } = useTranslation();
  const appId = Number(useParams({ strict: false }).appId) || 0;
  const scope = useScope();
  const market = marketOf(scope);
  const span = spanOfScope(scope);
  const app = useCurrentApp();
  const query = useQuery(overviewQuery(appId, market));
  const isEmpty = query.data?.tracked === 0;
  return (
    <>
      <PageHead
        title={app?.displayName ?? app?.name ?? t('nav.overview')}
        tab={app ? `${t('nav.overview')} · ${app.displayName ?? app.name}` : t('nav.overview')}
        lead={
          <>
            {t('overview.checked')} {query.data ? <Ago instant={query.data.lastCheckedAt} /> : '…'}
          </>
        }
      >
        <Button
          variant="default"
          renderRoot={(props) => (
            <Link
              to="/imports-exports"
              search={{ tab: 'reports', app: appId } as never}
              {...props}
            />
          )}
        >
          {t('overview.share')}
        </Button>
        <CheckNow appId={appId} />
      </PageHead>
      <div className="stack">
        <Loaded query={query} height={[264, 516]}>
          {(overview) => <Tiles overview={overview} app={app} market={market} span={span} />}
        </Loaded>
        {isEmpty ? (
          <Card title={t('overview.tracked')}>
            <EmptyState
              icon={ListPlus}
              title={t('keywords.emptyTitle')}
              text={t('keywords.emptyText')}
            >
              <Button
                renderRoot={(props) => (
                  <Link to="/apps/$appId/keywords" params={{ appId: String(appId) }} {...props} />
                )}
              >
                {t('overview.toKeywords')}
              </Button>
            </EmptyState>
          </Card>
        ) : (
          <>
            <div className={styles.columns} data-print="column">
              <VisibilityCard key={appId} appId={appId} market={market} span={span} />
              <ActionsCard appId={appId} />
            </div>
            <AfterPaint height={[1000, 1700]}>
              {/* Its moves end with the newest checks. */}
              {query.data && !isPast(span) && <Balance overview={query.data} />}
              {query.isPending && !isPast(span) && <Waiting height={[96, 319]} />}
              <MoversCard appId={appId} />
              <div className={`${styles.columns} ${styles.uneven}`} data-print="column">
                <EventsCard appId={appId} />
                <div className={styles.side} data-print="column">
                  <HealthCard />
                  {app && <AppFacts app={app} />}
                </div>
              </div>
            </AfterPaint>
          </>
        )}
        {isEmpty && app && <AppFacts app={app} />}
      </div>
    </>
  );
}

function CheckNow({ appId }: { appId: number }) {
  const { t } = useTranslation();
  const { canWrite, reason } = useWriteAccess();
  const queryClient = useQueryClient();
  const check = useMutation({
    mutationFn: () => call('POST /apps/{id}/run-daily', { params: { id: appId } }),
    onSuccess: ({ job }) => void followJob(job.id, t('overview.checking'), queryClient),
    onError: showError,
  });
  return (
    <Hint label={reason} disabled={canWrite}>
      {(props) => (
        <Button
          {...props}
          variant="default"
          leftSection={<Play size={15} aria-hidden />}
          loading={check.isPending}
          data-disabled={!canWrite || undefined}
          aria-disabled={!canWrite}
          onClick={() => canWrite && check.mutate()}
        >
          {t('overview.checkNow')}
        </Button>
      )}
    </Hint>
  );
}
