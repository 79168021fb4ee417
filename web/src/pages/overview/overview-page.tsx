import { Button, Skeleton } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Link, useParams, useSearch } from '@tanstack/react-router';
import { ListPlus, Play } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { call, type Answer } from '../../api.ts';
import { Ago } from '../../components/ago.tsx';
import { EmptyState } from '../../components/empty-state.tsx';
import { ErrorNotice } from '../../components/error-notice.tsx';
import { followJob } from '../../components/job-toast.ts';
import { PageHead } from '../../components/page-head.tsx';
import { showError } from '../../components/toasts.tsx';
import { formatCount, formatDecimal } from '../../format.ts';
import { useCurrentApp } from '../../frame/current-app.ts';
import { overviewQuery } from '../../queries/apps.ts';
import { readScope } from '../../scope.ts';
import { AppFacts } from './app-facts.tsx';
import { MoversCard } from './movers-card.tsx';
import styles from './overview-page.module.css';

type Overview = Answer<'GET /apps/{id}/overview'>;

function Tile({ label, value, note }: { label: string; value: string; note?: string | undefined }) {
  return (
    <div>
      <dt>{label}</dt>
      <dd className={styles.value}>{value}</dd>
      {note && <dd className="muted">{note}</dd>}
    </div>
  );
}

function Tiles({ overview }: { overview: Overview }) {
  const { t } = useTranslation();
  const share = overview.tracked > 0 ? t('overview.of', { all: formatCount(overview.tracked) }) : undefined;
  return (
    <dl className={styles.tiles}>
      <Tile
        label={t('overview.tracked')}
        value={formatCount(overview.tracked)}
        note={t('overview.trackedNote', { ranked: formatCount(overview.ranked), out: formatCount(overview.notFound) })}
      />
      <Tile label={t('overview.top1')} value={formatCount(overview.top1)} note={share} />
      <Tile label={t('overview.top3')} value={formatCount(overview.top3)} note={share} />
      <Tile label={t('overview.top10')} value={formatCount(overview.top10)} note={share} />
      <Tile label={t('overview.top50')} value={formatCount(overview.top50)} note={share} />
      <Tile
        label={t('overview.average')}
        value={overview.averagePosition === null ? '–' : formatDecimal(overview.averagePosition)}
        note={t('overview.averageNote')}
      />
    </dl>
  );
}

const windows = [
  ['days1', 'column.change1d'],
  ['days7', 'column.change7d'],
  ['days30', 'column.change30d'],
] as const;

/** Gains against losses over one, seven and thirty days. */
function Balance({ overview }: { overview: Overview }) {
  const { t } = useTranslation();
  return (
    <div className={styles.balance}>
      {windows.map(([key, label]) => {
        const move = overview.movers[key];
        const up = move.gained + move.entered;
        const down = move.lost + move.left;
        const all = Math.max(1, up + down + move.unchanged);
        return (
          <section key={key} aria-label={t(label)}>
            <h2>{t(label)}</h2>
            <div className={styles.bar} aria-hidden>
              <span className={styles.up} style={{ flexGrow: up / all }} />
              <span className={styles.same} style={{ flexGrow: move.unchanged / all }} />
              <span className={styles.down} style={{ flexGrow: down / all }} />
            </div>
            <p className={styles.legend}>
              <span className={styles.upText}>▲ {t('overview.up', { count: up })}</span>
              <span>= {t('overview.same', { count: move.unchanged })}</span>
              <span className={styles.downText}>▼ {t('overview.down', { count: down })}</span>
            </p>
          </section>
        );
      })}
    </div>
  );
}

export function OverviewPage() {
  const { t } = useTranslation();
  const appId = Number(useParams({ strict: false }).appId) || 0;
  const { country } = readScope(useSearch({ strict: false }));
  const app = useCurrentApp();
  const queryClient = useQueryClient();
  const { data: overview, error, refetch } = useQuery(overviewQuery(appId, country));
  const check = useMutation({
    mutationFn: () => call('POST /apps/{id}/run-daily', { params: { id: appId } }),
    onSuccess: ({ job }) => void followJob(job.id, t('overview.checking'), queryClient),
    onError: showError,
  });
  return (
    <>
      <PageHead
        title={app?.displayName ?? app?.name ?? t('nav.overview')}
        tab={app ? `${t('nav.overview')} · ${app.displayName ?? app.name}` : t('nav.overview')}
        lead={
          overview && (
            <>
              {t('overview.checked')} <Ago instant={overview.lastCheckedAt} />
            </>
          )
        }
      >
        <Button variant="default" leftSection={<Play size={15} aria-hidden />} loading={check.isPending} onClick={() => check.mutate()}>
          {t('overview.checkNow')}
        </Button>
      </PageHead>
      {error && <ErrorNotice error={error} onRetry={() => void refetch()} />}
      {!overview && !error && (
        <div className={styles.stack}>
          <Skeleton height={104} radius={14} />
          <Skeleton height={104} radius={14} />
          <Skeleton height={280} radius={14} />
        </div>
      )}
      {overview && (
        <div className={styles.stack}>
          <Tiles overview={overview} />
          {overview.tracked === 0 ? (
            <EmptyState icon={ListPlus} title={t('keywords.emptyTitle')} text={t('keywords.emptyText')}>
              <Button renderRoot={(props) => <Link to="/apps/$appId/keywords" params={{ appId: String(appId) }} {...props} />}>
                {t('overview.toKeywords')}
              </Button>
            </EmptyState>
          ) : (
            <>
              <Balance overview={overview} />
              <MoversCard appId={appId} />
            </>
          )}
          {app && <AppFacts app={app} />}
        </div>
      )}
    </>
  );
}
