import type { TFunction } from 'i18next';
import { formatCount, formatDay } from '../../format.ts';
import type { DistributionDay } from '../../queries/rankings.ts';
import { checkedOf, followedOf } from './bands.ts';

/** `21 Nov 2026: 30 of 100 keywords checked`. */
export function tellCoverage(day: DistributionDay, t: TFunction): string {
  return t('distribution.newest', {
    day: formatDay(day.date, true),
    checked: formatCount(checkedOf(day)),
    count: followedOf(day),
    followed: formatCount(followedOf(day)),
  });
}
