import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { Card } from '../../components/card.tsx';
import { Facts } from '../../components/facts.tsx';
import { Loaded } from '../../components/loaded.tsx';
import { formatCount, formatHours, formatInstant, formatShare } from '../../format.ts';
import { instanceCapacityQuery, type InstanceCapacity } from '../../queries/operator.ts';
import { ConsumersCard } from './consumers-card.tsx';
import styles from './operator-page.module.css';

function DayCard({ capacity }: { capacity: InstanceCapacity }) {
  const { t } = useTranslation();
  const { utilization, completion, workspaces } = capacity;
  return (
    <Card
      title={t('operator.day')}
      lead={utilization > 1 ? t('operator.dayOver') : t('operator.dayLead')}
    >
      <p className={styles.figure}>{formatShare(utilization)}</p>
      <Facts
        className={styles.facts}
        facts={[
          [t('operator.visited'), formatCount(workspaces)],
          [t('operator.starts'), formatInstant(completion.startsAt)],
          [t('operator.takes'), formatHours(completion.hours)],
          [t('operator.completes'), formatInstant(completion.completesAt)],
        ]}
      />
    </Card>
  );
}

function LoadCard({ capacity: { fanOut, searches } }: { capacity: InstanceCapacity }) {
  const { t } = useTranslation();
  return (
    <Card title={t('operator.load')} lead={t('operator.loadLead')}>
      <div className={styles.pair}>
        {fanOut.map(({ store, requests, capacity }) => {
          const shared = searches.find((search) => search.store === store);
          return (
            <section key={store} aria-label={t(`store.${store}`)}>
              <h3>{t(`store.${store}`)}</h3>
              <Facts
                className={styles.facts}
                facts={[
                  [t('operator.requestsOfDay'), formatCount(Math.round(requests))],
                  [t('operator.capacity'), formatCount(Math.round(capacity.requestsPerDay))],
                  [t('operator.asked'), formatCount(shared?.asked ?? 0)],
                  [t('operator.distinct'), formatCount(shared?.distinct ?? 0)],
                ]}
              />
            </section>
          );
        })}
      </div>
    </Card>
  );
}

/** What all workspaces ask of the stores, and who asks most. */
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
