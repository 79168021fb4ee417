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

/** For facts that every body states: `undefined` for an absent one, which is then not a fact. */
export function required<Value>(value: Value | null | undefined): Value | undefined {
  return value ?? undefined;
}

export interface Ratings {
  rating: number | null | undefined;
  ratingCount: number | null | undefined;
}

/** The store states rating and count together. `undefined` for one that the other contradicts. */
export function readRatings(ratingOf: unknown, countOf: unknown): Ratings {
  const [rating, ratingCount] = [readRating(ratingOf), readCount(countOf)];
  if (rating === undefined || ratingCount === undefined) return { rating, ratingCount };
  const isRated = rating !== null;
  const isCounted = (ratingCount ?? 0) > 0;
  return {
    rating: isCounted && !isRated ? undefined : rating,
    ratingCount: isRated && !isCounted ? undefined : ratingCount,
  };
}

type Histogram = [number, number, number, number, number];
/** Pages round the rating to one decimal, and count at slightly different times. */
const meanTolerance = 0.1;
const countTolerance = 0.01;

/**
 * Rating, count and histogram of a page, which state each other: the stars add up to the count, and
 * their mean is the rating. `undefined` for those that contradict each other.
 */
export function readRatingsOfPage(
  ratingOf: unknown,
  countOf: unknown,
  histogram: Histogram | null | undefined,
): Ratings & { histogram: Histogram | null | undefined } {
  const { rating, ratingCount } = readRatings(ratingOf, countOf);
  const hasCount = typeof ratingCount === 'number' && ratingCount > 0;
  if (histogram === null && hasCount) return { rating, ratingCount, histogram: undefined };
  if (histogram === null || histogram === undefined) return { rating, ratingCount, histogram };
  const total = histogram.reduce((sum, count) => sum + count, 0);
  const stars = histogram.reduce((sum, count, index) => sum + count * (index + 1), 0);
  const isOfCount =
    ratingCount === undefined ||
    Math.abs(total - (ratingCount ?? 0)) <= Math.max(1, total * countTolerance);
  const isOfRating =
    rating === undefined ||
    (rating === null ? total === 0 : Math.abs(stars / total - rating) <= meanTolerance);
  return {
    rating: isOfRating ? rating : undefined,
    ratingCount: isOfCount ? ratingCount : undefined,
    histogram: isOfCount && isOfRating ? histogram : undefined,
  };
}

export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The first item of each id. Later ones repeat an app. */
export function dedupeById<Item extends { storeAppId: string }>(items: Iterable<Item>): Item[] {
  const found: Item[] = [];
  const ids = new Set<string>();
  for (const item of items) {
    if (ids.has(item.storeAppId)) continue;
    ids.add(item.storeAppId);
    found.push(item);
  }
  return found;
}
