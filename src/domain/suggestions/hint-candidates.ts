import type { Ctx } from '../context.ts';
import { findPhraseFault, normalisePhrase } from '../keywords/phrase.ts';
import type { StoreName } from '../ports.ts';
import { isTrackable, type Candidate } from './candidate.ts';

/** Grants that one question may take. */
export const maxPrefixes = 3;

/** What the store offers while each prefix is typed; one request a prefix, one after another. Throws StoreError. */
export async function listHintCandidates(
  ctx: Pick<Ctx, 'stores'>,
  question: { store: StoreName; country: string; prefixes: readonly string[] },
  signal: AbortSignal,
): Promise<Candidate<'autocomplete'>[]> {
  const candidates: Candidate<'autocomplete'>[] = [];
  for (const prefix of question.prefixes.slice(0, maxPrefixes)) {
    const { terms } = await ctx.stores[question.store].hints({ prefix, country: question.country }, { signal, lane: 'interactive' });
    for (const [index, term] of terms.entries()) {
      const phrase = normalisePhrase(term);
      if (findPhraseFault('term', term) !== null || !isTrackable(phrase)) continue;
      candidates.push({ phrase, weight: Math.max(60, 100 - 2 * index), evidence: { source: 'autocomplete', prefix, place: index + 1 } });
    }
  }
  return candidates;
}
