import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { profileOf } from '#stores/profiles.ts';
import { Card } from '#web/components/card.tsx';
import { Loaded } from '#web/components/loaded.tsx';
import { showError } from '#web/components/toasts/toasts.tsx';
import { formatAgo, formatCount } from '#web/format.ts';
import { unreadEventsQuery, unreadQuery } from '#web/queries/unread-events.ts';
import { useMarkRead } from '#web/queries/use-mark-read.ts';
import { EventRow } from '../alerts/events/event-row.tsx';
import styles from './briefing-page.module.css';

/** The newest alerts that the reader has not seen. */
export function UnreadCard() {
  const { t } = useTranslation();
  const unread = useQuery(unreadQuery);
  const markRead = useMarkRead(showError);
  const count = unread.data?.unread ?? 0;
  return (
    <Card
      title={t('briefing.alerts')}
      action={
        <Link to="/alerts" className={styles.more}>
          {t('overview.allEvents')}
        </Link>
      }
    >
      <Loaded query={unread} height={120}>
        {({ readSequence }) =>
          count === 0 ? (
            <p className="muted">{t('briefing.noAlerts')}</p>
          ) : (
            <>
              <Newest after={readSequence} />
              <div className={styles.foot}>
                <span className="muted">
                  {t('briefing.unread', { count, shown: formatCount(count) })}
                </span>
                {markRead && (
                  <Button variant="default" size="xs" onClick={() => markRead()}>
                    {t('briefing.markRead')}
                  </Button>
                )}
              </div>
            </>
          )
        }
      </Loaded>
    </Card>
  );
}

function Newest({ after }: { after: number }) {
  const query = useQuery(unreadEventsQuery(after));
  return (
    <Loaded query={query} height={240}>
      {({ items }) => (
        <ul className={styles.events}>
          {items.map(({ id, type, data, app, timestamp }) => (
            <EventRow
              key={id}
              type={type}
              data={data}
              appId={app?.id ?? null}
              appName={app ? `${app.name} · ${profileOf(app.store).name}` : undefined}
              at={{ instant: timestamp, shown: formatAgo(timestamp) }}
            />
          ))}
        </ul>
      )}
    </Loaded>
  );
}
