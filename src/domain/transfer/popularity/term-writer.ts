import type { Db } from '#db/database.ts';
import {
  insertPopularitySet,
  insertPopularityTerms,
  type NewPopularityTerm,
} from '#db/queries/popularity/sets.ts';
import { popularityGenres } from '#domain/base/ports.ts';
import type { TermRow } from './term-rows.ts';

const rowsAtOnce = 2_000;
const ranksMax = 5_001;

export interface StagedSet {
  id: number | null;
  country: string;
  month: string;
  terms: number;
  refused: number;
}

type WrittenSet = StagedSet & { ranks: Uint8Array };

/** Writes the rows of a file into sets that nobody sees yet, one for each country and month. */
export class TermWriter {
  readonly #db: Db;
  readonly #from: { importId: number; now: Date };
  readonly #sets = new Map<string, WrittenSet>();
  /** The set of the last row of each country. */
  readonly #lastSets = new Map<string, WrittenSet>();
  /** Refused rows without a month, by country, from before its first set. */
  readonly #early = new Map<string, number>();
  #waiting: NewPopularityTerm[] = [];

  constructor(db: Db, from: { importId: number; now: Date }) {
    this.#db = db;
    this.#from = from;
  }

  sets(): StagedSet[] {
    return [...this.#sets.values()];
  }

  /** False for a rank that the genre of the set has already. */
  async add(row: TermRow): Promise<boolean> {
    const set = this.#setOf(row.country, row.month);
    const index = row.genre * ranksMax + row.rank;
    const mask = 1 << (index % 8);
    if ((set.ranks[index >> 3]! & mask) !== 0) return false;
    set.ranks[index >> 3]! |= mask;
    set.terms += 1;
    set.id ??= await insertPopularitySet(this.#db, {
      country: set.country,
      granularity: 'month',
      period: set.month,
      source: 'file',
      ...this.#from,
    });
    const { genre, rank, popularityInGenre, popularity, level, term, original } = row;
    const numbers = { genre, rank, popularityInGenre, popularity, level };
    this.#waiting.push({ setId: set.id, ...numbers, term, original });
    if (this.#waiting.length >= rowsAtOnce) await this.flush();
    return true;
  }

  /** A row without a month counts in the set of the country's rows beside it. */
  countRefused({ country, month }: { country: string; month: string | null }): void {
    const set = month === null ? this.#lastSets.get(country) : this.#setOf(country, month);
    if (set) set.refused += 1;
    else this.#early.set(country, (this.#early.get(country) ?? 0) + 1);
  }

  async flush(): Promise<void> {
    const terms = this.#waiting;
    this.#waiting = [];
    if (terms.length > 0) await insertPopularityTerms(this.#db, terms);
  }

  #setOf(country: string, month: string): WrittenSet {
    const key = `${country} ${month}`;
    let set = this.#sets.get(key);
    if (!set) {
      const ranks = new Uint8Array(Math.ceil((popularityGenres.length * ranksMax) / 8));
      const refused = this.#early.get(country) ?? 0;
      this.#early.delete(country);
      set = { id: null, country, month, terms: 0, refused, ranks };
      this.#sets.set(key, set);
    }
    this.#lastSets.set(country, set);
    return set;
  }
}
