import { countCharacters, isStorable } from '#lib/text.ts';
import { findPhraseError, type Fault } from '#domain/base/text/phrase.ts';
import { normalisePhrase } from '#lib/normalise-phrase.ts';
import { refuse, unstorable } from '#domain/tracking/keywords/parse-keywords.ts';

export const maxSentCharacters = 1_000;

export interface FieldText {
  phrases: string[];
  /** The phrases joined by commas without spaces, as the store counts them. */
  normalized: string;
}

/**
 * The keyword field as the store counts it: split at commas and line breaks, each phrase normalized
 * and once. Characters are code points. A phrase is measured as normalized, so that spacing and
 * duplicates never cause an error. `maxCharacters` is the limit of the app's store. Throws
 * keyword_field_too_long, phrase_too_long, too_many_words or keyword_field_normalized_too_long.
 */
export function readFieldText(text: string, maxCharacters: number): FieldText {
  const sent = countCharacters(text);
  if (sent > maxSentCharacters)
    refuse([tooLong('keyword_field_too_long', 'characters of the text', maxSentCharacters, sent)]);
  if (!isStorable(text)) refuse([unstorable('text')]);
  const phrases = listPhrases(text);
  const normalized = phrases.join(',');
  const faults = phrases.flatMap((phrase) => findPhraseError('text', phrase) ?? []);
  const characters = countCharacters(normalized);
  if (characters > maxCharacters) {
    faults.push(
      tooLong(
        'keyword_field_normalized_too_long',
        'characters of the normalised field',
        maxCharacters,
        characters,
      ),
    );
  }
  if (faults.length > 0) refuse(faults);
  return { phrases, normalized };
}

/**
 * NFKC comes first, because it turns the wide comma of Chinese and Japanese keyboards into a comma.
 */
function listPhrases(text: string): string[] {
  const parts = text.normalize('NFKC').split(/[,\n\r\u2028\u2029]/u);
  return [...new Set(parts.map(normalisePhrase))].filter((phrase) => phrase !== '');
}

function tooLong(code: Fault['code'], message: string, limit: number, actual: number): Fault {
  return { code, issue: { path: 'text', message, limit, actual } };
}

/**
 * The words of a normalised field, in order, duplicates included. A phrase without spaces is one
 * word.
 */
export function listFieldWords(normalized: string): string[] {
  return normalized.split(/[, ]/u).filter((word) => word !== '');
}
