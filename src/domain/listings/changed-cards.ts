import type { HashedCard } from '../../db/queries/listings.ts';
import type { UtcDay } from '../../lib/dates.ts';
import type { StoreName } from '../ports.ts';

export interface CardsOfDay {
  day: UtcDay;
  cards: HashedCard[];
}

const writtenAtOnce = 200;

/**
 * Cards of known listings that differ from what is kept. Each search brings a few: they wait for each other, at most until
 * the first of another day. What a process that ends had waiting comes again with the next search.
 */
export class ChangedCards {
  private readonly waiting = new Map<StoreName, CardsOfDay>();

  /** Those to be written now, or null. */
  add(store: StoreName, cards: readonly HashedCard[], day: UtcDay): CardsOfDay | null {
    if (cards.length === 0) return null;
    const waiting = this.waiting.get(store);
    const isSameDay = waiting?.day === day;
    const together = isSameDay ? [...waiting.cards, ...cards] : [...cards];
    if (isSameDay && together.length >= writtenAtOnce) {
      this.waiting.delete(store);
      return { day, cards: together };
    }
    this.waiting.set(store, { day, cards: together });
    return isSameDay ? null : (waiting ?? null);
  }
}
