import { Button, SegmentedControl } from '@mantine/core';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { TFunction } from 'i18next';
import { CalendarDays } from 'lucide-react';
import { useMemo, useState, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { annotateDay } from '#web/annotations/annotate-day.tsx';
import { ChartCard } from '#web/components/chart/chart-card.tsx';
import { EmptyState } from '#web/components/empty-state.tsx';
import { ErrorNotice } from '#web/components/error-notice.tsx';
import { lazyPart } from '#web/components/lazy-part.tsx';
import { Loaded } from '#web/components/loaded.tsx';
import { alignDays, averageOf, haveOtherProviders } from '#web/components/periods/compared-span.ts';
import { PeriodChoiceField } from '#web/components/periods/period-choice-field.tsx';
import { PeriodSummary } from '#web/components/periods/period-summary.tsx';
import { useComparedSpan } from '#web/components/periods/use-compared-span.ts';
import { formatCount, formatDay, formatDecimal, formatShare, formatSpan } from '#web/format.ts';
import { useCurrentApp } from '#web/frame/current-app.ts';
import type { Span } from '#web/queries/apps.ts';
import { timelineEventsQuery, type TimelineItem } from '#web/queries/timeline.ts';
import {
  visibilityQuery,
  type Counted,
  type Visibility,
  type VisibilityDay,
} from '#web/queries/visibility.ts';
import { withTexts } from '#web/i18n.ts';
import type { MarketFilter } from '#web/scope.ts';
import { useSearchValue } from '#web/search-value.ts';
import styles from './overview-page.module.css';
import { lacksSameKeywords } from './figures.ts';
import { useCounted } from './use-counted.ts';
import { buildVisibilityChart, type CompetitorLine } from './visibility-chart.ts';

const heightPx = 330;
const none: TimelineItem[] = [];
const noLines: CompetitorLine[] = [];

const fetchCompetitors = withTexts(
  ['competitor-lines'],
  () => import('./competitor-visibility.tsx'),
);
const CompetitorVisibility = lazyPart(async () => (await fetchCompetitors()).CompetitorVisibility);

interface Props {
  appId: number;
  market: MarketFilter;
  span: Span;
}

/** The visibility index with markers for listing events. */
export function VisibilityCard({ appId, market: chosenMarket, span: chosenSpan }: Props) {
  const [chosenCounted, setCounted] = useCounted();
  const query = useQuery({
    ...visibilityQuery(appId, chosenMarket, chosenSpan, chosenCounted),
    placeholderData: keepPreviousData,
  });
  // While another choice loads, everything on the card belongs to the one before.
  const { market, span, counted } = query.data?.asked ?? {
    market: chosenMarket,
    span: chosenSpan,
    counted: chosenCounted,
  };
  const { data: marks } = useQuery(timelineEventsQuery(appId, span));
  const comparedSpan = useComparedSpan(span);
  const before = useQuery({
    ...visibilityQuery(appId, market, comparedSpan ?? span, counted),
    enabled: comparedSpan !== null,
  });
  const { t } = useTranslation();
  const [competitorIds] = useSearchValue('competitors');
  // Until the button is pressed, the address decides.
  const [opened, setOpened] = useState<boolean | null>(null);
  return (
    <Loaded query={query} height={[heightPx + 204, heightPx + 220]}>
      {(visibility) => {
        const draw = (competitors: CompetitorLine[], choice: ReactNode) => (
          <Drawn
            visibility={visibility}
            marks={marks?.items ?? none}
            appId={appId}
            span={span}
            chosenSpan={chosenSpan}
            comparedSpan={comparedSpan}
            before={comparedSpan ? before.data : undefined}
            error={comparedSpan && before.error}
            counted={counted}
            chosenCounted={chosenCounted}
            onCounted={setCounted}
            competitors={competitors}
            choice={choice}
          />
        );
        const button = draw(
          noLines,
          <Button variant="default" size="xs" onClick={() => setOpened(true)}>
            {t('competitorPicker.label')}
          </Button>,
        );
        return (opened ?? competitorIds) ? (
          <CompetitorVisibility
            appId={appId}
            market={market}
            span={span}
            counted={counted}
            hasFocus={opened === true}
            fallback={button}
            onFail={() => setOpened(false)}
          >
            {draw}
          </CompetitorVisibility>
        ) : (
          button
        );
      }}
    </Loaded>
  );
}

/** Days before the first keyword have no data. */
function trim(
  days: readonly VisibilityDay[],
  compared: ReadonlyMap<string, VisibilityDay> | undefined,
): VisibilityDay[] {
  const first = days.findIndex(
    ({ date, followed }) => followed > 0 || (compared?.get(date)?.index ?? null) !== null,
  );
  return first < 0 ? [] : days.slice(first);
}

function Drawn({
  visibility,
  marks,
  appId,
  span,
  chosenSpan,
  comparedSpan,
  before,
  error,
  counted,
  chosenCounted,
  onCounted,
  competitors,
  choice,
}: {
  visibility: Visibility;
  marks: TimelineItem[];
  appId: number;
  span: Span;
  chosenSpan: Span;
  comparedSpan: Span | null;
  /** The visibility in the compared period, once it is loaded. */
  before: Visibility | undefined;
  error: Error | null;
  counted: Counted;
  chosenCounted: Counted;
  onCounted: (counted: Counted) => void;
  competitors: CompetitorLine[];
  /** Selects them. */
  choice: ReactNode;
}) {
  const { t } = useTranslation();
  const store = useCurrentApp()?.store;
  const { formula, inputs, items } = visibility;
  const compared = useMemo(
    () => (comparedSpan && before ? alignDays(span, comparedSpan, before.items) : undefined),
    [span, comparedSpan, before],
  );
  const days = trim(items, compared);
  const spec = useMemo(
    () =>
      buildVisibilityChart(
        { days: trim(items, compared), marks, store, counted, competitors, compared },
        t,
      ),
    [items, marks, store, counted, competitors, compared, t],
  );
  const known = days.filter((day) => day.index !== null);
  const { keywords: count, tracked } = inputs;
  const lacksSame = lacksSameKeywords(visibility);
  const lead = (
    <>
      {!lacksSame &&
        `${t(`visibility.lead.${inputs.weighting}`, { scored: inputs.scored, count })} `}
      {count < tracked && `${t('visibility.sameNote', { count, tracked: formatCount(tracked) })} `}
      <Link to="/methodology" hash="visibility">
        {t('visibility.how', { formula: formula.id })}
      </Link>
    </>
  );
  const empty = known.length === 0 && (
    <EmptyState
      icon={CalendarDays}
      title={t(lacksSame ? 'visibility.noSame' : 'history.emptyTitle')}
      text={t(lacksSame ? 'visibility.noSameText' : 'history.emptyText')}
    />
  );
  const periods = comparedSpan &&
    before && {
      own: describePeriod(span, visibility, t),
      compared: describePeriod(comparedSpan, before, t),
      note:
        before.items.some(({ index }) => index !== null) &&
        haveOtherProviders(visibility.segments, before.segments)
          ? t('periods.provider')
          : undefined,
    };
  const label = empty
    ? ''
    : t('visibility.label', {
        from: formatDay(days[0]!.date),
        to: formatDay(days.at(-1)!.date),
        first: formatDecimal(known[0]!.index!),
        last: formatDecimal(known.at(-1)!.index!),
        gaps: days.length - known.length,
      });
  return (
    <ChartCard
      title={t('visibility.title')}
      lead={lead}
      empty={empty}
      action={
        (count < tracked || chosenCounted === 'all') && (
          <SegmentedControl
            size="xs"
            aria-label={t('visibility.counted')}
            value={chosenCounted}
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
      label={periods ? `${label} ${periods.own}. ${periods.compared}.` : label}
      openDay={annotateDay({ appId })}
      tools={
        <>
          <div className={styles.chartTools}>
            <PeriodChoiceField span={chosenSpan} />
            {choice}
          </div>
          {error && <ErrorNotice error={error} title={t('periods.failed')} />}
        </>
      }
      legend={periods && <PeriodSummary {...periods} />}
      fileName={`visibility-${appId}-${days[0]?.date}-${days.at(-1)?.date}`}
      table={{
        head: [
          t('history.day'),
          t('overview.visibility'),
          t('visibility.coverage'),
          t('distribution.checked'),
          t('distribution.followed'),
          t('visibility.found'),
          ...(compared
            ? [t('periods.day'), t('periods.value', { name: t('overview.visibility') })]
            : []),
          ...competitors.map(({ name }) => name),
        ],
        rows: days
          .toReversed()
          .map((day) => [
            day.date,
            day.index,
            day.coverage,
            day.checked,
            day.followed,
            day.ranked,
            ...(compared
              ? [compared.get(day.date)?.date ?? null, compared.get(day.date)?.index ?? null]
              : []),
            ...competitors.map(({ indexes }) => indexes.get(day.date) ?? null),
          ]),
        formats: { 2: (value) => formatShare(Number(value)) },
      }}
    />
  );
}

/** `1 – 30 Nov 2026: average 12.4 on 28 days, 30 keywords`. */
function describePeriod(span: Span, { items, inputs }: Visibility, t: TFunction): string {
  const [period, known] = [formatSpan(span), averageOf(items.map(({ index }) => index))];
  if (!known) return t('periods.unknown', { period });
  return t('periods.index', {
    period,
    average: formatDecimal(known.average),
    count: known.count,
    keywords: formatCount(inputs.keywords),
  });
}
