import { useInfiniteQuery } from '@tanstack/react-query';
import { Search } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Card } from '#web/components/card.tsx';
import { EmptyState } from '#web/components/empty-state.tsx';
import { formatPeriod } from '#web/components/format-period.ts';
import { LoadedPages } from '#web/components/loaded-pages.tsx';
import { WordLegend } from '#web/components/phrase-words.tsx';
import { formatCountry, formatInstant } from '#web/format.ts';
import { useCurrentApp } from '#web/frame/current-app.ts';
import {
  popularityTermsQuery,
  type PopularityPeriod,
  type TermFilter,
} from '#web/queries/popularity.ts';
import { TermTable } from './term-table.tsx';
import { TrackBar } from './track-bar.tsx';

interface Props {
  appId: number;
  set: PopularityPeriod;
  filter: TermFilter;
}

/** The terms, and a bar that tracks the selected ones for the app. */
export function TermsCard({ appId, set, filter }: Props) {
  const { t } = useTranslation();
  const app = useCurrentApp();
  const query = useInfiniteQuery(popularityTermsQuery(filter));
  const [picked, setPicked] = useState<ReadonlySet<string>>(new Set());
  const toggle = (term: string) => {
    const next = new Set(picked);
    if (!next.delete(term)) next.add(term);
    setPicked(next);
  };
  const previous = query.data?.pages[0]?.previousPeriod;
  const source = t(`popularity.source.${set.source}`, { at: formatInstant(set.importedAt) });
  const compared = previous
    ? t('popularity.compared', {
        period: formatPeriod({ granularity: set.granularity, period: previous }),
      })
    : t('popularity.notCompared');
  return (
    <Card
      title={t('popularity.of', { country: formatCountry(set.country), period: formatPeriod(set) })}
      lead={`${source} ${compared}`}
      foldsLead
    >
      <LoadedPages
        query={query}
        height={420}
        empty={
          <EmptyState
            icon={Search}
            title={t('popularity.noneTitle')}
            text={t('popularity.noneText')}
          />
        }
      >
        {(items, unread) => (
          <>
            <TermTable
              appId={appId}
              set={set}
              items={items}
              unread={unread}
              hasGenre={filter.genre === undefined}
              picked={picked}
              onToggle={toggle}
              tools={app && <TrackBar appId={appId} country={set.country} terms={[...picked]} />}
            />
            <WordLegend store={app?.store} />
          </>
        )}
      </LoadedPages>
    </Card>
  );
}
