import { toLowerCase } from '#lib/lower-case.ts';
import { collapseWhiteSpace, countCharacters } from '#lib/text.ts';

/** How the store counts the field while typing. The API decides when it is saved. */
export interface Normalised {
  text: string;
  /** Code points, which the limit counts. */
  length: number;
  phrases: string[];
  /** Duplicate phrases. */
  doubles: string[];
  /** Unnecessary spaces and commas. */
  needless: number;
  /** Whether uppercase letters were lowercased. */
  isLowered: boolean;
}

/**
 * Splits as the API does. NFKC comes first, because it turns the full-width comma of Chinese and
 * Japanese keyboards into a comma.
 */
const partsOf = (text: string) => text.normalize('NFKC').split(/[,\n\r\u2028\u2029]/u);
const isSaid = (phrase: string) => phrase !== '';

/** The phrases as written, including duplicates. */
export function splitPhrases(text: string): string[] {
  return partsOf(text).map(collapseWhiteSpace).filter(isSaid);
}

export function normalise(text: string): Normalised {
  const [parts, written] = [partsOf(text), splitPhrases(text)];
  const lowered = written.map((phrase) => toLowerCase(phrase).normalize('NFKC'));
  const phrases = [...new Set(lowered)];
  const joined = phrases.join(',');
  return {
    text: joined,
    length: countCharacters(joined),
    phrases,
    doubles: phrases.filter((phrase) => lowered.indexOf(phrase) !== lowered.lastIndexOf(phrase)),
    needless: countCharacters(parts.join(',')) - countCharacters(written.join(',')),
    isLowered: lowered.some((phrase, index) => phrase !== written[index]),
  };
}

/** The text without the given occurrence of a word; 0 is the first. A phrase may become shorter. */
export function dropWord(text: string, word: string, occurrence: number): string {
  let seen = 0;
  const phrases = splitPhrases(text).map((phrase) =>
    phrase
      .split(' ')
      .filter((part) => toLowerCase(part).normalize('NFKC') !== word || seen++ !== occurrence)
      .join(' '),
  );
  return phrases.filter(isSaid).join(',');
}
