import { Drawer } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { CopyButton } from '../../../components/copy-button.tsx';
import { Loaded } from '../../../components/loaded.tsx';
import { formatCount, formatInstant } from '../../../format.ts';
import { deliveryQuery, type DeliveryDetail } from '../../../queries/webhooks.ts';
import { useSearchValue } from '../../../search-value.ts';
import { DeliveryStatus } from './delivery-status.tsx';
import { RedeliverOne } from './redeliver.tsx';
import styles from './webhooks.module.css';

function writeHeaders(headers: Record<string, string>): string {
  return Object.entries(headers)
    .map(([name, value]) => `${name}: ${value}`)
    .join('\n');
}

/** Laid out for people; the bytes that were signed are copied. */
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
          ? t('webhooks.noAnswer')
          : t('webhooks.answered', { status: httpStatus })}{' '}
        <span className="muted">{t('webhooks.ms', { ms: formatCount(latencyMs) })}</span>
      </p>
      {error && <p className="muted">{error}</p>}
      {responseHead && <Block title={t('webhooks.answer')} text={responseHead} />}
      {responseHeaders && (
        <details>
          <summary>{t('webhooks.answerHeaders')}</summary>
          <pre className={styles.code} tabIndex={0} aria-label={t('webhooks.answerHeaders')}>
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
  // The newest try comes first.
  const sent = log[0]?.requestHeaders ?? request.headers;
  return (
    <div className={styles.form}>
      <div className={styles.line}>
        <DeliveryStatus status={delivery.status} />
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

/** One delivery whole: what was sent, each attempt and what came back. Its id lives in the address. */
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
      title={query.data ? t(`alerts.event.${query.data.event}`) : t('webhooks.deliveryTitle')}
      closeButtonProps={{ 'aria-label': t('common.close') }}
    >
      <Loaded query={query} height={420}>
        {(delivery) => <Sheet delivery={delivery} canWrite={canWrite} />}
      </Loaded>
    </Drawer>
  );
}
