import type { z } from 'zod';
import type { popularity } from '#contract/popularity.ts';

type Import = z.input<(typeof popularity)['GET /popularity/imports/{importId}']['responses'][200]>;
export type ImportedSet = Import['sets'][number];
export type FileRefusal = NonNullable<Import['refusal']>;
export type RefusedReason = Import['refused'][number]['reason'];

const shownLines = 10;
const shownCharacters = 100;

/** Counts refused rows by reason and keeps the first lines of each. */
export class RefusedRows {
  readonly #reasons = new Map<RefusedReason, Import['refused'][number]>();
  count = 0;

  add(reason: RefusedReason, line: number, value: string): void {
    this.count += 1;
    const known = this.#reasons.get(reason) ?? { reason, rows: 0, first: [] };
    known.rows += 1;
    if (known.first.length < shownLines) known.first.push({ line, value: shorten(value) });
    this.#reasons.set(reason, known);
  }

  toJSON(): Import['refused'] {
    return [...this.#reasons.values()].toSorted((a, b) => b.rows - a.rows);
  }
}

/** PostgreSQL stores neither NUL nor lone surrogates. */
function shorten(value: string): string {
  return value.slice(0, shownCharacters).toWellFormed().replaceAll('\0', '�');
}
