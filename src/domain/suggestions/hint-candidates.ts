import type { Ctx } from '../context.ts';
import { findPhraseFault, normalisePhrase } from '../keywords/phrase.ts';
import { StoreError, type StoreName } from '../ports.ts';
import { isTrackable, type Candidate } from './candidate.ts';

/** Grants that one question may take. */
export const maxPrefixes = 3;
/** For all prefixes together. What is stored is ready long before, and should not wait for a store that hangs. */
const usualPatienceMs = 45_000;

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
  patienceMs = usualPatienceMs,
): Promise<HintFindings> {
  const prefixes = question.prefixes.slice(0, maxPrefixes);
  const outOfPatience = AbortSignal.timeout(patienceMs);
  const candidates: Candidate<'autocomplete'>[] = [];
  for (const [index, prefix] of prefixes.entries()) {
    try {
      candidates.push(...(await askFor(ctx, question, prefix, AbortSignal.any([signal, outOfPatience]))));
    } catch (error) {
      signal.throwIfAborted();
      const failed = outOfPatience.aborted && !(error instanceof StoreError) ? tooLate(question.store, error) : error;
      if (!(failed instanceof StoreError)) throw failed;
      return { candidates, failure: { error: failed, prefixes: prefixes.slice(index) } };
    }
  }
  return { candidates, failure: null };
}

async function askFor(ctx: Pick<Ctx, 'stores'>, { store, country }: HintQuestion, prefix: string, signal: AbortSignal) {
  const { terms } = await ctx.stores[store].hints({ prefix, country }, { signal, lane: 'interactive' });
  return terms.flatMap((term, index): Candidate<'autocomplete'>[] => {
    const phrase = normalisePhrase(term);
    if (findPhraseFault('term', term) !== null || !isTrackable(phrase)) return [];
    return [{ phrase, weight: Math.max(60, 100 - 2 * index), evidence: { source: 'autocomplete', prefix, place: index + 1 } }];
  });
}

function tooLate(store: StoreName, cause: unknown): StoreError {
  return new StoreError({ store, failure: 'unavailable', marker: 'patience', message: `${store} gave no hints in time`, cause });
}
