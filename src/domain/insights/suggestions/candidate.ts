import type { z } from 'zod';
import type { suggestionEvidence } from '#contract/suggestions.ts';
import { countCharacters } from '#lib/text.ts';
import { maxPhraseCharacters, maxPhraseWords } from '#domain/base/text/phrase.ts';

export type Evidence = z.input<typeof suggestionEvidence>;
export type SourceName = Evidence['source'];
export type StoredSource = Exclude<SourceName, 'autocomplete'>;

interface PhraseOf<S extends SourceName> {
  /** Normalised and valid as a keyword. */
  phrase: string;
  evidence: Extract<Evidence, { source: S }>;
  /** 0–100; only for ordering. */
  weight: number;
}

/** A phrase of one source. */
export type Candidate<S extends SourceName = SourceName> = S extends SourceName
  ? PhraseOf<S>
  : never;

export function isTrackable(phrase: string): boolean {
  return (
    phrase !== '' &&
    countCharacters(phrase) <= maxPhraseCharacters &&
    phrase.split(' ').length <= maxPhraseWords
  );
}
