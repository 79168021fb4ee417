import { apiPath } from '#web/base-path.ts';
import { Select, Skeleton } from '@mantine/core';
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { BellOff } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { eventTypes } from '#contract/choices.ts';
import { profileOf } from '#stores/profiles.ts';
import { EmptyState } from '#web/components/empty-state.tsx';
import { ErrorNotice } from '#web/components/error-notice.tsx';
import { ShowMore } from '#web/components/show-more.tsx';
import { StaleNotice } from '#web/components/stale-notice.tsx';
import { formatClock, formatDay, zonedDayOf } from '#web/format.ts';
import { eventPagesQuery, type AlertEvent } from '#web/queries/alerts.ts';
import { appsQuery } from '#web/queries/apps.ts';
import { useReadWhenShown } from './use-read-when-shown.ts';
import { useSearchValue } from '#web/search-value.ts';
import { EventRow } from './event-row.tsx';
import styles from './events.module.css';

interface FilterProps {
  type: string | null;
  app: string | null;
  onType: (type: string | null) => void;
  onApp: (app: string | null) => void;
}

function Filters({ type, app, onType, onApp }: FilterProps) {
  const { t } = useTranslation();
  const { data } = useQuery(appsQuery);
  const apps = data?.items ?? [];
  return (
    <div className={styles.toolbar} role="search" aria-label={t('alerts.filters')}>
      <Select
        aria-label={t('alerts.types')}
        className={styles.pick}
        value={type ?? ''}
        data={[
          { value: '', label: t('alerts.anyType') },
          ...eventTypes.map((value) => ({ value, label: t(`event.${value}.title`) })),
        ]}
        onChange={onType}
        allowDeselect={false}
      />
      <Select
        aria-label={t('alerts.apps')}
        className={styles.pick}
        value={app ?? ''}
        data={[
          { value: '', label: t('alerts.anyApp') },
          ...apps.map(({ id, displayName, name, store }) => ({
            value: String(id),
            label: `${displayName ?? name} · ${profileOf(store).name}`,
          })),
        ]}
        onChange={onApp}
        allowDeselect={false}
      />
      {app && (
        <a
          className={styles.feed}
          href={`${apiPath}/apps/${app}/feed`}
          target="_blank"
          rel="noreferrer"
        >
          {t('alerts.feed')}
          <span className="sr-only"> {t('common.newTab')}</span>
        </a>
      )}
    </div>
  );
}

function Day({
  day,
  events,
  readSequence,
}: {
  day: string;
  events: AlertEvent[];
  readSequence: number;
}) {
  return (
    <section className={styles.day} aria-labelledby={`day-${day}`}>
      <h2 id={`day-${day}`}>{formatDay(day, true)}</h2>
      <ul className={styles.rows}>
        {events.map(({ sequence, type, data, app, timestamp }) => (
          <EventRow
            key={sequence}
            type={type}
            data={data}
            appId={app?.id ?? null}
            appName={app ? `${app.name} · ${profileOf(app.store).name}` : undefined}
            at={{ instant: timestamp, shown: formatClock(timestamp) }}
            isUnread={sequence > readSequence}
          />
        ))}
      </ul>
    </section>
  );
}

/** All events that webhooks receive, newest first. */
export function EventsTab() {
  const { t } = useTranslation();
  const [type, setType] = useSearchValue('type');
  const [app, setApp] = useSearchValue('app');
  const known = eventTypes.find((name) => name === type);
  const appId = Number(app) > 0 ? Number(app) : undefined;
  const query = useInfiniteQuery(eventPagesQuery({ type: known, appId }));
  const readAgain = () => void query.refetch();
  const events = query.data?.pages.flatMap((page) => page.items) ?? [];
  // A filtered list leaves out unread ones.
  const readSequence = useReadWhenShown(known || appId ? 0 : (events[0]?.sequence ?? 0));
  const days = [...Map.groupBy(events, (event) => zonedDayOf(event.timestamp))];
  return (
    <>
      <Filters
        type={known ?? null}
        app={appId ? String(appId) : null}
        onType={setType}
        onApp={setApp}
      />
      {query.isPending && <Skeleton height={480} radius={14} />}
      {query.error &&
        (query.data ? (
          <StaleNotice error={query.error} readAtMs={query.dataUpdatedAt} onRetry={readAgain} />
        ) : (
          <ErrorNotice error={query.error} onRetry={readAgain} />
        ))}
      {query.data && events.length === 0 && (
        <EmptyState
          icon={BellOff}
          title={known || appId ? t('alerts.noneTitle') : t('alerts.emptyTitle')}
          text={known || appId ? t('alerts.noneText') : t('alerts.emptyText')}
        />
      )}
      <div className={styles.days} aria-busy={query.isFetching}>
        {days.map(([day, ofDay]) => (
          <Day key={day} day={day} events={ofDay} readSequence={readSequence} />
        ))}
        <ShowMore query={query} />
      </div>
    </>
  );
}
