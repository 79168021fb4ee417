/** True for phrases that differ at most in letter case, spaces and Unicode form. */
export function isSamePhrase(one: string, other: string): boolean {
  return normalize(one) === normalize(other);
}

const normalize = (text: string): string =>
  text.normalize('NFC').trim().replace(/\s+/g, ' ').toLowerCase();
