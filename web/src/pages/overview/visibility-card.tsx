import { SegmentedControl, Skeleton } from '@mantine/core';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { CalendarX2 } from 'lucide-react';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { Card } from '#web/components/card.tsx';
import { ChartCard } from '#web/components/chart/chart-card.tsx';
import { EmptyState } from '#web/components/empty-state.tsx';
import { Loaded } from '#web/components/loaded.tsx';
import { formatCount, formatDay, formatDecimal, formatShare } from '#web/format.ts';
import { useCurrentApp } from '#web/frame/current-app.ts';
import type { Span } from '#web/queries/apps.ts';
import { timelineEventsQuery, type TimelineItem } from '#web/queries/timeline.ts';
import {
  visibilityQuery,
  type Counted,
  type Visibility,
  type VisibilityDay,
} from '#web/queries/visibility.ts';
import type { MarketFilter } from '#web/scope.ts';
import { useCounted } from './use-counted.ts';
import { buildVisibilityChart } from './visibility-chart.ts';

const heightPx = 330;
const none: TimelineItem[] = [];

interface Props {
  appId: number;
  market: MarketFilter;
  span: Span;
}

/** The visibility index with markers for listing events. */
export function VisibilityCard({ appId, market, span }: Props) {
  const [counted, setCounted] = useCounted();
  const query = useQuery({
    ...visibilityQuery(appId, market, span, counted),
    placeholderData: keepPreviousData,
  });
  const { data: marks } = useQuery(timelineEventsQuery(appId, span));
  return (
    <Loaded query={query} waiting={<Skeleton height={heightPx + 118} radius={14} />}>
      {(visibility) => (
        <Drawn
          visibility={visibility}
          marks={marks?.items ?? none}
          appId={appId}
          counted={counted}
          onCounted={setCounted}
        />
      )}
    </Loaded>
  );
}

/** Days before the first keyword have no data. */
function trim(days: readonly VisibilityDay[]): VisibilityDay[] {
  const first = days.findIndex((day) => day.followed > 0);
  return first < 0 ? [] : days.slice(first);
}

function Drawn({
  visibility,
  marks,
  appId,
  counted,
  onCounted,
}: {
  visibility: Visibility;
  marks: TimelineItem[];
  appId: number;
  counted: Counted;
  onCounted: (counted: Counted) => void;
}) {
  const { t } = useTranslation();
  const store = useCurrentApp()?.store;
  const { formula, inputs, items } = visibility;
  const days = trim(items);
  const spec = useMemo(
    () => buildVisibilityChart({ days: trim(items), marks, store, counted }, t),
    [items, marks, store, counted, t],
  );
  const known = days.filter((day) => day.index !== null);
  const { keywords: count, tracked } = inputs;
  const lead = (
    <>
      {t(`visibility.lead.${inputs.weighting}`, {
        scored: inputs.scored,
        count: inputs.keywords,
      })}{' '}
      {count < tracked && `${t('visibility.sameNote', { count, tracked: formatCount(tracked) })} `}
      <Link to="/methodology" hash="visibility">
        {t('visibility.how', { formula: formula.id })}
      </Link>
    </>
  );
  if (known.length === 0) {
    return (
      <Card title={t('visibility.title')} lead={lead}>
        <EmptyState
          icon={CalendarX2}
          title={t('history.emptyTitle')}
          text={t('history.emptyText')}
        />
      </Card>
    );
  }
  return (
    <ChartCard
      title={t('visibility.title')}
      lead={lead}
      action={
        (count < tracked || counted === 'all') && (
          <SegmentedControl
            size="xs"
            aria-label={t('visibility.counted')}
            value={counted}
            onChange={(value) => onCounted(value)}
            data={[
              { value: 'same', label: t('visibility.same') },
              { value: 'all', label: t('visibility.all') },
            ]}
          />
        )
      }
      height={heightPx}
      spec={spec}
      label={t('visibility.label', {
        from: formatDay(days[0]!.date),
        to: formatDay(days.at(-1)!.date),
        first: formatDecimal(known[0]!.index!),
        last: formatDecimal(known.at(-1)!.index!),
        gaps: days.length - known.length,
      })}
      fileName={`visibility-${appId}-${days[0]!.date}-${days.at(-1)!.date}`}
      table={{
        head: [
          t('history.day'),
          t('overview.visibility'),
          t('visibility.coverage'),
          t('distribution.checked'),
          t('distribution.followed'),
          t('visibility.found'),
        ],
        rows: days
          .toReversed()
          .map((day) => [day.date, day.index, day.coverage, day.checked, day.followed, day.ranked]),
        formats: { 2: (value) => formatShare(Number(value)) },
      }}
    />
  );
}
