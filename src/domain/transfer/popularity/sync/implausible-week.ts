import type { z } from 'zod';
import type { quarantinedWeek } from '#contract/popularity-sync.ts';
import type { WeekFigures } from '#db/queries/popularity/weeks.ts';

export type ImplausibleReason = z.input<typeof quarantinedWeek>['reasons'][number];

/** Limits in percent. */
const unreadableMost = 1;
const sameValueMost = 95;
const termsLeast = 50;
const genresLeast = 50;
const sharedLeast = 20;
/** Fewer terms say nothing about how their numbers are distributed. */
const enoughTerms = 100;

/**
 * The reasons why a week is not believed: many unreadable rows or equal numbers, and far fewer
 * terms or genres than the week before, or almost none of its terms. Empty for a plausible week.
 */
export function findImplausible(figures: WeekFigures, unreadable: number): ImplausibleReason[] {
  const { terms, genres, sameValue, before } = figures;
  const reasons: ImplausibleReason[] = [];
  const most = (reason: ImplausibleReason['reason'], percent: number, limit: number) => {
    if (percent > limit) reasons.push({ reason, percent: round(percent), limit });
  };
  const least = (reason: ImplausibleReason['reason'], percent: number, limit: number) => {
    if (percent < limit) reasons.push({ reason, percent: round(percent), limit });
  };
  most('unreadable_rows', shareOf(unreadable, terms + unreadable), unreadableMost);
  if (terms >= enoughTerms) most('same_value', shareOf(sameValue, terms), sameValueMost);
  if (before === null || before.terms === 0) return reasons;
  least('few_terms', shareOf(terms, before.terms), termsLeast);
  least('few_genres', shareOf(genres, before.genres), genresLeast);
  if (Math.min(terms, before.terms) >= enoughTerms)
    least('few_shared_terms', shareOf(before.shared, Math.min(terms, before.terms)), sharedLeast);
  return reasons;
}

const shareOf = (part: number, whole: number): number => (whole === 0 ? 0 : (100 * part) / whole);
const round = (percent: number): number => Math.round(10 * percent) / 10;
