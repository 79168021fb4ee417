import { SegmentedControl } from '@mantine/core';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useCallback, useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { ChartCard } from '#web/components/chart/chart-card.tsx';
import { Loaded } from '#web/components/loaded.tsx';
import { formatCountry, formatDay, formatDecimal, formatShare } from '#web/format.ts';
import { reviewStatsQuery, type ReviewStats } from '#web/queries/reviews.ts';
import { useSearchChoice } from '#web/search-value.ts';
import { CoverageNote } from './coverage-note.tsx';
import styles from './reviews-page.module.css';
import { buildStatsChart } from './stats-chart.ts';

const groupings = ['day', 'version', 'country'] as const;

interface Props {
  appId: number;
  country: string | undefined;
  span: { from: string; to: string };
}

export function StatsCard({ appId, country, span }: Props) {
  const [by, setBy] = useSearchChoice('by', groupings);
  const query = useQuery({
    ...reviewStatsQuery(appId, country, span, by),
    placeholderData: keepPreviousData,
  });
  return (
    <Loaded query={query} height={[384, 483]}>
      {(stats) => <Stats stats={stats} by={stats.by} onBy={setBy} />}
    </Loaded>
  );
}

function Stats({
  stats,
  by,
  onBy,
}: {
  stats: ReviewStats;
  by: ReviewStats['by'];
  onBy: (by: ReviewStats['by']) => void;
}) {
  const { t } = useTranslation();
  const nameOf = useCallback(
    ({ key }: ReviewStats['items'][number]) =>
      by === 'day'
        ? formatDay(key ?? '')
        : by === 'country'
          ? formatCountry(key ?? '')
          : (key ?? t('reviews.noVersion')),
    [by, t],
  );
  const spec = useMemo(() => buildStatsChart(stats.items, nameOf, t), [stats, nameOf, t]);
  const { total, volume } = stats;
  const summary = t('reviews.summary', {
    count: total.count,
    average: total.average === null ? '–' : formatDecimal(total.average, 2),
    from: formatDay(stats.from, true),
    to: formatDay(stats.to, true),
  });
  return (
    <ChartCard
      title={t('reviews.statsTitle')}
      lead={
        <>
          <span className="num">{summary}</span> <Volume volume={volume} />
        </>
      }
      label={summary}
      height={240}
      spec={spec}
      fileName={`reviews-${stats.from}-${stats.to}`}
      table={{
        head: [
          t(`reviews.by.${by}`),
          t('reviews.reviews'),
          t('reviews.averageStars'),
          '1 ★',
          '2 ★',
          '3 ★',
          '4 ★',
          '5 ★',
        ],
        rows: stats.items.map((group) => [
          group.key ?? nameOf(group),
          group.count,
          group.average,
          ...group.stars,
        ]),
        ...(by === 'country' && { formats: { 0: (code) => formatCountry(String(code)) } }),
      }}
      action={
        <SegmentedControl
          size="xs"
          aria-label={t('reviews.groupBy')}
          value={by}
          onChange={(value) => onBy(value)}
          data={groupings.map((value) => ({ value, label: t(`reviews.by.${value}`) }))}
        />
      }
      legend={
        <div className={styles.under}>
          <CoverageNote coverage={stats.coverage} />
        </div>
      }
    />
  );
}

/** The ratio to the usual volume, shown only with enough days. */
function Volume({ volume }: { volume: ReviewStats['volume'] }) {
  const { t } = useTranslation();
  if (volume.perDay === null || volume.baselinePerDay === null || volume.ratio === null)
    return <span>{t('reviews.noBaseline')}</span>;
  return (
    <span className="num">
      {t(`reviews.volume.${compareVolume(volume.ratio)}`, {
        perDay: formatDecimal(volume.perDay, 1),
        usual: formatDecimal(volume.baselinePerDay, 1),
        ratio: formatDecimal(volume.ratio, 1),
        share: formatShare(Math.abs(volume.ratio - 1)),
      })}
    </span>
  );
}

/** Twice as many and more are a multiple, and less is a share. */
function compareVolume(ratio: number): 'times' | 'more' | 'fewer' | 'same' {
  if (ratio >= 2) return 'times';
  if (Math.abs(ratio - 1) < 0.005) return 'same';
  return ratio > 1 ? 'more' : 'fewer';
}
