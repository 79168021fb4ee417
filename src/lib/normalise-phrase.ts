import { toLowerCase } from './lower-case.ts';
import { collapseWhiteSpace } from './text.ts';

/**
 * The phrase as it is searched and stored: NFKC, white space collapsed, lower case by Unicode's
 * default rule, İ as i. The second NFKC composes letters whose lower case is decomposed.
 * Normalizing again changes nothing.
 */
export function normalisePhrase(text: string): string {
  return toLowerCase(collapseWhiteSpace(text.normalize('NFKC'))).normalize('NFKC');
}
