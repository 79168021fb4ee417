import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { profileOf } from '#stores/profiles.ts';
import { Ago } from '#web/components/ago.tsx';
import { Card } from '#web/components/card.tsx';
import { Loaded } from '#web/components/loaded.tsx';
import { State } from '#web/components/state.tsx';
import { formatCount, formatInstant, formatShare } from '#web/format.ts';
import { egressProxiesQuery, type EgressProxy } from '#web/queries/admin.ts';
import styles from './admin-page.module.css';

function Connection({ connection: { state, consecutiveFailures, unavailableUntil } }: EgressProxy) {
  const { t } = useTranslation();
  return (
    <>
      {state === 'ok'
        ? t('admin.proxyOk')
        : t('admin.proxyCircuitOpen', {
            at: unavailableUntil ? formatInstant(unavailableUntil) : '–',
          })}
      {consecutiveFailures > 0 && (
        <span className={styles.small}>{t('admin.failures', { count: consecutiveFailures })}</span>
      )}
    </>
  );
}

function StoreCells({ at }: { at: EgressProxy['stores'][number] }) {
  const { t } = useTranslation();
  return (
    <>
      <td>
        {profileOf(at.store).name}
        {at.host && <span className={styles.small}>{at.host}</span>}
      </td>
      <td>
        <State tone={at.state === 'ok' ? 'good' : 'warn'}>
          {t(`admin.proxyState.${at.state}`, {
            share: formatShare(1 / Math.max(1, at.slowFactor)),
          })}
        </State>
        {at.cooldownUntil && (
          <span className={styles.small}>
            {t('admin.cooldownUntil', { at: formatInstant(at.cooldownUntil) })}
          </span>
        )}
      </td>
      <td className="end num">{formatCount(at.granted)}</td>
      <td className="end num">{formatCount(at.refused)}</td>
      <td>
        {at.lastRefusedAt ? (
          <Ago instant={at.lastRefusedAt} />
        ) : (
          <span className="muted">{t('admin.none')}</span>
        )}
        {at.lastMarker && <span className={styles.small}>{at.lastMarker}</span>}
      </td>
    </>
  );
}

/** A proxy without requests has one row, too. */
const orUnused = (stores: EgressProxy['stores']) => (stores.length > 0 ? stores : [null]);

/** The connections used for store requests: this machine or proxies. */
export function EgressProxiesCard() {
  const { t } = useTranslation();
  const query = useQuery(egressProxiesQuery);
  return (
    <Card title={t('admin.proxies')} lead={t('admin.proxiesLead')}>
      <Loaded query={query} height={180}>
        {({ items }) => (
          <div
            className="table-scroll"
            role="region"
            aria-label={t('table.region', { label: t('admin.proxies') })}
            tabIndex={0}
          >
            <table className="plain-table">
              <thead>
                <tr>
                  <th scope="col">{t('admin.proxy')}</th>
                  <th scope="col">{t('admin.connection')}</th>
                  <th scope="col">{t('admin.store')}</th>
                  <th scope="col">{t('admin.state')}</th>
                  <th scope="col" className="end">
                    {t('admin.granted')}
                  </th>
                  <th scope="col" className="end">
                    {t('admin.refused')}
                  </th>
                  <th scope="col">{t('admin.lastRefusal')}</th>
                </tr>
              </thead>
              <tbody>
                {items.flatMap((way) =>
                  orUnused(way.stores).map((at) => (
                    <tr key={`${way.endpoint} ${at?.store} ${at?.host}`}>
                      <th scope="row">
                        {way.endpoint === 'direct' ? t('admin.direct') : way.endpoint}
                      </th>
                      <td>
                        <Connection {...way} />
                      </td>
                      {at ? <StoreCells at={at} /> : <td colSpan={5}>–</td>}
                    </tr>
                  )),
                )}
              </tbody>
            </table>
          </div>
        )}
      </Loaded>
    </Card>
  );
}
