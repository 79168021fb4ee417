import type { TFunction } from 'i18next';
import { formatCount, formatDay } from '#web/format.ts';
import type { DistributionDay } from '#web/queries/rankings.ts';
import { checkedOf, followedOf } from './bands.ts';

/** `21 Nov 2026: 30 of 100 keywords checked`. */
export function formatCoverage(day: DistributionDay, t: TFunction): string {
  return t('distribution.newest', {
    day: formatDay(day.date, true),
    checked: formatCount(checkedOf(day)),
    count: followedOf(day),
    followed: formatCount(followedOf(day)),
  });
}
