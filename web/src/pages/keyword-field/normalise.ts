import { toLowerCase } from '../../../../src/lib/lower-case.ts';

/** What the store counts of a field, told while it is written; the API has the last word when it is saved. */
export interface Normalised {
  text: string;
  /** Code points, as the limit counts them. */
  length: number;
  /** Phrases that stand in it twice. */
  removed: string[];
}

export function normalise(text: string): Normalised {
  const phrases = toLowerCase(text.normalize('NFKC'))
    .split(',')
    .map((phrase) => phrase.trim().replaceAll(/\s+/g, ' '))
    .filter((phrase) => phrase !== '');
  const kept = [...new Set(phrases)];
  const joined = kept.join(',');
  return { text: joined, length: [...joined].length, removed: [...new Set(phrases.filter((phrase, index) => phrases.indexOf(phrase) !== index))] };
}
