import { colors, fadeColor } from '#web/components/chart/colors.ts';
import type { DistributionDay } from '#web/queries/rankings.ts';
import type { PositionFilter } from '../keywords/keyword-filters.ts';

/**
 * Best range first, with its share of the accent colour and the matching filter of the keywords
 * table.
 */
export const bands = [
  { id: 'top1', accent: 1, filter: 'position1' },
  { id: 'top2to3', accent: 0.84, filter: 'position2to3' },
  { id: 'top4to10', accent: 0.68, filter: 'position4to10' },
  { id: 'top11to50', accent: 0.53, filter: 'position11to50' },
  { id: 'top51to100', accent: 0.39, filter: 'position51to100' },
  { id: 'top101toDepth', accent: 0.26, filter: 'position101' },
  { id: 'notFound', muted: 0.42, filter: 'not_found' },
  { id: 'notChecked', muted: 0.12 },
] as const satisfies readonly ({ id: keyof DistributionDay; filter?: PositionFilter } & (
  | { accent: number }
  | { muted: number }
))[];

export type Band = (typeof bands)[number];

export const colorOf = (band: Band): string =>
  'accent' in band ? fadeColor(colors.accent, band.accent) : fadeColor(colors.muted, band.muted);

export const checkedOf = (day: DistributionDay): number =>
  bands.reduce((sum, { id }) => sum + (id === 'notChecked' ? 0 : day[id]), 0);
export const followedOf = (day: DistributionDay): number => checkedOf(day) + day.notChecked;

/** Days before the first keyword have no data. */
export function trimDays(days: readonly DistributionDay[]): DistributionDay[] {
  const first = days.findIndex((day) => followedOf(day) + day.notTracked > 0);
  return first < 0 ? [] : days.slice(first);
}
