import { useTranslation } from 'react-i18next';
import { profileOf } from '#stores/profiles.ts';
import type { Run } from '#web/api.ts';
import { formatProvider } from '#web/components/format-provider.ts';
import { formatSampledDistance } from '#web/components/format-distance.ts';
import { StoreState } from '#web/components/store-state.tsx';
import { formatCount } from '#web/format.ts';
import styles from './runs.module.css';

/** The probe of each search provider of a store, and the markets that only a fallback answered. */
export function ProviderProbes({
  health: { store, providers, fallbacks },
}: {
  health: Run['storeHealth'][number];
}) {
  const { t } = useTranslation();
  if (providers.length === 0 && fallbacks === 0) return null;
  return (
    <ul
      className={styles.providers}
      aria-label={t('runs.providerProbes', { store: profileOf(store).name })}
    >
      {providers.map((probe) => (
        <li key={probe.provider}>
          <span>{formatProvider(store, probe.provider, t)}</span>
          <StoreState health={probe} />
        </li>
      ))}
      {fallbacks > 0 && (
        <li>{t('runs.fallbacks', { count: fallbacks, shown: formatCount(fallbacks) })}</li>
      )}
    </ul>
  );
}

/** How far the orders of two providers were apart in the markets sampled on the day. */
export function DayComparisons({ run }: { run: Run }) {
  const { t } = useTranslation();
  return (
    <ul className={styles.probes}>
      {run.comparisons.map((comparison) => (
        <li key={`${comparison.store} ${comparison.a} ${comparison.b}`}>
          {formatSampledDistance(comparison, comparison.store, t)}
        </li>
      ))}
    </ul>
  );
}
