import { Drawer } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { CopyButton } from '#web/components/copy-button.tsx';
import { Loaded } from '#web/components/loaded.tsx';
import { formatCount, formatInstant } from '#web/format.ts';
import { deliveryQuery, type DeliveryDetail } from '#web/queries/webhooks.ts';
import { useSearchValue } from '#web/search-value.ts';
import { DeliveryStatus } from './delivery-status.tsx';
import { RedeliverOne } from './redeliver.tsx';
import styles from './webhooks.module.css';

function writeHeaders(headers: Record<string, string>): string {
  return Object.entries(headers)
    .map(([name, value]) => `${name}: ${value}`)
    .join('\n');
}

/** Shown formatted; Copy copies the signed bytes. */
function layOut(body: string): string {
  try {
    return JSON.stringify(JSON.parse(body), null, 2);
  } catch {
    return body;
  }
}

function Block({ title, text, copied }: { title: string; text: string; copied?: string }) {
  return (
    <section className={styles.block} aria-label={title}>
      <div className={styles.codeHead}>
        <h3>{title}</h3>
        <CopyButton text={copied ?? text} label={title} />
      </div>
      <pre className={styles.code} tabIndex={0} aria-label={title}>
        {text}
      </pre>
    </section>
  );
}

function Attempt({ attempt }: { attempt: DeliveryDetail['log'][number] }) {
  const { t } = useTranslation();
  const { number, at, httpStatus, latencyMs, error, responseHead, responseHeaders, nextAttemptAt } =
    attempt;
  return (
    <li className={styles.attempt}>
      <p>
        <strong>{t('webhooks.attempt', { number })}</strong>{' '}
        <span className="muted num">{formatInstant(at)}</span>
      </p>
      <p className="num">
        {httpStatus === null
          ? t('webhooks.noResponse')
          : t('webhooks.responded', { status: httpStatus })}{' '}
        <span className="muted">{t('webhooks.ms', { ms: formatCount(latencyMs) })}</span>
      </p>
      {error && <p className="muted">{error}</p>}
      {responseHead && <Block title={t('webhooks.response')} text={responseHead} />}
      {responseHeaders && (
        <details>
          <summary>{t('webhooks.responseHeaders')}</summary>
          <pre className={styles.code} tabIndex={0} aria-label={t('webhooks.responseHeaders')}>
            {writeHeaders(responseHeaders)}
          </pre>
        </details>
      )}
      {nextAttemptAt && (
        <p className="muted">{t('webhooks.nextAt', { at: formatInstant(nextAttemptAt) })}</p>
      )}
    </li>
  );
}

function Sheet({ delivery, canWrite }: { delivery: DeliveryDetail; canWrite: boolean }) {
  const { t } = useTranslation();
  const { request, log } = delivery;
  // Newest attempt first.
  const sent = log[0]?.requestHeaders ?? request.headers;
  return (
    <div className={styles.form}>
      <div className={styles.line}>
        <DeliveryStatus status={delivery.state} />
        <code className={styles.address}>{delivery.messageId}</code>
      </div>
      {delivery.partOf !== null && (
        <p className="muted">{t('webhooks.partOf', { id: delivery.partOf })}</p>
      )}
      {delivery.sequence !== null && <RedeliverOne deliveryId={delivery.id} canWrite={canWrite} />}
      <section className={styles.block} aria-label={t('webhooks.attempts')}>
        <h3>{t('webhooks.attempts')}</h3>
        {log.length === 0 ? (
          <p className="muted">{t('webhooks.notTried')}</p>
        ) : (
          <ol className={styles.attempts}>
            {log.map((attempt) => (
              <Attempt key={attempt.number} attempt={attempt} />
            ))}
          </ol>
        )}
      </section>
      <Block title={t('webhooks.payload')} text={layOut(request.body)} copied={request.body} />
      <Block title={t('webhooks.headers')} text={`POST ${request.url}\n${writeHeaders(sent)}`} />
    </div>
  );
}

/** One delivery with its payload, attempts and responses. Its id is kept in the address. */
export function DeliveryDrawer({ canWrite }: { canWrite: boolean }) {
  const { t } = useTranslation();
  const [chosen, setChosen] = useSearchValue('delivery');
  const deliveryId = Number(chosen) || 0;
  const query = useQuery({ ...deliveryQuery(deliveryId), enabled: deliveryId > 0 });
  return (
    <Drawer
      opened={deliveryId > 0}
      onClose={() => setChosen(null)}
      position="right"
      size={560}
      title={query.data ? t(`event.${query.data.type}.title`) : t('webhooks.deliveryTitle')}
      closeButtonProps={{ 'aria-label': t('common.close') }}
    >
      <Loaded query={query} height={420}>
        {(delivery) => <Sheet delivery={delivery} canWrite={canWrite} />}
      </Loaded>
    </Drawer>
  );
}
