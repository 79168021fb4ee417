import type { HashedCard } from '../../db/queries/listings.ts';
import type { UtcDay } from '../../lib/dates.ts';
import type { StoreName } from '../ports.ts';

export interface CardsOfDay {
  day: UtcDay;
  cards: HashedCard[];
}

const writtenAtOnce = 200;
const waitMs = 10_000;

/**
 * Cards of known listings that differ from what is kept. Each search brings a few: they wait for each other, ten seconds or
 * until the first of another day. What a process that ends had waiting comes again with the next search.
 */
export class ChangedCards {
  private readonly waiting = new Map<StoreName, CardsOfDay>();

  /** Those to be written now, or null; those that wait too long are given to `writeLater`. */
  add(store: StoreName, { cards, day }: CardsOfDay, writeLater: (cards: CardsOfDay) => Promise<unknown>): CardsOfDay | null {
    if (cards.length === 0) return null;
    const waiting = this.waiting.get(store);
    if (waiting?.day === day) {
      waiting.cards.push(...cards);
      if (waiting.cards.length < writtenAtOnce) return null;
      this.waiting.delete(store);
      return waiting;
    }
    const begun: CardsOfDay = { day, cards: [...cards] };
    this.waiting.set(store, begun);
    const timer = setTimeout(() => {
      if (this.waiting.get(store) !== begun) return;
      this.waiting.delete(store);
      // A card is a courtesy: one that could not be written comes with the next day's search.
      void writeLater(begun).catch(() => undefined);
    }, waitMs);
    timer.unref();
    return waiting ?? null;
  }
}
