import { Skeleton } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { addDays } from '#lib/dates.ts';
import { Chart } from '#web/components/chart/chart.tsx';
import { Loaded } from '#web/components/loaded.tsx';
import { markProviders } from '#web/components/provider-marks.ts';
import { formatDay, formatDecimal } from '#web/format.ts';
import type { Digest, DigestApp } from '#web/queries/digests.ts';
import { visibilityQuery, type Visibility, type VisibilityDay } from '#web/queries/visibility.ts';
import { buildVisibilityChart } from '../overview/visibility-chart.ts';
import styles from './digest-page.module.css';

const trendDays = 28;
const heightPx = 190;

function Drawn({
  app,
  days,
  segments,
}: {
  app: DigestApp;
  days: readonly VisibilityDay[];
  segments: Visibility['segments'];
}) {
  const { t } = useTranslation();
  const spec = useMemo(() => {
    const marks = markProviders(segments);
    return buildVisibilityChart({ days, marks, store: app.store, counted: 'all' }, t);
  }, [app.store, days, segments, t]);
  const known = days.filter((day) => day.index !== null);
  if (known.length === 0) return <p className="muted">{t('digest.nothingChecked')}</p>;
  const label = t('digest.chartLabel', {
    app: app.name,
    from: formatDay(days[0]!.date),
    to: formatDay(days.at(-1)!.date),
    first: formatDecimal(known[0]!.index!, 2),
    last: formatDecimal(known.at(-1)!.index!, 2),
  });
  return <Chart spec={spec} label={label} height={heightPx} />;
}

/** The four weeks up to the digest's last day, without days before the app was tracked. */
export function WeekChart({ app, digest }: { app: DigestApp; digest: Digest }) {
  const { t } = useTranslation();
  const query = useQuery(
    visibilityQuery(
      app.appId,
      {},
      {
        from: addDays(digest.to, 1 - trendDays),
        to: digest.to,
      },
      'all',
    ),
  );
  return (
    <section className={styles.group}>
      <h3>{t('digest.chart')}</h3>
      <Loaded query={query} waiting={<Skeleton height={heightPx} />}>
        {({ items, segments }) => {
          const first = items.findIndex((day) => day.followed > 0);
          const days = first < 0 ? [] : items.slice(first);
          return <Drawn app={app} days={days} segments={segments} />;
        }}
      </Loaded>
    </section>
  );
}
