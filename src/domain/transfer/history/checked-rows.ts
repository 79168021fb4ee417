import type { Db } from '#db/database.ts';
import {
  insertHistoryChunk,
  listKnownDays,
  type HistoryOutcomes,
} from '#db/queries/history-imports/parts-and-chunks.ts';
import { marketKey } from '#domain/tracking/keywords/plan-addition.ts';
import { SheetError } from '#domain/base/ports.ts';
import { daysBetween, firstDay } from '#lib/dates.ts';
import { countOutcomes, packRows, rowsInChunk, type StoredRow } from './chunks.ts';
import type { HistoryEntry, HistoryReason } from './reading.ts';

const missingMax = 1_000;
/** More than 1,000 keywords have in ten years. */
const rowsMax = 5_000_000;

interface Missing {
  phrase: string;
  country: string;
  device: string;
  rows: number;
}

/** Collects entries, decides what an import would do, and stores the results in chunks. */
export class CheckedRows {
  readonly #db: Db;
  readonly #of: { workspaceId: number; importId: number };
  readonly counts: HistoryOutcomes = { written: 0, known: 0, refused: 0 };
  readonly reasons = new Map<HistoryReason, number>();
  /** All entries so far, with empty cells of a wide table. */
  count = 0;
  #waiting: HistoryEntry[] = [];
  #chunks = 0;
  readonly #missing = new Map<string, Missing>();
  /** One bit for each day since 2000 by keyword: 2,000,000 days take less than 10 MB. */
  readonly #days = new Map<number, Uint8Array>();
  readonly #dayNumbers = new Map<string, number>();

  constructor(db: Db, of: { workspaceId: number; importId: number }) {
    this.#db = db;
    this.#of = of;
  }

  get isFull(): boolean {
    return this.#waiting.length >= rowsInChunk;
  }

  listMissing(): Missing[] {
    return [...this.#missing.values()];
  }

  /** Empty cells of a wide table are counted only. Throws SheetError above 5,000,000 entries. */
  add(entry: HistoryEntry): void {
    this.count += 1;
    if (this.count > rowsMax)
      throw new SheetError(
        'too_many_rows',
        `The file has more than ${rowsMax} rows, or cells in a table with a column for each day ` +
          'or keyword. Split it, and import each part.',
      );
    if (entry.column !== null && entry.reason === 'no_position') {
      this.#countReason(entry.reason);
      return;
    }
    if (entry.reason === null && this.#isRepeated(entry.keywordId!, entry.date!)) {
      entry.reason = 'repeated_day';
      entry.value = entry.date;
      entry.position = null;
      entry.depth = null;
    }
    if (entry.reason === 'not_tracked') this.#addMissing(entry);
    this.#waiting.push(entry);
  }

  /** Stores the waiting entries. */
  async flush(): Promise<void> {
    const waiting = this.#waiting;
    this.#waiting = [];
    for (let start = 0; start < waiting.length; start += rowsInChunk)
      await this.#store(waiting.slice(start, start + rowsInChunk));
  }

  async #store(entries: readonly HistoryEntry[]): Promise<void> {
    const readable = entries.flatMap(({ reason, keywordId, date }) =>
      reason === null ? [{ keywordId: keywordId!, date: date! }] : [],
    );
    const known = await listKnownDays(this.#db, this.#of.workspaceId, readable);
    const rows = entries.map((entry): StoredRow => ({
      ...entry,
      outcome:
        entry.reason !== null
          ? 'refused'
          : known.has(`${entry.keywordId} ${entry.date}`)
            ? 'known'
            : 'written',
    }));
    const outcomes = countOutcomes(rows);
    this.#chunks += 1;
    const data = await packRows(rows);
    const { workspaceId, importId } = this.#of;
    await insertHistoryChunk(this.#db, workspaceId, {
      importId,
      number: this.#chunks,
      outcomes,
      data,
    });
    for (const { reason } of entries) if (reason !== null) this.#countReason(reason);
    for (const name of ['written', 'known', 'refused'] as const)
      this.counts[name] += outcomes[name];
  }

  #countReason(reason: HistoryReason): void {
    this.reasons.set(reason, (this.reasons.get(reason) ?? 0) + 1);
  }

  #isRepeated(keywordId: number, date: string): boolean {
    let number = this.#dayNumbers.get(date);
    if (number === undefined) {
      number = daysBetween(firstDay, date);
      this.#dayNumbers.set(date, number);
    }
    const index = number >> 3;
    const mask = 1 << (number & 7);
    let days = this.#days.get(keywordId);
    if (!days || days.length <= index) {
      const longer = new Uint8Array(index + 64);
      if (days) longer.set(days);
      days = longer;
      this.#days.set(keywordId, days);
    }
    if ((days[index]! & mask) !== 0) return true;
    days[index]! |= mask;
    return false;
  }

  #addMissing({ phrase, country, device }: HistoryEntry): void {
    const market = { phrase: phrase!, country: country!, device: device! };
    const key = marketKey(market);
    const known = this.#missing.get(key);
    if (known) known.rows += 1;
    else if (this.#missing.size < missingMax) this.#missing.set(key, { ...market, rows: 1 });
  }
}
