import type { Ctx } from '../context.ts';
import { findPhraseFault, normalisePhrase } from '../keywords/phrase.ts';
import type { StoreError, StoreName } from '../ports.ts';
import { patienceWith } from '../store-lookups/patience.ts';
import { isTrackable, type Candidate } from './candidate.ts';

/** Grants that one question may take. */
export const maxPrefixes = 3;

export interface HintFindings {
  candidates: Candidate<'autocomplete'>[];
  /** What ended the asking, and the prefixes that have no answer for it. */
  failure: { error: StoreError; prefixes: string[] } | null;
}

interface HintQuestion {
  store: StoreName;
  country: string;
  prefixes: readonly string[];
}

/** What the store offers while each prefix is typed; one request a prefix, one after another. A store's failure is told, not thrown. */
export async function findHintCandidates(
  ctx: Pick<Ctx, 'stores'>,
  question: HintQuestion,
  signal: AbortSignal,
  patienceMs?: number,
): Promise<HintFindings> {
  const prefixes = question.prefixes.slice(0, maxPrefixes);
  const patience = patienceWith(question.store, signal, patienceMs);
  const candidates: Candidate<'autocomplete'>[] = [];
  for (const [index, prefix] of prefixes.entries()) {
    try {
      candidates.push(...(await askFor(ctx, question, prefix, patience.signal)));
    } catch (error) {
      return {
        candidates,
        failure: { error: patience.judge(error), prefixes: prefixes.slice(index) },
      };
    }
  }
  return { candidates, failure: null };
}

async function askFor(
  ctx: Pick<Ctx, 'stores'>,
  { store, country }: HintQuestion,
  prefix: string,
  signal: AbortSignal,
) {
  const { terms } = await ctx.stores[store].hints(
    { prefix, country },
    { signal, lane: 'interactive' },
  );
  return terms.flatMap((term, index): Candidate<'autocomplete'>[] => {
    const phrase = normalisePhrase(term);
    if (findPhraseFault('term', term) !== null || !isTrackable(phrase)) return [];
    return [
      {
        phrase,
        weight: Math.max(60, 100 - 2 * index),
        evidence: { source: 'autocomplete', prefix, place: index + 1 },
      },
    ];
  });
}
