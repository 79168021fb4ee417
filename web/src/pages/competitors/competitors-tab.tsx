import { ActionIcon, Button, Tooltip } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { Archive, Swords } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { AppIcon } from '#web/components/app-icon.tsx';
import { Card } from '#web/components/card.tsx';
import { DataTable, type DataColumn } from '#web/components/data-table.tsx';
import { EmptyState } from '#web/components/empty-state.tsx';
import { Loaded } from '#web/components/loaded.tsx';
import { formatCompact, formatCount, formatDay, formatDecimal, zonedDayOf } from '#web/format.ts';
import { comparedCompetitorsQuery, type ComparedCompetitor } from '#web/queries/competitors.ts';
import { useWriteAccess } from '#web/queries/write-guard.ts';
import styles from './competitors-page.module.css';
import { Overlap, OverlapLegend } from './overlap.tsx';
import { useCompetitorMutations } from './use-competitor-mutations.ts';

export function CompetitorsTab({ appId, onAdd }: { appId: number; onAdd: () => void }) {
  const { t } = useTranslation();
  const { canWrite, reason } = useWriteAccess();
  const query = useQuery(comparedCompetitorsQuery(appId));
  return (
    <Card title={t('competitors.tab.competitors')} lead={t('competitors.overlapLead')} foldsLead>
      <Loaded query={query} height={240}>
        {(items) =>
          items.length === 0 ? (
            <EmptyState
              icon={Swords}
              title={t('competitors.emptyTitle')}
              text={t('competitors.emptyText')}
            >
              <Button disabled={!canWrite} title={reason} onClick={onAdd}>
                {t('competitors.add')}
              </Button>
            </EmptyState>
          ) : (
            <>
              <OverlapLegend />
              <CompetitorTable appId={appId} competitors={items} />
            </>
          )
        }
      </Loaded>
    </Card>
  );
}

function CompetitorTable({
  appId,
  competitors,
}: {
  appId: number;
  competitors: ComparedCompetitor[];
}) {
  const { t } = useTranslation();
  const { remove } = useCompetitorMutations();
  const { canWrite, reason } = useWriteAccess();
  const isNarrow =
    useMediaQuery('(max-width: 61.99em)', false, { getInitialValueInEffect: false }) ?? false;
  const columns: DataColumn<ComparedCompetitor>[] = [
    {
      id: 'name',
      head: t('competitors.app'),
      cell: (competitor) => (
        <span className={styles.app}>
          <AppIcon
            name={competitor.name}
            store={competitor.store}
            iconUrl={competitor.iconUrl}
            size={30}
          />
          <span className={styles.names}>
            <a href={competitor.storeUrl} target="_blank" rel="noreferrer" className={styles.name}>
              <bdi>{competitor.name}</bdi>
              <span className="sr-only"> {t('common.newTab')}</span>
            </a>
            <span className="muted">
              {[competitor.developer, competitor.relationship].filter(Boolean).join(' · ')}
            </span>
          </span>
        </span>
      ),
      sortBy: (competitor) => competitor.name,
    },
    {
      id: 'overlap',
      head: t('competitors.overlap'),
      cell: (competitor) => <Overlap overlap={competitor.overlap} />,
      sortBy: (competitor) => competitor.overlap.both,
    },
    {
      id: 'wins',
      head: t('competitors.wins'),
      cell: (competitor) => formatCount(competitor.overlap.wins),
      sortBy: (competitor) => competitor.overlap.wins,
      isEnd: true,
    },
    {
      id: 'losses',
      head: t('competitors.losses'),
      cell: (competitor) => formatCount(competitor.overlap.losses),
      sortBy: (competitor) => competitor.overlap.losses,
      isEnd: true,
    },
    {
      id: 'rating',
      head: t('competitors.rating'),
      cell: ({ rating, ratingCount }) =>
        rating === null
          ? '–'
          : formatDecimal(rating, 2) +
            (ratingCount === null ? '' : ` (${formatCompact(ratingCount)})`),
      sortBy: ({ rating }) => rating,
      isEnd: true,
    },
    {
      id: 'updated',
      head: t('competitors.updated'),
      cell: ({ updatedAt, version }) =>
        [version, updatedAt && formatDay(zonedDayOf(updatedAt), true)]
          .filter(Boolean)
          .join(' · ') || '–',
      sortBy: ({ updatedAt }) => updatedAt,
      isEnd: true,
      isCsvOnly: isNarrow,
    },
    {
      id: 'since',
      head: t('competitors.since'),
      cell: ({ createdAt }) => formatDay(zonedDayOf(createdAt), true),
      sortBy: ({ createdAt }) => createdAt,
      isEnd: true,
      isCsvOnly: isNarrow,
    },
    {
      id: 'archive',
      head: '',
      cell: (competitor) => (
        <Tooltip label={reason ?? t('competitors.remove')}>
          <ActionIcon
            className="touch"
            variant="subtle"
            color="gray"
            aria-label={t('competitors.removeOf', { name: competitor.name })}
            aria-disabled={!canWrite}
            onClick={() => canWrite && remove.mutate({ appId, competitor })}
          >
            <Archive size={15} aria-hidden />
          </ActionIcon>
        </Tooltip>
      ),
    },
  ];
  return (
    <DataTable
      label={t('competitors.tab.competitors')}
      rows={competitors}
      columns={columns}
      keyOf={(competitor) => competitor.id}
      initialSort="-overlap"
      fileName={`competitors-${appId}`}
    />
  );
}
