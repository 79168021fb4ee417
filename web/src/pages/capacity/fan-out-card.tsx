import { useTranslation } from 'react-i18next';
import { profileOf } from '#stores/profiles.ts';
import type { Budget } from '#web/api.ts';
import { Card } from '#web/components/card.tsx';
import { formatCount, formatDecimal, formatShare } from '#web/format.ts';
import styles from './fan-out-card.module.css';
import { loadKinds } from '../runs/load-kinds.ts';

type StoreFanOut = Budget['fanOut'][number];

const part = (requests: number, all: number) => `${(requests / Math.max(1e-9, all)) * 100}%`;

/** The requests of one store by type, each as wide as its share. */
function Bar({ store }: { store: StoreFanOut }) {
  const { t } = useTranslation();
  const kinds = loadKinds.filter((kind) => store.kinds[kind].requests > 0);
  const summary = kinds
    .map((kind) => `${t(`fanOut.${kind}`)} ${formatCount(Math.round(store.kinds[kind].requests))}`)
    .join(', ');
  return (
    <div className={styles.store}>
      <div className={styles.head}>
        <strong>{profileOf(store.store).name}</strong>
        <span className="num muted">
          {t('fanOut.sum', {
            requests: formatCount(Math.round(store.requests)),
            share: formatShare(store.utilization),
          })}
          {!store.learned && ` · ${t('fanOut.bound')}`}
        </span>
      </div>
      <div
        className={styles.bar}
        role="img"
        aria-label={t('fanOut.bar', {
          store: profileOf(store.store).name,
          kinds: summary || t('fanOut.nothing'),
        })}
      >
        {kinds.map((kind) => (
          <span
            key={kind}
            data-kind={kind}
            style={{ width: part(store.kinds[kind].requests, store.requests) }}
            title={`${t(`fanOut.${kind}`)}: ${formatCount(Math.round(store.kinds[kind].requests))}`}
          />
        ))}
      </div>
    </div>
  );
}

/** The daily work of each store by type, as bars and as a table. */
export function FanOutCard({ budget }: { budget: Budget }) {
  const { t } = useTranslation();
  const figures = ({ jobs, requests }: { jobs: number; requests: number }) => (
    <>
      {formatCount(jobs)}
      <span className={styles.requests}>
        <span className={styles.dot}> · </span>
        {t('fanOut.requests', {
          count: Math.round(requests),
          shown: formatCount(Math.round(requests)),
        })}
      </span>
    </>
  );
  return (
    <Card title={t('fanOut.title')} lead={t('fanOut.lead')}>
      <div className={styles.bars}>
        {budget.fanOut.map((store) => (
          <Bar key={store.store} store={store} />
        ))}
      </div>
      <div
        className={`table-scroll ${styles.card}`}
        role="region"
        aria-label={t('table.region', { label: t('fanOut.title') })}
        tabIndex={0}
      >
        <table className="plain-table">
          <thead>
            <tr>
              <th scope="col">{t('fanOut.kind')}</th>
              {budget.fanOut.map(({ store }) => (
                <th key={store} scope="col" className="end">
                  {profileOf(store).name}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {loadKinds.map((kind) => (
              <tr key={kind}>
                <th scope="row" className={styles.kind}>
                  <span className={styles.swatch} data-kind={kind} aria-hidden />
                  {t(`fanOut.${kind}`)}
                  <span className={styles.hint}>{t(`fanOut.about.${kind}`)}</span>
                </th>
                {budget.fanOut.map((store) => (
                  <td key={store.store} className="end num">
                    {figures(store.kinds[kind])}
                  </td>
                ))}
              </tr>
            ))}
            <tr>
              <th scope="row" className={styles.kind}>
                {t('fanOut.capacity')}
              </th>
              {budget.fanOut.map(({ store, capacity }) => (
                <td key={store} className="end num">
                  {t('fanOut.day', { day: formatCount(Math.round(capacity.requestsPerDay)) })}
                  <span className={styles.hint}>
                    {t('fanOut.rate', {
                      rpm: formatDecimal(capacity.requestsPerMinute),
                      count: capacity.endpoints,
                    })}
                  </span>
                  {capacity.hosts
                    .filter((host) => host.requestsPerMinute !== capacity.requestsPerMinute)
                    .map(({ host, requestsPerMinute }) => (
                      <span key={host} className={styles.hint}>
                        {t('fanOut.rateAt', { host, rpm: formatDecimal(requestsPerMinute) })}
                      </span>
                    ))}
                </td>
              ))}
            </tr>
          </tbody>
        </table>
      </div>
    </Card>
  );
}
