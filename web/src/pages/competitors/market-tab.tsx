import { Button, Tooltip } from '@mantine/core';
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { AppIcon } from '#web/components/app-icon.tsx';
import { Card } from '#web/components/card.tsx';
import { MarketChip } from '#web/components/market-chip.tsx';
import { DataTable, type DataColumn } from '#web/components/data-table.tsx';
import { LoadedPages } from '#web/components/loaded-pages.tsx';
import { Loaded } from '#web/components/loaded.tsx';
import { Meter } from '#web/components/meter.tsx';
import { drawDescription, drawWords, WordLegend } from '#web/components/phrase-words.tsx';
import { formatCount, formatDay, formatDecimal, formatShare } from '#web/format.ts';
import { useCurrentApp } from '#web/frame/current-app.ts';
import {
  entrantsQuery,
  leadersQuery,
  type Entrant,
  type Leader,
} from '#web/queries/competitor-analysis.ts';
import { useWriteAccess } from '#web/queries/write-guard.ts';
import { type MarketFilter, marketOf, spanOfScope } from '#web/scope.ts';
import styles from './competitors-page.module.css';
import { useCompetitorMutations } from './use-competitor-mutations.ts';
import { useScope } from '#web/frame/use-scope.ts';

const isOf = (added: { storeAppId: string } | { url: string }, storeAppId: string) =>
  'storeAppId' in added && added.storeAppId === storeAppId;

export function MarketTab({ appId }: { appId: number }) {
  const scope = useScope();
  const market = marketOf(scope);
  return (
    <div className="stack">
      <Leaders appId={appId} market={market} />
      <Entrants appId={appId} market={market} span={spanOfScope(scope)} />
    </div>
  );
}

function Leaders({ appId, market }: { appId: number; market: MarketFilter }) {
  const { t } = useTranslation();
  const query = useQuery(leadersQuery(appId, market));
  const { add } = useCompetitorMutations();
  const { canWrite, reason } = useWriteAccess();
  const columns: DataColumn<Leader>[] = [
    {
      id: 'name',
      head: t('competitors.app'),
      cell: (leader) => <AppName {...leader} />,
      sortBy: ({ name, storeAppId }) => name ?? storeAppId,
    },
    {
      id: 'share',
      head: t('competitors.share'),
      cell: ({ share, keywords }) => (
        <span className={styles.urgency}>
          <span className={styles.urgencyBar}>
            <Meter share={share} heightPx={6} />
          </span>
          <span className="num">
            {formatShare(share)} <span className="muted">({formatCount(keywords)})</span>
          </span>
        </span>
      ),
      sortBy: ({ share }) => share,
    },
    {
      id: 'average',
      head: t('competitors.average'),
      cell: ({ averagePosition }) => formatDecimal(averagePosition),
      sortBy: ({ averagePosition }) => averagePosition,
      isEnd: true,
    },
    {
      id: 'best',
      head: t('column.best'),
      cell: ({ best }) => best,
      sortBy: ({ best }) => best,
      isEnd: true,
    },
    {
      id: 'follow',
      head: '',
      cell: ({ isOwn, appId: tracked, competitorId, storeAppId, name }) =>
        isOwn || tracked === appId ? null : competitorId !== null ? (
          <span className="muted">{t('competitors.followed')}</span>
        ) : (
          <Tooltip label={reason} disabled={canWrite}>
            <Button
              className="touch"
              size="compact-sm"
              variant="subtle"
              loading={add.isPending && isOf(add.variables, storeAppId)}
              aria-disabled={!canWrite}
              onClick={() => canWrite && add.mutate({ appId, storeAppId })}
            >
              {t('competitors.follow')}
              <span className="sr-only"> {name ?? storeAppId}</span>
            </Button>
          </Tooltip>
        ),
    },
  ];
  return (
    <Card title={t('competitors.leaders')} lead={t('competitors.leadersLead')} foldsLead>
      <Loaded query={query} height={640}>
        {({ items, serps, shallow, top }) => (
          <>
            <p className={styles.coverage}>
              {t('competitors.leadersCoverage', { count: serps, top })}{' '}
              {shallow > 0 && t('competitors.shallow', { count: shallow, top })}
            </p>
            <DataTable
              label={t('competitors.leaders')}
              rows={items}
              columns={columns}
              keyOf={({ storeAppId }) => storeAppId}
              initialSort="-share"
              sortName="leaders"
              fileName={`leaders-${appId}`}
            />
          </>
        )}
      </Loaded>
    </Card>
  );
}

interface EntrantsProps {
  appId: number;
  market: MarketFilter;
  span: { from: string; to: string };
}

function Entrants({ appId, market, span }: EntrantsProps) {
  const { t } = useTranslation();
  const store = useCurrentApp()?.store;
  const query = useInfiniteQuery(entrantsQuery(appId, market, span));
  const columns: DataColumn<Entrant>[] = [
    {
      id: 'date',
      head: t('history.day'),
      cell: ({ date }) => formatDay(date),
      sortBy: ({ date }) => date,
    },
    {
      id: 'name',
      head: t('competitors.app'),
      cell: (entrant) => <AppName {...entrant} />,
      sortBy: ({ name, storeAppId }) => name ?? storeAppId,
    },
    {
      id: 'phrase',
      head: t('column.phrase'),
      cell: ({ keywordId, phrase, words, country, device }) => (
        <span className={styles.keyword}>
          <Link to="/keywords/$keywordId/serp" params={{ keywordId: String(keywordId) }}>
            <bdi>{drawWords(phrase, words, t)}</bdi>
          </Link>
          {drawDescription(words, t)}
          <MarketChip of={{ country, device }} />
        </span>
      ),
      sortBy: ({ phrase }) => phrase,
    },
    {
      id: 'position',
      head: t('column.position'),
      cell: ({ position }) => position,
      sortBy: ({ position }) => position,
      isEnd: true,
    },
  ];
  return (
    <Card title={t('competitors.entrants')} lead={t('competitors.entrantsLead')} foldsLead>
      <LoadedPages query={query} height={280}>
        {(entrants, unread) => (
          <>
            <DataTable
              label={t('competitors.entrants')}
              rows={entrants}
              columns={columns}
              keyOf={({ date, keywordId, storeAppId }) => `${date} ${keywordId} ${storeAppId}`}
              initialSort="-date"
              sortName="entrants"
              fileName={`entrants-${appId}`}
              unread={unread}
            />
            {entrants.length > 0 && <WordLegend store={store} />}
          </>
        )}
      </LoadedPages>
    </Card>
  );
}

function AppName({
  name,
  storeAppId,
  developer,
  iconUrl,
  isOwn,
}: Pick<Leader, 'name' | 'storeAppId' | 'developer' | 'iconUrl' | 'isOwn'>) {
  const { t } = useTranslation();
  const app = useCurrentApp();
  return (
    <span className={styles.app}>
      <AppIcon name={name ?? storeAppId} store={app?.store} iconUrl={iconUrl} size={26} />
      <span className={styles.names}>
        <span className={styles.name}>
          <bdi>{name ?? storeAppId}</bdi>{' '}
          {isOwn && <span className={styles.mark}>{t('serp.own')}</span>}
        </span>
        <bdi className="muted">{developer ?? '–'}</bdi>
      </span>
    </span>
  );
}
