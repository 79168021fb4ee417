import { SegmentedControl } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { ChartCard } from '#web/components/chart/chart-card.tsx';
import { formatDay } from '#web/format.ts';
import type { DistributionDay } from '#web/queries/rankings.ts';
import { useSearchChoice } from '#web/search-value.ts';
import { buildBandsChart } from './bands-chart.ts';
import { bands, checkedOf, followedOf } from './bands.ts';

/** The position ranges over time. Clicking one opens its keywords. */
export function BandsCard({ days, appId }: { days: DistributionDay[]; appId: number }) {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const [measure, setMeasure] = useSearchChoice('as', ['count', 'share']);
  const spec = useMemo(() => buildBandsChart(days, measure, t), [days, measure, t]);
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
