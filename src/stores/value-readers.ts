/** Readers of facts that a store may omit. `undefined` means a value of an unexpected type. */

const maxTextLength = 200_000;

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
  if (value === undefined || value === null) return null;
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0 ? value : undefined;
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
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0
    ? BigInt(value)
    : undefined;
}

/**
 * ISO UTC of an instant in milliseconds or of a store's date text; null when absent or not a date.
 */
export function readInstant(value: unknown): string | null {
  if (typeof value !== 'number' && typeof value !== 'string') return null;
  const date = new Date(value);
  const ms = date.getTime();
  return Number.isNaN(ms) || ms < 0 || ms > 4_102_444_800_000 ? null : date.toISOString();
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
