import { useTranslation } from 'react-i18next';
import type { Budget } from '../../api.ts';
import { Card } from '../../components/card.tsx';
import { formatCount, formatDecimal, formatShare } from '../../format.ts';

const kinds = ['rankChecks', 'appRefreshes', 'canaries'] as const;

/** What a day asks of each store, by kind of work. */
export function FanOutCard({ budget }: { budget: Budget }) {
  const { t } = useTranslation();
  return (
    <Card title={t('fanOut.title')} lead={t('fanOut.lead')}>
      <div className="table-scroll" role="region" aria-label={t('fanOut.table')} tabIndex={0}>
        <table className="plain-table">
          <thead>
            <tr>
              <th>{t('facts.store')}</th>
              {kinds.map((kind) => (
                <th key={kind} className="end">
                  {t(`fanOut.${kind}`)}
                </th>
              ))}
              <th className="end">{t('fanOut.requests')}</th>
              <th className="end">{t('fanOut.capacity')}</th>
              <th className="end">{t('fanOut.share')}</th>
            </tr>
          </thead>
          <tbody>
            {budget.fanOut.map((store) => (
              <tr key={store.store}>
                <td>
                  {t(`store.${store.store}`)}
                  {!store.learned && <span className="muted"> · {t('fanOut.bound')}</span>}
                </td>
                {kinds.map((kind) => (
                  <td key={kind} className="end num">
                    {formatCount(store.kinds[kind].jobs)}
                    <span className="muted">
                      {' '}
                      · {t('fanOut.asks', { count: store.kinds[kind].requests, shown: formatCount(Math.round(store.kinds[kind].requests)) })}
                    </span>
                  </td>
                ))}
                <td className="end num">{formatCount(Math.round(store.requests))}</td>
                <td className="end num">
                  {t('fanOut.rate', {
                    rpm: formatDecimal(store.capacity.requestsPerMinute),
                    endpoints: store.capacity.endpoints,
                    day: formatCount(Math.round(store.capacity.requestsPerDay)),
                  })}
                </td>
                <td className="end num">
                  <strong>{formatShare(store.utilization)}</strong>
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </Card>
  );
}
