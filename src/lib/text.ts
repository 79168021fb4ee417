/**
 * Counts characters as users do in limits: code points, so that an emoji of two UTF-16 units is
 * one.
 */
export function countCharacters(text: string): number {
  // Most texts have no pair, which the expression sees at once.
  if (!/[\ud800-\udbff]/.test(text)) return text.length;
  let pairs = 0;
  for (let at = 0; at < text.length - 1; at += 1)
    if (isLead(text.charCodeAt(at)) && isTrail(text.charCodeAt(at + 1))) pairs += 1;
  return text.length - pairs;
}

const isLead = (unit: number): boolean => (unit & 0xfc00) === 0xd800;
const isTrail = (unit: number): boolean => (unit & 0xfc00) === 0xdc00;

/** True for text that PostgreSQL and JSON can both hold: no lone surrogate, no NUL. */
export function isStorable(text: string): boolean {
  return text.isWellFormed() && !text.includes('\0');
}

/** True when the text contains a control character, including line breaks and tabs. */
export function hasControlCharacter(text: string): boolean {
  return /\p{Cc}/u.test(text);
}

/** A text of others must not move the cursor of a terminal, begin a line or reverse one. */
export const printable = (text: string): string =>
  text.replace(/[\p{Cc}\u2028\u2029\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu, ' ');

/** Trims the text and collapses each run of white space to one space. */
export function collapseWhiteSpace(text: string): string {
  return text.replace(/\s+/gu, ' ').trim();
}

/**
 * Removes all repetitions of one character from the end, in one pass; `/x+$/` takes quadratic time.
 */
export function withoutTrailing(text: string, character: string): string {
  let end = text.length;
  while (end > 0 && text[end - 1] === character) end -= 1;
  return text.slice(0, end);
}

/** Encodes an opaque cursor of a list. */
export function encodeCursor(parts: readonly (string | number)[]): string {
  return Buffer.from(JSON.stringify(parts)).toString('base64url');
}

/** The parts of a cursor; null for text that is not one of our cursors. */
export function decodeCursor(cursor: string, count: number): unknown[] | null {
  try {
    const parts = JSON.parse(Buffer.from(cursor, 'base64url').toString()) as (string | number)[];
    // Base64url decoding skips unknown characters, so the text is ours only when it encodes back
    // unchanged.
    return Array.isArray(parts) && parts.length === count && encodeCursor(parts) === cursor
      ? parts
      : null;
  } catch {
    return null;
  }
}
