/** Characters as people count them in limits: code points, so that an emoji of two UTF-16 units is one. */
export function countCharacters(text: string): number {
  let count = 0;
  for (const _ of text) count += 1;
  return count;
}

/** True for text PostgreSQL and JSON can both hold: no half of a surrogate pair, no NUL. */
export function isStorable(text: string): boolean {
  return text.isWellFormed() && !text.includes('\0');
}

/** True when the text holds a control character, line breaks and tabs included. */
export function hasControlCharacter(text: string): boolean {
  return /\p{Cc}/u.test(text);
}

/** Without white space at its ends, and with one space where words had some between them. */
export function collapseWhiteSpace(text: string): string {
  return text.replace(/\s+/gu, ' ').trim();
}

/** An opaque place in a list. */
export function encodeCursor(parts: readonly (string | number)[]): string {
  return Buffer.from(JSON.stringify(parts)).toString('base64url');
}

/** The parts of a cursor; null for a text that none of our lists gave. */
export function decodeCursor(cursor: string, count: number): unknown[] | null {
  try {
    const parts = JSON.parse(Buffer.from(cursor, 'base64url').toString()) as (string | number)[];
    // Base64url reads around characters it does not know: what does not come back as it was given was not ours.
    return Array.isArray(parts) && parts.length === count && encodeCursor(parts) === cursor
      ? parts
      : null;
  } catch {
    return null;
  }
}
