import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { Card } from '#web/components/card.tsx';
import { Loaded } from '#web/components/loaded.tsx';
import { formatAgo } from '#web/format.ts';
import { newestEventsQuery } from '#web/queries/overview.ts';
import { EventRow } from '../alerts/events/event-row.tsx';
import styles from './overview-page.module.css';

export function EventsCard({ appId }: { appId: number }) {
  const { t } = useTranslation();
  const query = useQuery(newestEventsQuery(appId));
  return (
    <Card
      title={t('overview.events')}
      action={
        <Link to="/alerts" search={(before) => ({ ...before, app: appId })} className={styles.more}>
          {t('overview.allEvents')}
        </Link>
      }
    >
      <Loaded query={query} height={[535, 838]}>
        {({ items }) =>
          items.length === 0 ? (
            <p className="muted">{t('overview.noEvents')}</p>
          ) : (
            <ul className={styles.plain}>
              {items.map(({ id, type, data, timestamp }) => (
                <EventRow
                  key={id}
                  type={type}
                  data={data}
                  appId={appId}
                  appName={undefined}
                  at={{ instant: timestamp, shown: formatAgo(timestamp) }}
                />
              ))}
            </ul>
          )
        }
      </Loaded>
    </Card>
  );
}
