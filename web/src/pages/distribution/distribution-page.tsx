import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link, useParams } from '@tanstack/react-router';
import { CalendarX2, ListPlus } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { Card } from '#web/components/card.tsx';
import { EmptyState } from '#web/components/empty-state.tsx';
import { Loaded } from '#web/components/loaded.tsx';
import { PageHead } from '#web/components/page-head.tsx';
import { useCurrentApp } from '#web/frame/current-app.ts';
import { distributionQuery } from '#web/queries/rankings.ts';
import { marketOf, spanOfScope } from '#web/scope.ts';
import { BandList } from './band-list.tsx';
import { BandsCard } from './bands-card.tsx';
import { checkedOf, trimDays } from './bands.ts';
import { CompareCard } from './compare-card.tsx';
import { comparedSpan, daysOfPeriod } from './complete-days.ts';
import styles from './distribution-page.module.css';
import { FlowCard } from './flow-card.tsx';
import { formatCoverage } from './format-coverage.ts';
import { DistributionSkeleton } from './distribution-skeleton.tsx';
import { useScope } from '#web/frame/use-scope.ts';

export function DistributionPage() {
  const { t } = useTranslation();
  const appId = Number(useParams({ strict: false }).appId) || 0;
  const scope = useScope();
  const market = marketOf(scope);
  const app = useCurrentApp();
  const span = spanOfScope(scope);
  const query = useQuery(distributionQuery(appId, market, comparedSpan(span)));
  const loaded = trimDays(query.data?.items ?? []);
  const days = daysOfPeriod(loaded, span);
  const newest = days.findLast((day) => checkedOf(day) > 0);
  const coverage = newest && formatCoverage(newest, t);
  return (
    <>
      <PageHead
        title={t('distribution.title')}
        tab={
          app
            ? `${t('distribution.title')} · ${app.displayName ?? app.name}`
            : t('distribution.title')
        }
        lead={<span className="num">{coverage ?? t('distribution.lead')}</span>}
      />
      <Loaded query={query} waiting={<DistributionSkeleton />}>
        {({ segments }) => {
          if (days.length === 0)
            return (
              <Card title={t('distribution.bands')}>
                <EmptyState
                  icon={ListPlus}
                  title={t('distribution.emptyTitle')}
                  text={t('distribution.emptyText')}
                >
                  <Button
                    renderRoot={(props) => (
                      <Link
                        to="/apps/$appId/keywords"
                        params={{ appId: String(appId) }}
                        {...props}
                      />
                    )}
                  >
                    {t('overview.toKeywords')}
                  </Button>
                </EmptyState>
              </Card>
            );
          if (!newest)
            return (
              <Card title={t('distribution.bands')}>
                <EmptyState
                  icon={CalendarX2}
                  title={t('history.emptyTitle')}
                  text={t('history.emptyText')}
                />
              </Card>
            );
          return (
            <div className="stack">
              <div className={styles.columns}>
                <BandsCard
                  days={days}
                  segments={segments}
                  appId={appId}
                  market={market}
                  span={span}
                />
                <BandList days={loaded} segments={segments} span={span} appId={appId} />
              </div>
              <FlowCard days={days} />
              <CompareCard
                key={appId}
                days={loaded}
                segments={segments}
                span={span}
                appId={appId}
                market={market}
              />
            </div>
          );
        }}
      </Loaded>
    </>
  );
}
