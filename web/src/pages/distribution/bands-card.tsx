import { SegmentedControl } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { ChartCard } from '#web/components/chart/chart-card.tsx';
import { ErrorNotice } from '#web/components/error-notice.tsx';
import { alignDays, haveOtherProviders } from '#web/components/periods/compared-span.ts';
import { PeriodChoiceField } from '#web/components/periods/period-choice-field.tsx';
import { useComparedSpan } from '#web/components/periods/use-compared-span.ts';
import { markProviders } from '#web/components/provider-marks.ts';
import { formatDay } from '#web/format.ts';
import { useCurrentApp } from '#web/frame/current-app.ts';
import type { Span } from '#web/queries/apps.ts';
import { distributionQuery, type DistributionDay, type Segments } from '#web/queries/rankings.ts';
import type { MarketFilter } from '#web/scope.ts';
import { useSearchChoice } from '#web/search-value.ts';
import { buildBandsChart } from './bands-chart.ts';
import { bands, checkedOf, followedOf } from './bands.ts';

interface Props {
  days: DistributionDay[];
  segments: Segments;
  appId: number;
  market: MarketFilter;
  span: Span;
}

/** The position ranges over time. Clicking one opens its keywords. */
export function BandsCard({ days, segments, appId, market, span }: Props) {
  const { t } = useTranslation();
  const store = useCurrentApp()?.store;
  const navigate = useNavigate();
  const [measure, setMeasure] = useSearchChoice('as', ['count', 'share']);
  const comparedSpan = useComparedSpan(span);
  const before = useQuery({
    ...distributionQuery(appId, market, comparedSpan ?? span),
    enabled: comparedSpan !== null,
  });
  const items = comparedSpan ? before.data?.items : undefined;
  const compared = useMemo(
    () => (comparedSpan && items ? alignDays(span, comparedSpan, items) : undefined),
    [span, comparedSpan, items],
  );
  // A period from before the first keyword has no line.
  const isCompared =
    compared !== undefined && [...compared.values()].some((day) => checkedOf(day) > 0);
  const spec = useMemo(
    () => buildBandsChart({ days, measure, marks: markProviders(segments), store, compared }, t),
    [days, measure, segments, store, compared, t],
  );
  const open = (_index: number, stack: number) => {
    const band = bands[stack];
    if (!band || !('filter' in band)) return;
    void navigate({
      to: '/apps/$appId/keywords',
      params: { appId: String(appId) },
      search: (before) => ({ ...before, state: band.filter }),
    });
  };
  return (
    <ChartCard
      title={t('distribution.bands')}
      lead={t('distribution.bandsLead')}
      height={430}
      spec={spec}
      label={t('distribution.label', {
        from: formatDay(days[0]!.date),
        to: formatDay(days.at(-1)!.date),
        count: days.length,
      })}
      fileName={`distribution-${appId}-${days[0]!.date}-${days.at(-1)!.date}`}
      onPick={open}
      tools={
        <>
          <PeriodChoiceField span={span} />
          {comparedSpan && before.error && (
            <ErrorNotice error={before.error} title={t('periods.failed')} />
          )}
        </>
      }
      legend={
        isCompared && (
          <>
            <p className="muted">{t('periods.top10')}</p>
            {haveOtherProviders(segments, before.data!.segments) && (
              <p className="muted">{t('periods.provider')}</p>
            )}
          </>
        )
      }
      action={
        <SegmentedControl
          size="xs"
          aria-label={t('distribution.measure')}
          value={measure}
          onChange={(value) => setMeasure(value)}
          data={[
            { value: 'count', label: t('distribution.count') },
            { value: 'share', label: t('distribution.share') },
          ]}
        />
      }
      table={{
        head: [
          t('history.day'),
          ...bands.map(({ id }) => t(`distribution.band.${id}`)),
          t('distribution.checked'),
          t('distribution.followed'),
        ],
        rows: days
          .toReversed()
          .map((day) => [
            day.date,
            ...bands.map(({ id }) => day[id]),
            checkedOf(day),
            followedOf(day),
          ]),
      }}
    />
  );
}
