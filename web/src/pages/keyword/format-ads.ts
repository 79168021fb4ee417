import type { TFunction } from 'i18next';
import { formatCount, formatList } from '#web/format.ts';

/** `2 ads, before positions 1 and 5`. */
export function formatAds(ads: readonly number[], t: TFunction): string {
  if (ads.length === 0) return t('providers.noAds');
  const positions = [...new Set(ads)].map((position) => formatCount(position));
  return t('providers.ads', { count: ads.length, positions: formatList(positions, 'long') });
}
