import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { profileOf } from '#stores/profiles.ts';
import type { Budget, Run } from '#web/api.ts';
import { Ago } from '#web/components/ago.tsx';
import { Card } from '#web/components/card.tsx';
import { Facts, type Fact } from '#web/components/facts.tsx';
import { Loaded } from '#web/components/loaded.tsx';
import { StoreState } from '#web/components/store-state.tsx';
import { formatCount, formatDay, formatDecimal, formatShare } from '#web/format.ts';
import { runsQuery } from '#web/queries/runs.ts';
import styles from './capacity-page.module.css';

type Health = Run['storeHealth'][number];

function Store({
  health,
  capacity,
}: {
  health: Health;
  capacity: Budget['fanOut'][number]['capacity'];
}) {
  const { t } = useTranslation();
  const { store, probedAt, requests, refused } = health;
  const hidden = <span className="muted">{t('stores.hidden')}</span>;
  const share =
    requests !== null && refused ? ` (${formatShare(refused / Math.max(1, requests))})` : '';
  const facts: Fact[] = [
    [t('stores.probe'), <Ago key="probe" instant={probedAt} />],
    [t('stores.pace'), t('stores.perMinute', { rpm: formatDecimal(capacity.requestsPerMinute) })],
    [t('stores.endpoints'), formatCount(capacity.endpoints)],
    [t('stores.requests'), requests === null ? hidden : formatCount(requests)],
    [
      t('stores.refused'),
      refused === null || requests === null ? hidden : `${formatCount(refused)}${share}`,
    ],
  ];
  return (
    <section className={styles.store} aria-label={profileOf(store).name}>
      <h3>{profileOf(store).name}</h3>
      <StoreState health={health} />
      <Facts className={styles.facts} facts={facts} />
    </section>
  );
}

export function StoresCard({ budget }: { budget: Budget }) {
  const { t } = useTranslation();
  const query = useQuery(runsQuery(30));
  return (
    <Loaded query={query} height={[274, 558]}>
      {({ items: [run] }) =>
        run ? (
          <Card title={t('stores.title')} lead={t('stores.lead', { day: formatDay(run.date) })}>
            <div className={styles.stores}>
              {run.storeHealth.map((health) => (
                <Store
                  key={health.store}
                  health={health}
                  capacity={budget.fanOut.find(({ store }) => store === health.store)!.capacity}
                />
              ))}
            </div>
          </Card>
        ) : null
      }
    </Loaded>
  );
}
