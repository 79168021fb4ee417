import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { Ago } from '../../components/ago.tsx';
import { Card } from '../../components/card.tsx';
import { Loaded } from '../../components/loaded.tsx';
import { State } from '../../components/state.tsx';
import { formatCount, formatInstant, formatShare } from '../../format.ts';
import { waysOutQuery, type WayOut } from '../../queries/operator.ts';
import styles from './operator-page.module.css';

function Connection({ connection: { state, failuresInRow, restsUntil } }: WayOut) {
  const { t } = useTranslation();
  return (
    <>
      {state === 'ok'
        ? t('operator.wayOk')
        : t('operator.wayRests', { at: restsUntil ? formatInstant(restsUntil) : '–' })}
      {failuresInRow > 0 && (
        <span className={styles.small}>{t('operator.failures', { count: failuresInRow })}</span>
      )}
    </>
  );
}

function StoreCells({ at }: { at: WayOut['stores'][number] }) {
  const { t } = useTranslation();
  return (
    <>
      <td>{t(`store.${at.store}`)}</td>
      <td>
        <State tone={at.state === 'ok' ? 'good' : 'warn'}>
          {t(`operator.way.${at.state}`, { share: formatShare(1 / Math.max(1, at.slowFactor)) })}
        </State>
        {at.coolsUntil && (
          <span className={styles.small}>
            {t('operator.coolsUntil', { at: formatInstant(at.coolsUntil) })}
          </span>
        )}
      </td>
      <td className="end num">{formatCount(at.granted)}</td>
      <td className="end num">{formatCount(at.refused)}</td>
      <td>
        {at.lastRefusedAt ? (
          <Ago instant={at.lastRefusedAt} />
        ) : (
          <span className="muted">{t('operator.none')}</span>
        )}
        {at.lastMarker && <span className={styles.small}>{at.lastMarker}</span>}
      </td>
    </>
  );
}

/** How each way out to the stores is: the machine itself, or a proxy. */
export function WaysOutCard() {
  const { t } = useTranslation();
  const query = useQuery(waysOutQuery);
  return (
    <Card title={t('operator.ways')} lead={t('operator.waysLead')}>
      <Loaded query={query} height={180}>
        {({ items }) => (
          <div
            className="table-scroll"
            role="region"
            aria-label={t('operator.waysTable')}
            tabIndex={0}
          >
            <table className="plain-table">
              <thead>
                <tr>
                  <th scope="col">{t('operator.wayOut')}</th>
                  <th scope="col">{t('operator.connection')}</th>
                  <th scope="col">{t('operator.store')}</th>
                  <th scope="col">{t('operator.state')}</th>
                  <th scope="col" className="end">
                    {t('operator.granted')}
                  </th>
                  <th scope="col" className="end">
                    {t('operator.refused')}
                  </th>
                  <th scope="col">{t('operator.lastRefusal')}</th>
                </tr>
              </thead>
              <tbody>
                {items.flatMap((way) =>
                  way.stores.map((at) => (
                    <tr key={`${way.endpoint} ${at.store}`}>
                      <th scope="row">
                        {way.endpoint === 'direct' ? t('operator.direct') : way.endpoint}
                      </th>
                      <td>
                        <Connection {...way} />
                      </td>
                      <StoreCells at={at} />
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
