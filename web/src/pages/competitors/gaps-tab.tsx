import { SegmentedControl } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { PartyPopper } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { Card } from '#web/components/card.tsx';
import { MarketChip } from '#web/components/market-chip.tsx';
import { DataTable, type DataColumn } from '#web/components/data-table.tsx';
import { EmptyState } from '#web/components/empty-state.tsx';
import { Loaded } from '#web/components/loaded.tsx';
import { Meter } from '#web/components/meter.tsx';
import { PhraseWords, WordLegend } from '#web/components/phrase-words.tsx';
import { PositionText } from '#web/components/position-text.tsx';
import { formatPositionText } from '#web/components/format-position-text.ts';
import { formatCount, formatDay } from '#web/format.ts';
import { useCurrentApp } from '#web/frame/current-app.ts';
import { gapsQuery, type Gap } from '#web/queries/competitor-analysis.ts';
import { marketOf } from '#web/scope.ts';
import { useSearchChoice } from '#web/search-value.ts';
import styles from './competitors-page.module.css';
import { useScope } from '#web/frame/use-scope.ts';

const kinds = ['all', 'pure', 'behind'] as const;

export function GapsTab({ appId }: { appId: number }) {
  const { t } = useTranslation();
  const market = marketOf(useScope());
  const store = useCurrentApp()?.store;
  const [kind, setKind] = useSearchChoice('kind', kinds);
  const isWide =
    useMediaQuery('(min-width: 88em)', true, { getInitialValueInEffect: false }) ?? true;
  const isTablet =
    useMediaQuery('(max-width: 61.99em)', false, { getInitialValueInEffect: false }) ?? false;
  const query = useQuery(gapsQuery(appId, market, kind === 'all' ? undefined : kind));
  const explain = ({ competitorName: name, evidence: { date, own, competitor } }: Gap) =>
    t('competitors.gapWhy', {
      day: formatDay(date, true),
      name,
      theirs: formatPositionText(competitor, t),
      own: formatPositionText(own, t),
    });
  const columns: DataColumn<Gap>[] = [
    {
      id: 'phrase',
      head: t('column.phrase'),
      cell: ({ keywordId, phrase, words, country, device, competitorName }) => (
        <>
          <span className={styles.keyword}>
            <Link to="/keywords/$keywordId" params={{ keywordId: String(keywordId) }}>
              <PhraseWords phrase={phrase} words={words} />
            </Link>
            <MarketChip of={{ country, device }} />
          </span>
          {isTablet && <bdi className={`muted ${styles.competitor}`}>{competitorName}</bdi>}
        </>
      ),
      sortBy: ({ phrase }) => phrase,
    },
    {
      id: 'competitor',
      head: t('competitors.app'),
      cell: ({ competitorName }) => competitorName,
      sortBy: ({ competitorName }) => competitorName,
      isCsvOnly: isTablet,
    },
    {
      id: 'own',
      head: t('competitors.own'),
      cell: ({ evidence }) => <PositionText cell={evidence.own} />,
      sortBy: ({ evidence }) => evidence.own.position,
      isEnd: true,
    },
    {
      id: 'theirs',
      head: t('competitors.theirs'),
      cell: ({ evidence }) => <PositionText cell={evidence.competitor} />,
      sortBy: ({ evidence }) => evidence.competitor.position,
      isEnd: true,
    },
    {
      id: 'traffic',
      head: t('competitors.traffic'),
      cell: ({ evidence }) =>
        evidence.traffic === null ? (
          <span title={t('competitors.noTraffic')}>–</span>
        ) : (
          evidence.traffic
        ),
      sortBy: ({ evidence }) => evidence.traffic,
      isEnd: true,
    },
    {
      id: 'urgency',
      head: t('competitors.urgency'),
      cell: (gap) => <Urgency urgency={gap.urgency} why={explain(gap)} />,
      sortBy: ({ urgency }) => urgency,
    },
    {
      id: 'why',
      head: t('competitors.why'),
      cell: (gap) => <span className={styles.why}>{explain(gap)}</span>,
      csv: explain,
      // The other columns say the same; its words are also the hint of the urgency.
      isCsvOnly: !isWide,
    },
  ];
  return (
    <Card
      title={t('competitors.tab.gaps')}
      lead={t('competitors.gapsLead')}
      foldsLead
      action={
        <SegmentedControl
          size="xs"
          aria-label={t('competitors.kinds')}
          value={kind}
          onChange={(value) => setKind(value)}
          data={kinds.map((value) => ({ value, label: t(`competitors.kind.${value}`) }))}
        />
      }
    >
      <Loaded query={query} height={420}>
        {({ items, total }) =>
          items.length === 0 ? (
            <EmptyState
              icon={PartyPopper}
              title={t('competitors.noGapsTitle')}
              text={t('competitors.noGapsText')}
            />
          ) : (
            <>
              {total !== null && total > items.length && (
                <p className={styles.coverage}>
                  {t('competitors.mostUrgent', {
                    shown: formatCount(items.length),
                    total: formatCount(total),
                  })}
                </p>
              )}
              <DataTable
                label={t('competitors.tab.gaps')}
                rows={items}
                columns={columns}
                keyOf={({ keywordId, competitorId }) => `${keywordId} ${competitorId}`}
                initialSort="-urgency"
                fileName={`keyword-gaps-${appId}`}
              />
              <WordLegend store={store} />
            </>
          )
        }
      </Loaded>
    </Card>
  );
}

function Urgency({ urgency, why }: { urgency: number; why: string }) {
  return (
    <span className={styles.urgency} title={why}>
      <span className={styles.urgencyBar}>
        <Meter share={urgency / 100} heightPx={6} />
      </span>
      <span className="num">{urgency}</span>
    </span>
  );
}
