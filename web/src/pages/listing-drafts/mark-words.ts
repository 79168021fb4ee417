import type { CoveredPhrase } from '#web/queries/listing-drafts.ts';

export interface Segment {
  text: string;
  /** The tracked phrases that the word serves, the best position first. */
  phrases: readonly CoveredPhrase[];
}

/** Scripts without spaces, in which a word is found anywhere. */
const dense = /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Thai}\p{sc=Lao}\p{sc=Khmer}]/u;
const fold = (text: string): string => text.normalize('NFKC').toLowerCase();

const positionOf = ({ position }: CoveredPhrase): number => position ?? Infinity;

/** The phrases by each of their words. */
export function indexWords(
  phrases: readonly CoveredPhrase[],
): ReadonlyMap<string, CoveredPhrase[]> {
  const index = new Map<string, CoveredPhrase[]>();
  for (const phrase of phrases.toSorted((one, other) => positionOf(one) - positionOf(other)))
    for (const word of phrase.words) index.set(word, [...(index.get(word) ?? []), phrase]);
  return index;
}

/** Splits a text where words of tracked phrases begin and end. */
export function markWords(
  text: string,
  index: ReadonlyMap<string, readonly CoveredPhrase[]>,
): Segment[] {
  const found: { at: number; end: number; phrases: readonly CoveredPhrase[] }[] = [];
  for (const match of text.matchAll(/[\p{L}\p{N}\p{M}]+/gu)) {
    const phrases = index.get(fold(match[0]));
    if (phrases) found.push({ at: match.index, end: match.index + match[0].length, phrases });
  }
  for (const [word, phrases] of index) {
    if (!dense.test(word)) continue;
    for (let at = text.indexOf(word); at !== -1; at = text.indexOf(word, at + word.length))
      found.push({ at, end: at + word.length, phrases });
  }
  const segments: Segment[] = [];
  let last = 0;
  for (const { at, end, phrases } of found.toSorted(
    (one, other) => one.at - other.at || other.end - one.end,
  )) {
    if (at < last) continue;
    if (at > last) segments.push({ text: text.slice(last, at), phrases: [] });
    segments.push({ text: text.slice(at, end), phrases });
    last = end;
  }
  if (last < text.length) segments.push({ text: text.slice(last), phrases: [] });
  return segments;
}
