import { toLowerCase } from '../../../../src/lib/lower-case.ts';
import { collapseWhiteSpace, countCharacters } from '../../../../src/lib/text.ts';

/** What the store counts of a field, told while it is written; the API has the last word when it is saved. */
export interface Normalised {
  text: string;
  /** Code points, as the limit counts them. */
  length: number;
  phrases: string[];
  /** Phrases that stand in it more than once. */
  doubles: string[];
  /** Spaces and commas that part nothing. */
  needless: number;
  /** Whether capitals became small letters. */
  isLowered: boolean;
}

/** As the API parts them. NFKC comes first: it makes a comma of the wide one that Chinese and Japanese keyboards give. */
const partsOf = (text: string) => text.normalize('NFKC').split(/[,\n\r\u2028\u2029]/u);
const isSaid = (phrase: string) => phrase !== '';

/** The phrases as they were written, doubles included. */
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
