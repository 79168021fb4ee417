import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { profileOf } from '#stores/profiles.ts';
import { Ago } from '#web/components/ago.tsx';
import { Card } from '#web/components/card.tsx';
import { Facts, type Fact } from '#web/components/facts.tsx';
import { Loaded } from '#web/components/loaded.tsx';
import { State } from '#web/components/state.tsx';
import { storeTones } from '#web/components/store-tones.ts';
import { formatCount, formatDecimal, formatInstant, formatShare } from '#web/format.ts';
import { adminStoresQuery, type AdminStore } from '#web/queries/admin.ts';
import styles from './admin-page.module.css';

function Refusal({ refusal }: { refusal: AdminStore['lastRefusal'] }) {
  const { t } = useTranslation();
  if (!refusal) return <span className="muted">{t('admin.none')}</span>;
  return (
    <>
      <Ago instant={refusal.at} />{' '}
      <code className={styles.marker}>{refusal.marker ?? refusal.endpoint}</code>
      {refusal.cooldownUntil && (
        <span className={styles.small}>
          {t('admin.cooldownUntil', { at: formatInstant(refusal.cooldownUntil) })}
        </span>
      )}
    </>
  );
}

function Store({
  item: { store, probe, requestsPerMinute, requestsToday, refusedToday, lastRefusal, hosts },
}: {
  item: AdminStore;
}) {
  const { t } = useTranslation();
  const paceText = ({ inUse, allowed }: AdminStore['requestsPerMinute']) =>
    t('admin.paceOf', { now: formatDecimal(inUse), full: formatDecimal(allowed) });
  const state = probe?.state ?? 'unknown';
  const share =
    refusedToday > 0 ? ` (${formatShare(refusedToday / Math.max(1, requestsToday))})` : '';
  return (
    <section aria-label={profileOf(store).name}>
      <h3>{profileOf(store).name}</h3>
      <State tone={storeTones[state]}>
        {t(`admin.probe.${state}`)}
        {probe?.marker && <code className={styles.marker}>{probe.marker}</code>}
      </State>
      <Facts
        className={styles.facts}
        facts={[
          [t('admin.probe'), <Ago key="probe" instant={probe?.probedAt} />],
          [t('admin.pace'), paceText(requestsPerMinute)],
          [t('admin.requestsToday'), formatCount(requestsToday)],
          [t('admin.refusedToday'), `${formatCount(refusedToday)}${share}`],
          [t('admin.lastRefusal'), <Refusal key="refusal" refusal={lastRefusal} />],
          ...hosts.flatMap(({ host, ...pace }): Fact[] => [
            [t('admin.paceAt', { host }), paceText(pace.requestsPerMinute)],
            [
              t('admin.lastRefusalAt', { host }),
              <Refusal key={`refusal ${host}`} refusal={pace.lastRefusal} />,
            ],
          ]),
        ]}
      />
    </section>
  );
}

export function StoresCard() {
  const { t } = useTranslation();
  const query = useQuery(adminStoresQuery);
  return (
    <Card title={t('admin.stores')} lead={t('admin.storesLead')}>
      <Loaded query={query} height={220}>
        {({ items }) => (
          <div className={styles.pair}>
            {items.map((item) => (
              <Store key={item.store} item={item} />
            ))}
          </div>
        )}
      </Loaded>
    </Card>
  );
}
