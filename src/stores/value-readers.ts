import { z } from 'zod';

/** Readers of facts that a store may omit. `undefined` means a value of an unexpected type. */

const maxTextLength = 200_000;
const maxInstantMs = Date.UTC(2100, 0);
const instantText = z.iso.datetime({ offset: true, precision: 0 });

/** Text or null when absent or blank. NUL is dropped because PostgreSQL cannot store it. */
export function readText(value: unknown, maxLength = maxTextLength): string | null | undefined {
  if (value === undefined || value === null) return null;
  if (typeof value !== 'string') return undefined;
  const whole = value.length > maxLength ? value.slice(0, maxLength) : value;
  const text = whole.includes('\0') ? whole.replaceAll('\0', '') : whole;
  return text.trim() === '' ? null : text;
}

/** A web address, or null: a browser cannot use another scheme, which may be an attack. */
export function readHttpUrl(value: unknown): string | null | undefined {
  const text = readText(value, 4096);
  if (text === undefined || text === null) return text;
  return /^https?:\/\/[^\s"'<>\\]+$/i.test(text) ? text : null;
}

export function readCount(value: unknown): number | null | undefined {
  return value === undefined || value === null ? null : toWhole(value);
}

/** A whole number of at least 0. Apple has written 39433.00000000001 for 39433. */
function toWhole(value: unknown): number | undefined {
  if (typeof value !== 'number') return undefined;
  const whole = Math.max(0, Math.round(value));
  return Math.abs(value - whole) <= 1e-6 && Number.isSafeInteger(whole) ? whole : undefined;
}

/** Five counts, of which none may be missing. */
export function readHistogram(
  counts: unknown,
): [number, number, number, number, number] | null | undefined {
  if (counts === undefined || counts === null) return null;
  if (!Array.isArray(counts) || counts.length !== 5) return undefined;
  const read = counts.map((count) => toWhole(count));
  return read.includes(undefined) ? undefined : (read as [number, number, number, number, number]);
}

/** 0 means "no ratings" and becomes null. */
export function readRating(value: unknown): number | null | undefined {
  if (value === undefined || value === null) return null;
  if (typeof value !== 'number' || !(value >= 0 && value <= 5)) return undefined;
  return value === 0 ? null : value;
}

/** An exact whole number of any size; never from text such as "1,000+". */
export function readExactInteger(value: unknown): bigint | null | undefined {
  if (value === undefined || value === null) return null;
  if (typeof value === 'bigint') return value >= 0n ? value : undefined;
  const whole = toWhole(value);
  return whole === undefined ? undefined : BigInt(whole);
}

/**
 * ISO UTC of a time as iTunes writes it: `2026-05-26T18:17:16-07:00`, or with `Z`. Other forms are
 * unexpected, because JavaScript reads a date into nearly any text.
 */
export function readInstant(value: unknown): string | null | undefined {
  const text = readText(value, 40);
  if (text === undefined || text === null) return text;
  const instant = instantText.safeParse(text.trim());
  return instant.success ? toInstant(Date.parse(instant.data)) : undefined;
}

/** ISO UTC of an instant in milliseconds, between 1970 and 2100. */
export function toInstant(ms: number): string | undefined {
  return ms >= 0 && ms <= maxInstantMs ? new Date(ms).toISOString() : undefined;
}

export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The first item of each id. Later ones repeat an app. */
export function dedupeById<Item extends { storeAppId: string }>(items: Iterable<Item>): Item[] {
  const byId = new Map<string, Item>();
  for (const item of items) if (!byId.has(item.storeAppId)) byId.set(item.storeAppId, item);
  return [...byId.values()];
}
