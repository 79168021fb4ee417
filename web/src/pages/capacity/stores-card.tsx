import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import type { Budget, Run } from '../../api.ts';
import { Ago } from '../../components/ago.tsx';
import { Card } from '../../components/card.tsx';
import { Loaded } from '../../components/loaded.tsx';
import { formatCount, formatDay, formatDecimal, formatShare } from '../../format.ts';
import { runsQuery } from '../../queries/runs.ts';
import styles from './capacity-page.module.css';

type Health = Run['storeHealth'][number];

function Store({ health, capacity }: { health: Health; capacity: Budget['fanOut'][number]['capacity'] }) {
  const { t } = useTranslation();
  const { store, state, canaryAt, marker, requests, refused } = health;
  return (
    <section className={styles.store} aria-label={t(`store.${store}`)}>
      <h3>{t(`store.${store}`)}</h3>
      <span className={styles.state} data-state={state === 'ok' ? 'finished' : state}>
        <span className={styles.dot} aria-hidden />
        {t(`stores.state.${state}`)}
        {marker && <code>{marker}</code>}
      </span>
      <dl className={styles.facts}>
        <div>
          <dt>{t('stores.canary')}</dt>
          <dd>
            <Ago instant={canaryAt} />
          </dd>
        </div>
        <div>
          <dt>{t('stores.pace')}</dt>
          <dd>{t('stores.perMinute', { rpm: formatDecimal(capacity.requestsPerMinute) })}</dd>
        </div>
        <div>
          <dt>{t('stores.endpoints')}</dt>
          <dd>{formatCount(capacity.endpoints)}</dd>
        </div>
        <div>
          <dt>{t('stores.requests')}</dt>
          <dd>{requests === null ? <span className="muted">{t('stores.hidden')}</span> : formatCount(requests)}</dd>
        </div>
        <div>
          <dt>{t('stores.refused')}</dt>
          <dd>
            {refused === null || requests === null ? (
              <span className="muted">{t('stores.hidden')}</span>
            ) : (
              `${formatCount(refused)}${refused > 0 ? ` (${formatShare(refused / Math.max(1, requests))})` : ''}`
            )}
          </dd>
        </div>
      </dl>
    </section>
  );
}

/** How each store answers: its known search, its pace, what it refused. */
export function StoresCard({ budget }: { budget: Budget }) {
  const { t } = useTranslation();
  const query = useQuery(runsQuery(30));
  return (
    <Loaded query={query} height={180}>
      {({ items: [run] }) =>
        run ? (
          <Card title={t('stores.title')} lead={t('stores.lead', { day: formatDay(run.date) })}>
            <div className={styles.stores}>
              {run.storeHealth.map((health) => (
                <Store key={health.store} health={health} capacity={budget.fanOut.find(({ store }) => store === health.store)!.capacity} />
              ))}
            </div>
          </Card>
        ) : null
      }
    </Loaded>
  );
}
