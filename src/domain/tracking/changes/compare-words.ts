import { listWords, wordFinder } from '#lib/phrase-words.ts';

/** Fields whose words stores may index. */
const wordFields = new Set([
  'name',
  'subtitle',
  'summary',
  'description',
  'releaseNotes',
  'developer',
  'category',
]);

export interface ChangedWords {
  gained: string[];
  lost: string[];
  /** True for a phrase that contains a word the field gained or lost. */
  touches: (phrase: string) => boolean;
}

/**
 * The words that a field gained and lost; null for a value that is not text. In scripts without
 * spaces a word counts wherever it occurs.
 */
export function compareWords(change: {
  field: string;
  before: unknown;
  after: unknown;
}): ChangedWords | null {
  if (!wordFields.has(change.field)) return null;
  const [before, after] = [readText(change.before), readText(change.after)];
  return {
    gained: [...after.words].filter((word) => !before.words.has(word)),
    lost: [...before.words].filter((word) => !after.words.has(word)),
    touches: (phrase) => listWords(phrase).some((word) => before.holds(word) !== after.holds(word)),
  };
}

function readText(value: unknown): { words: Set<string>; holds: (word: string) => boolean } {
  const text = typeof value === 'string' ? value : '';
  return { words: new Set(listWords(text)), holds: wordFinder(text) };
}
