import { useInfiniteQuery } from '@tanstack/react-query';
import { CalendarClock } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { Card } from '#web/components/card.tsx';
import { EmptyState } from '#web/components/empty-state.tsx';
import { Loaded } from '#web/components/loaded.tsx';
import { ShowMore } from '#web/components/show-more.tsx';
import { runPagesQuery } from '#web/queries/runs.ts';
import { Waiting } from '#web/components/waiting.tsx';
import { useSearchValue } from '#web/search-value.ts';
import { DayCard } from './day-card.tsx';
import { DayStrip } from './day-strip.tsx';
import { RunsTable } from './runs-table.tsx';

function DaysSkeleton() {
  return (
    <>
      <Waiting height={[98, 86]} />
      <Waiting height={[758, 934]} />
      <Waiting height={[558, 603]} />
    </>
  );
}

export function DaysTab() {
  const { t } = useTranslation();
  const query = useInfiniteQuery(runPagesQuery);
  const [day] = useSearchValue('day');
  const asked = day !== null && /^\d{4}-\d{2}-\d{2}$/.test(day) ? day : undefined;
  return (
    <div className="stack">
      <Loaded query={query} waiting={<DaysSkeleton />}>
        {({ pages }) => {
          const runs = pages.flatMap((page) => page.items);
          const chosen = asked ?? runs[0]?.date;
          if (!chosen)
            return (
              <EmptyState
                icon={CalendarClock}
                title={t('runs.emptyTitle')}
                text={t('runs.emptyText')}
              />
            );
          return (
            <>
              <DayStrip runs={runs} chosen={chosen} />
              <DayCard date={chosen} />
              <Card title={t('runs.title')} lead={t('runs.lead')}>
                <RunsTable
                  runs={runs}
                  fileName="daily-runs"
                  unread={query.hasNextPage ? { total: pages[0]?.total ?? null } : undefined}
                />
                <ShowMore query={query} align="wide" />
              </Card>
            </>
          );
        }}
      </Loaded>
    </div>
  );
}
