import { useQuery } from '@tanstack/react-query';
import { ListX } from 'lucide-react';
import { useEffect, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import type { Store } from '#web/api.ts';
import { AppIcon } from '#web/components/app-icon.tsx';
import { Card } from '#web/components/card.tsx';
import { EmptyState } from '#web/components/empty-state.tsx';
import { Loaded } from '#web/components/loaded.tsx';
import { formatCountry, formatDay } from '#web/format.ts';
import { chartQuery, type ChartColumn, type StoredChart } from '#web/queries/charts.ts';
import type { SelectedCell } from './selected-cell.ts';
import styles from './charts-page.module.css';

interface Props {
  store: Store;
  appId: number;
  date: string;
  chosen: SelectedCell;
  nameOf: (column: ChartColumn) => string;
}

/** The whole chart of a day, scrolled to the app. */
export function NeighboursCard({ store, appId, date, chosen, nameOf }: Props) {
  const { t } = useTranslation();
  const query = useQuery(chartQuery(store, chosen.country, chosen.column, date));
  return (
    <Card
      title={t('charts.chartOf', {
        chart: nameOf(chosen.column),
        country: formatCountry(chosen.country),
      })}
      lead={formatDay(date, true)}
    >
      <Loaded query={query} height={320}>
        {(chart) =>
          chart.state === 'not_checked' ? (
            <EmptyState
              icon={ListX}
              title={t('charts.notKept')}
              text={t(`charts.gap.${chart.reason}`)}
            />
          ) : (
            <Neighbours chart={chart} store={store} appId={appId} />
          )
        }
      </Loaded>
    </Card>
  );
}

function Neighbours({ chart, store, appId }: { chart: StoredChart; store: Store; appId: number }) {
  const { t } = useTranslation();
  const list = useRef<HTMLOListElement>(null);
  useEffect(() => {
    const own = list.current?.querySelector<HTMLElement>('[data-own]');
    if (own && list.current) list.current.scrollTop = own.offsetTop - list.current.clientHeight / 2;
  }, [chart]);
  return (
    <ol ref={list} className={styles.positions} tabIndex={0} aria-label={t('charts.full')}>
      {chart.items.map((item) => (
        <li key={item.position} data-own={item.appId === appId || undefined}>
          <span className={styles.position}>{item.position}</span>
          <AppIcon
            name={item.name ?? item.storeAppId}
            store={store}
            iconUrl={item.iconUrl}
            size={28}
          />
          <span className={styles.name}>
            <bdi>{item.name ?? item.storeAppId}</bdi>
            {item.developer && <span className="muted"> {item.developer}</span>}
          </span>
          {item.appId === appId && <span className={styles.mark}>{t('serp.own')}</span>}
        </li>
      ))}
    </ol>
  );
}
