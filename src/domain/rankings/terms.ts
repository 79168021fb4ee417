import { addDays, daysBetween, type UtcDay } from '../../lib/dates.ts';

/** From `day` on the keyword is followed to `depth`; 0 is paused, -1 held back since the plan holds fewer. */
export type Term = readonly [day: UtcDay, depth: number];

/** In the bytes of `termDepths`: the keyword did not exist yet, so the day is nobody's business. */
export const unseen = 255;
export const paused = 0;
/** What a term says of days over the plan's limit, and what stands for them in the bytes. */
export const overQuotaTerm = -1;
export const overQuota = 254;

/** Of a byte of `termDepths`: whether the day was this workspace's to see. */
export const isFollowed = (term: number): boolean =>
  term !== paused && term !== overQuota && term !== unseen;

/** Reads keywords.terms. Of two terms of one day the later written stands. */
export function readTerms(stored: unknown): Term[] {
  const terms = (stored as Term[]).map(([day, depth]): Term => [day, depth]);
  return terms.sort((a, b) => (a[0] < b[0] ? -1 : a[0] > b[0] ? 1 : 0));
}

/** `readTerms` for many keywords, most of which have the same terms: what is equal is read once, and shared. */
export function readerOfTerms(): (stored: unknown) => Term[] {
  const known = new Map<unknown, Term[]>();
  return (stored) => {
    const terms = known.get(stored) ?? readTerms(stored);
    known.set(stored, terms);
    return terms;
  };
}

/** The depth followed on a day; 0 while paused or over the plan's limit, null before the keyword existed. Terms as `readTerms` gives them. */
export function termDepthOn(terms: readonly Term[], day: UtcDay): number | null {
  const depth = terms.findLast(([from]) => from <= day)?.[1];
  return depth === undefined ? null : Math.max(paused, depth);
}

export function firstDayOf(terms: readonly Term[]): UtcDay | null {
  return terms[0]?.[0] ?? null;
}

/** The terms that follow from a change on `day`: what was true before stays true, a second change of a day replaces the first. */
export function withTerm(terms: readonly Term[], day: UtcDay, depth: number): Term[] {
  const earlier = terms.filter(([from]) => from < day);
  return earlier.at(-1)?.[1] === depth ? earlier : [...earlier, [day, depth]];
}

/** One byte for each of the days, which lie in a row: the depth followed, `paused`, `overQuota`, or `unseen`. Writes into `depths`. */
export function termDepths(
  terms: readonly Term[],
  days: readonly UtcDay[],
  depths: Uint8Array = new Uint8Array(days.length),
): Uint8Array {
  depths.fill(unseen);
  const [first, last] = [days[0], days.at(-1)];
  if (first === undefined || last === undefined) return depths;
  for (const [day, depth] of terms) {
    if (day <= last)
      depths.fill(
        depth === overQuotaTerm ? overQuota : depth,
        day <= first ? 0 : daysBetween(first, day),
      );
  }
  return depths;
}

/** The spans of days up to `today` on which the keyword was followed; both ends included. */
export function followedSpans(
  terms: readonly Term[],
  today: UtcDay,
): { from: UtcDay; to: UtcDay }[] {
  return terms.flatMap(([from, depth], index) => {
    const next = terms[index + 1]?.[0];
    const to = next === undefined || next > today ? today : addDays(next, -1);
    return depth <= paused || from > to ? [] : [{ from, to }];
  });
}
