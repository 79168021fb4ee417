import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { profileOf } from '#stores/profiles.ts';
import { Card } from '#web/components/card.tsx';
import { Facts } from '#web/components/facts.tsx';
import { Loaded } from '#web/components/loaded.tsx';
import { formatCount, formatHours, formatInstant, formatShare } from '#web/format.ts';
import { instanceCapacityQuery, type InstanceCapacity } from '#web/queries/admin.ts';
import { ConsumersCard } from './consumers-card.tsx';
import styles from './admin-page.module.css';

function DayCard({ capacity }: { capacity: InstanceCapacity }) {
  const { t } = useTranslation();
  const { utilization, completion, workspaces } = capacity;
  return (
    <Card title={t('admin.day')} lead={utilization > 1 ? t('admin.dayOver') : t('admin.dayLead')}>
      <p className={styles.figure}>{formatShare(utilization)}</p>
      <Facts
        className={styles.facts}
        facts={[
          [t('admin.visited'), formatCount(workspaces)],
          [t('admin.starts'), formatInstant(completion.startsAt)],
          [t('admin.takes'), formatHours(completion.hours)],
          [t('admin.completes'), formatInstant(completion.completesAt)],
        ]}
      />
    </Card>
  );
}

function LoadCard({ capacity: { fanOut, searches } }: { capacity: InstanceCapacity }) {
  const { t } = useTranslation();
  return (
    <Card title={t('admin.load')} lead={t('admin.loadLead')}>
      <div className={styles.pair}>
        {fanOut.map(({ store, requests, capacity }) => {
          const shared = searches.find((search) => search.store === store);
          return (
            <section key={store} aria-label={profileOf(store).name}>
              <h3>{profileOf(store).name}</h3>
              <Facts
                className={styles.facts}
                facts={[
                  [t('admin.requestsOfDay'), formatCount(Math.round(requests))],
                  [t('admin.capacity'), formatCount(Math.round(capacity.requestsPerDay))],
                  [t('admin.requested'), formatCount(shared?.asked ?? 0)],
                  [t('admin.distinct'), formatCount(shared?.distinct ?? 0)],
                ]}
              />
            </section>
          );
        })}
      </div>
    </Card>
  );
}

export function CapacityCards() {
  const query = useQuery(instanceCapacityQuery);
  return (
    <Loaded query={query} height={640}>
      {(capacity) => (
        <div className="stack">
          <div className={styles.pair}>
            <DayCard capacity={capacity} />
            <LoadCard capacity={capacity} />
          </div>
          <ConsumersCard consumers={capacity.consumers} />
        </div>
      )}
    </Loaded>
  );
}
