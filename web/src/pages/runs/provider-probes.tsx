import type { TFunction } from 'i18next';
import { useTranslation } from 'react-i18next';
import { profileOf } from '#stores/profiles.ts';
import type { Run } from '#web/api.ts';
import { formatProvider } from '#web/components/format-provider.ts';
import { formatSampledDistance } from '#web/components/format-distance.ts';
import { StoreState } from '#web/components/store-state.tsx';
import { formatClock, formatCount } from '#web/format.ts';
import styles from './runs.module.css';

type Health = Run['storeHealth'][number];

/** The probes of a store's search providers, fallbacks, and the times when one withheld results. */
export function ProviderProbes({
  health: { store, providers, fallbacks, anomalies },
}: {
  health: Health;
}) {
  const { t } = useTranslation();
  if (providers.length === 0 && fallbacks === 0 && anomalies.length === 0) return null;
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
      {anomalies.map((anomaly) => (
        <li key={`${anomaly.provider} ${anomaly.detectedAt}`}>
          {formatAnomaly(store, anomaly, t)}
        </li>
      ))}
    </ul>
  );
}

function formatAnomaly(
  store: Health['store'],
  { provider, detectedAt, recoveredAt, compared, short, retracted }: Health['anomalies'][number],
  t: TFunction,
): string {
  const shown = {
    provider: formatProvider(store, provider, t),
    from: formatClock(detectedAt),
    to: recoveredAt === null ? '' : formatClock(recoveredAt),
    short: formatCount(short),
    compared: formatCount(compared),
  };
  const what = t(recoveredAt === null ? 'runs.withholding' : 'runs.withheld', shown);
  if (!retracted) return what;
  return `${what} ${t('runs.retracted', { count: retracted, shown: formatCount(retracted) })}`;
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
