import type { Store } from '#web/api.ts';
import { storeCountries } from '#web/countries.ts';
import { profileOf } from '#stores/profiles.ts';

/** The order of day, month and year. */
export const dateOrders = ['ymd', 'dmy', 'mdy'] as const;
export type DateOrder = (typeof dateOrders)[number];

const pattern = /^(\d{1,4})[-./](\d{1,2})[-./](\d{1,4})(?:[T ].*)?$/;

/** A day as YYYY-MM-DD, without its time of day. Null if it is invalid. */
export function readDay(text: string, order: DateOrder): string | null {
  const [, a = '', b = '', c = ''] = pattern.exec(text.trim()) ?? [];
  if (a === '') return null;
  const [year, month, day] = order === 'ymd' ? [a, b, c] : order === 'dmy' ? [c, b, a] : [c, a, b];
  if (year.length !== 4) return null;
  const iso = `${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`;
  const ms = Date.parse(`${iso}T00:00:00Z`);
  return !Number.isNaN(ms) && new Date(ms).toISOString().startsWith(iso) ? iso : null;
}

/** The order that parses most of the sample; the first one on a tie. */
export function guessDateOrder(sample: readonly string[]): DateOrder {
  const readIn = (order: DateOrder) =>
    sample.filter((text) => readDay(text, order) !== null).length;
  return dateOrders.reduce((best, order) => (readIn(order) > readIn(best) ? order : best));
}

const names = new Map<string, string>();
function nameCountries(): Map<string, string> {
  const english = new Intl.DisplayNames('en', { type: 'region' });
  if (names.size === 0)
    for (const code of storeCountries)
      names.set(english.of(code.toUpperCase())!.toLowerCase(), code);
  return names;
}

/** `US`, `en-US` and `United States` become `us`. Null if it is not a country. */
export function readCountry(text: string): string | null {
  const word = text.trim().toLowerCase();
  if (/^[a-z]{2}$/.test(word)) return word;
  return /^[a-z]{2,3}[-_]([a-z]{2})$/.exec(word)?.[1] ?? nameCountries().get(word) ?? null;
}

/** `iPad` and `ipad` become `ipad`. Null if the store has no such device. */
export function readDevice(text: string, store: Store): string | null {
  const word = text.trim().toLowerCase();
  return (
    profileOf(store).devices.find(({ id, name }) => id === word || name.toLowerCase() === word)
      ?.id ?? null
  );
}

const notFound = /^(-|–|—|0|-1|n\/?a|null|none|not ranked|unranked|nr)$/i;
const positionShape = /^(\d{1,3})(?:\.0+)?$/;
const beyond = /^(?:> ?(\d{1,3})|(\d{1,3})\+)$/;

/**
 * A position as the API reads it: `7`, `>200`, or empty for the words that tools use for "not
 * found", which needs a known depth. Null if it is invalid.
 */
export function readPosition(text: string): string | null {
  const word = text.trim();
  if (word === '' || notFound.test(word)) return '';
  const found = Number(positionShape.exec(word)?.[1]);
  if (found >= 1 && found <= 200) return String(found);
  const [, after, from] = beyond.exec(word) ?? [];
  const depth = Number(after ?? Number(from) - 1);
  return depth >= 1 && depth <= 200 ? `>${depth}` : null;
}

/** 1–200, empty if there is no value, null if it is invalid. */
export function readDepth(text: string): string | null {
  const word = text.trim();
  if (word === '') return '';
  const depth = Number(positionShape.exec(word)?.[1]);
  return depth >= 1 && depth <= 200 ? String(depth) : null;
}
