import { countCharacters, isStorable } from '../../lib/text.ts';
import { findPhraseFault, normalisePhrase, type Fault } from '../keywords/phrase.ts';
import { refuse, unstorable } from '../keywords/read-wanted.ts';

export const maxSentCharacters = 1_000;
export const maxFieldCharacters = 100;

export interface FieldText {
  phrases: string[];
  /** The phrases joined by commas, without spaces: what the store counts. */
  normalized: string;
}

/**
 * The keyword field as the store counts it: split at commas and line breaks, each phrase normalised and named once.
 * Characters are code points. A phrase is measured as normalised, so that spacing and doubles never cause a refusal.
 * Throws keyword_field_too_long, phrase_too_long, too_many_words or keyword_field_normalized_too_long.
 */
export function readFieldText(text: string): FieldText {
  const sent = countCharacters(text);
  if (sent > maxSentCharacters)
    refuse([tooLong('keyword_field_too_long', 'characters of the text', maxSentCharacters, sent)]);
  if (!isStorable(text)) refuse([unstorable('text')]);
  const phrases = listPhrases(text);
  const normalized = phrases.join(',');
  const faults = phrases.flatMap((phrase) => findPhraseFault('text', phrase) ?? []);
  const characters = countCharacters(normalized);
  if (characters > maxFieldCharacters) {
    faults.push(
      tooLong(
        'keyword_field_normalized_too_long',
        'characters of the normalised field',
        maxFieldCharacters,
        characters,
      ),
    );
  }
  if (faults.length > 0) refuse(faults);
  return { phrases, normalized };
}

/** NFKC comes first: it makes a comma of the wide one that Chinese and Japanese keyboards give. */
function listPhrases(text: string): string[] {
  const parts = text.normalize('NFKC').split(/[,\n\r\u2028\u2029]/u);
  return [...new Set(parts.map(normalisePhrase))].filter((phrase) => phrase !== '');
}

function tooLong(code: Fault['code'], rule: string, limit: number, actual: number): Fault {
  return { code, issue: { path: 'text', rule, limit, actual } };
}

/** The words of a normalised field, in its order, doubles included. A phrase without spaces is one word. */
export function listFieldWords(normalized: string): string[] {
  return normalized.split(/[, ]/u).filter((word) => word !== '');
}
