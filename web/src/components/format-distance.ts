import type { TFunction } from 'i18next';
import type { Store } from '../api.ts';
import { formatCount, formatDecimal } from '../format.ts';
import { formatProvider } from './format-provider.ts';

interface Distance {
  medianDistance: number | null;
  correlation: number | null;
}

interface SampledDistance extends Distance {
  a: string;
  b: string;
  markets: number;
}

const orders = [
  ['same', 0.9],
  ['similar', 0.7],
  ['partly', 0.4],
] as const;

/** A rank correlation in words: `a similar order`. */
export function formatOrder(correlation: number, t: TFunction): string {
  const order = orders.find(([, least]) => correlation >= least)?.[0] ?? 'unrelated';
  return t(`distance.order.${order}`);
}

/** `typically 3 positions apart, a similar order (rank correlation 0.82)`. */
function formatDistance({ medianDistance, correlation }: Distance, t: TFunction): string {
  if (medianDistance === null) return t('distance.unknown');
  const apart = t('distance.median', {
    count: medianDistance,
    shown: formatDecimal(medianDistance),
  });
  if (correlation === null) return apart;
  const order = t('distance.correlation', {
    order: formatOrder(correlation, t),
    shown: formatDecimal(correlation, 2),
  });
  return `${apart}, ${order}`;
}

/** The distance between two providers in the sampled markets, as a sentence. */
export function formatSampledDistance(
  distance: SampledDistance,
  store: Store,
  t: TFunction,
): string {
  return t('distance.sampled', {
    a: formatProvider(store, distance.a, t),
    b: formatProvider(store, distance.b, t),
    distance: formatDistance(distance, t),
    count: distance.markets,
    shown: formatCount(distance.markets),
  });
}
