import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { Ago } from '../../components/ago.tsx';
import { Card } from '../../components/card.tsx';
import { Facts } from '../../components/facts.tsx';
import { Loaded } from '../../components/loaded.tsx';
import { State } from '../../components/state.tsx';
import { storeTones } from '../../components/store-tones.ts';
import { formatCount, formatDecimal, formatInstant, formatShare } from '../../format.ts';
import { operatedStoresQuery, type OperatedStore } from '../../queries/operator.ts';
import styles from './operator-page.module.css';

function Refusal({ refusal }: { refusal: OperatedStore['lastRefusal'] }) {
  const { t } = useTranslation();
  if (!refusal) return <span className="muted">{t('operator.none')}</span>;
  return (
    <>
      <Ago instant={refusal.at} />{' '}
      <code className={styles.marker}>{refusal.marker ?? refusal.endpoint}</code>
      {refusal.coolsUntil && (
        <span className={styles.small}>
          {t('operator.coolsUntil', { at: formatInstant(refusal.coolsUntil) })}
        </span>
      )}
    </>
  );
}

function Store({
  answer: { store, canary, requestsPerMinute, requestsToday, refusedToday, lastRefusal },
}: {
  answer: OperatedStore;
}) {
  const { t } = useTranslation();
  const state = canary?.state ?? 'unknown';
  const share =
    refusedToday > 0 ? ` (${formatShare(refusedToday / Math.max(1, requestsToday))})` : '';
  return (
    <section aria-label={t(`store.${store}`)}>
      <h3>{t(`store.${store}`)}</h3>
      <State tone={storeTones[state]}>
        {t(`operator.canary.${state}`)}
        {canary?.marker && <code className={styles.marker}>{canary.marker}</code>}
      </State>
      <Facts
        className={styles.facts}
        facts={[
          [t('operator.canary'), <Ago key="canary" instant={canary?.triedAt} />],
          [
            t('operator.pace'),
            t('operator.paceOf', {
              now: formatDecimal(requestsPerMinute.inUse),
              full: formatDecimal(requestsPerMinute.allowed),
            }),
          ],
          [t('operator.requestsToday'), formatCount(requestsToday)],
          [t('operator.refusedToday'), `${formatCount(refusedToday)}${share}`],
          [t('operator.lastRefusal'), <Refusal key="refusal" refusal={lastRefusal} />],
        ]}
      />
    </section>
  );
}

/** How each store answers, and at what pace it is asked. */
export function StoresCard() {
  const { t } = useTranslation();
  const query = useQuery(operatedStoresQuery);
  return (
    <Card title={t('operator.stores')} lead={t('operator.storesLead')}>
      <Loaded query={query} height={220}>
        {({ items }) => (
          <div className={styles.pair}>
            {items.map((answer) => (
              <Store key={answer.store} answer={answer} />
            ))}
          </div>
        )}
      </Loaded>
    </Card>
  );
}
