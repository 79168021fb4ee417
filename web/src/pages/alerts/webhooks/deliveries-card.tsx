import { Select } from '@mantine/core';
import { useInfiniteQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { deliveryStates, eventTypes } from '#contract/choices.ts';
import { Ago } from '#web/components/ago.tsx';
import { Card } from '#web/components/card.tsx';
import { LoadedPages } from '#web/components/loaded-pages.tsx';
import { formatCount } from '#web/format.ts';
import { deliveriesQuery, type Delivery, type Webhook } from '#web/queries/webhooks.ts';
import { useSearchValue } from '#web/search-value.ts';
import { DeliveryDrawer } from './delivery-drawer.tsx';
import { DeliveryStatus } from './delivery-status.tsx';
import { RedeliverAll } from './redeliver.tsx';
import styles from './webhooks.module.css';

function Row({ delivery }: { delivery: Delivery }) {
  const { t } = useTranslation();
  const {
    id,
    type,
    state: status,
    attempts,
    lastAttempt,
    nextAttemptAt,
    createdAt,
    sequence,
  } = delivery;
  return (
    <tr>
      <td>
        <Link to="." search={(before) => ({ ...before, delivery: id })} className={styles.open}>
          {t(`event.${type}.title`)}
        </Link>
        {sequence === null && <span className="muted"> · {t('webhooks.sample')}</span>}
      </td>
      <td>
        <DeliveryStatus status={status} />
      </td>
      <td className="end num">{lastAttempt?.httpStatus ?? '–'}</td>
      <td className="end num">{lastAttempt ? formatCount(lastAttempt.latencyMs) : '–'}</td>
      <td className="end num">{formatCount(attempts)}</td>
      <td>
        <Ago instant={createdAt} />
      </td>
      <td className="muted">
        {nextAttemptAt ? (
          <Ago instant={nextAttemptAt} />
        ) : (
          <span className={styles.response}>
            {lastAttempt?.error ?? lastAttempt?.responseSnippet ?? ''}
          </span>
        )}
      </td>
    </tr>
  );
}

/** The deliveries of one webhook, newest first. */
export function DeliveriesCard({ webhook, canWrite }: { webhook: Webhook; canWrite: boolean }) {
  const { t } = useTranslation();
  const [askedStatus, setStatus] = useSearchValue('status');
  const [askedEvent, setEvent] = useSearchValue('event');
  const status = deliveryStates.find((name) => name === askedStatus);
  const event = eventTypes.find((name) => name === askedEvent);
  const query = useInfiniteQuery(deliveriesQuery(webhook.id, { state: status, type: event }));
  const head = ['event', 'status', 'http', 'ms', 'attempts', 'made', 'next'] as const;
  return (
    <Card
      title={t('webhooks.logOf', { host: new URL(webhook.url).host })}
      lead={t('webhooks.logLead')}
    >
      <div className={styles.filters} role="search" aria-label={t('webhooks.logFilters')}>
        <Select
          aria-label={t('webhooks.statuses')}
          className={styles.pick}
          value={status ?? ''}
          data={[
            { value: '', label: t('webhooks.anyStatus') },
            ...deliveryStates.map((value) => ({ value, label: t(`webhooks.delivery.${value}`) })),
          ]}
          onChange={setStatus}
          allowDeselect={false}
        />
        <Select
          aria-label={t('alerts.types')}
          className={styles.pick}
          value={event ?? ''}
          data={[
            { value: '', label: t('alerts.anyType') },
            ...eventTypes.map((value) => ({ value, label: t(`event.${value}.title`) })),
          ]}
          onChange={setEvent}
          allowDeselect={false}
        />
        <RedeliverAll webhook={webhook} canWrite={canWrite} />
      </div>
      <LoadedPages
        query={query}
        more="wide"
        empty={
          <p className="muted">
            {status || event ? t('webhooks.logFiltered') : t('webhooks.logEmpty')}
          </p>
        }
      >
        {(deliveries) => (
          <div className="table-scroll" role="region" aria-label={t('webhooks.log')} tabIndex={0}>
            <table className="plain-table">
              <thead>
                <tr>
                  {head.map((name) => (
                    <th
                      key={name}
                      scope="col"
                      className={['http', 'ms', 'attempts'].includes(name) ? 'end' : undefined}
                    >
                      {t(`webhooks.column.${name}`)}
                    </th>
                  ))}
                </tr>
              </thead>
              <tbody>
                {deliveries.map((delivery) => (
                  <Row key={delivery.id} delivery={delivery} />
                ))}
              </tbody>
            </table>
          </div>
        )}
      </LoadedPages>
      <DeliveryDrawer canWrite={canWrite && webhook.enabled} />
    </Card>
  );
}
