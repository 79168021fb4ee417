import type { ErrorCode } from '#contract/errors.ts';
import type { PlainIssue } from '../errors.ts';
import { normalisePhrase } from '#lib/normalise-phrase.ts';
import { collapseWhiteSpace, countCharacters, hasControlCharacter, isStorable } from '#lib/text.ts';

export const maxPhraseCharacters = 100;
export const maxPhraseWords = 5;

/** The reason why a part of a request is rejected. */
export interface Fault {
  code: ErrorCode;
  issue: PlainIssue;
}

/**
 * The first rule that a phrase breaks, or null. Characters are code points, counted as sent and as
 * normalised, because NFKC turns a ligature into several letters. Words are separated by white
 * space; a CJK phrase without spaces is one word.
 */
export function findPhraseError(path: string, text: string): Fault | null {
  if (!isStorable(text) || hasControlCharacter(collapseWhiteSpace(text))) {
    return {
      code: 'invalid_request',
      issue: {
        path,
        message: 'no control characters besides white space, and no lone surrogates',
        limit: null,
        actual: null,
      },
    };
  }
  const phrase = normalisePhrase(text);
  const characters = Math.max(countCharacters(text), countCharacters(phrase));
  if (characters > maxPhraseCharacters) {
    return {
      code: 'phrase_too_long',
      issue: {
        path,
        message: 'characters in a phrase',
        limit: maxPhraseCharacters,
        actual: characters,
      },
    };
  }
  if (!hasVisible(phrase))
    return { code: 'invalid_request', issue: { path, message: 'not empty', limit: 1, actual: 0 } };
  const words = phrase.split(' ').length;
  if (words > maxPhraseWords) {
    return {
      code: 'too_many_words',
      issue: { path, message: 'words in a phrase', limit: maxPhraseWords, actual: words },
    };
  }
  return null;
}

/** Checks the form only: the store decides which countries it serves. */
export function findCountryError(path: string, country: string): Fault | null {
  if (/^[a-z]{2}$/.test(country)) return null;
  return {
    code: 'invalid_country',
    issue: {
      path,
      message: 'two lowercase letters',
      limit: null,
      actual: country.toWellFormed().slice(0, 40),
    },
  };
}

/**
 * Zero-width and other format characters alone are invisible, so the phrase would search for
 * nothing.
 */
function hasVisible(phrase: string): boolean {
  return /[^\p{Cf}\s]/u.test(phrase);
}
