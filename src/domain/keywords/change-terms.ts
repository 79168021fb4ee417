import { addDays, type UtcDay } from '../../lib/dates.ts';
import { readTerms, termDepthOn, withTerm, type Term } from '../rankings/terms.ts';

/**
 * The terms after following to `depth` from now on; 0 is paused or deleted. A day that was checked stays as it was seen:
 * less than today's depth counts from tomorrow when today has its cell. More, and anything before the check, counts today.
 */
export function changeTerms(
  stored: unknown,
  change: { today: UtcDay; depth: number; hasCellToday: boolean },
): Term[] {
  const terms = readTerms(stored);
  const followed = termDepthOn(terms, change.today) ?? 0;
  const keepsToday = change.hasCellToday && change.depth < followed;
  return withTerm(terms, keepsToday ? addDays(change.today, 1) : change.today, change.depth);
}
