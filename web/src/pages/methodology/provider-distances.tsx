import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { profileOf } from '#stores/profiles.ts';
import { formatSampledDistance } from '#web/components/format-distance.ts';
import { Loaded } from '#web/components/loaded.tsx';
import { formatDay } from '#web/format.ts';
import { providersQuery } from '#web/queries/providers.ts';
import styles from './methodology-page.module.css';

/** How far the orders of the providers are apart in the sample of this instance. */
export function ProviderDistances() {
  const { t } = useTranslation();
  const query = useQuery(providersQuery);
  return (
    <Loaded query={query} height={[78, 136]}>
      {({ items }) => {
        const sampled = items.filter(({ comparisons }) => comparisons.length > 0);
        if (sampled.length === 0) return <p className="muted">{t('methodology.providers.none')}</p>;
        return sampled.map(({ store, comparisons }) => (
          <figure key={store} className={styles.figure}>
            <figcaption>{profileOf(store).name}</figcaption>
            <ul className={styles.distances}>
              {comparisons.map((comparison) => (
                <li key={`${comparison.a} ${comparison.b}`}>
                  {formatSampledDistance(comparison, store, t)}
                  <span className={styles.hint}>
                    {t('methodology.providers.sample', {
                      from: formatDay(comparison.from, true),
                      to: formatDay(comparison.to, true),
                    })}
                  </span>
                </li>
              ))}
            </ul>
          </figure>
        ));
      }}
    </Loaded>
  );
}
