import type { Ctx } from '#domain/base/context.ts';
import { findPhraseError } from '#domain/base/text/phrase.ts';
import { normalisePhrase } from '#lib/normalise-phrase.ts';
import type { StoreError, StoreName } from '#domain/base/ports.ts';
import { createRequestDeadline } from '#domain/tracking/store-lookups/request-deadline.ts';
import { isTrackable, type Candidate } from './candidate.ts';

/** The maximum of requests that one query may take. */
export const maxPrefixes = 3;

export interface HintFindings {
  candidates: Candidate<'autocomplete'>[];
  /** The failure that ended the queries, and the prefixes without a response. */
  failure: { error: StoreError; prefixes: string[] } | null;
}

interface HintQuestion {
  store: StoreName;
  country: string;
  prefixes: readonly string[];
}

/**
 * The store's hints for each prefix; one request each, in sequence. A store's failure is returned,
 * not thrown.
 */
export async function findHintCandidates(
  ctx: Pick<Ctx, 'stores' | 'workspaceId'>,
  question: HintQuestion,
  signal: AbortSignal,
  deadlineMs?: number,
): Promise<HintFindings> {
  const prefixes = question.prefixes.slice(0, maxPrefixes);
  const deadline = createRequestDeadline(question.store, signal, deadlineMs);
  const candidates: Candidate<'autocomplete'>[] = [];
  for (const [index, prefix] of prefixes.entries()) {
    try {
      candidates.push(...(await askFor(ctx, question, prefix, deadline.signal)));
    } catch (error) {
      return {
        candidates,
        failure: { error: deadline.toStoreError(error), prefixes: prefixes.slice(index) },
      };
    }
  }
  return { candidates, failure: null };
}

async function askFor(
  ctx: Pick<Ctx, 'stores' | 'workspaceId'>,
  { store, country }: HintQuestion,
  prefix: string,
  signal: AbortSignal,
) {
  const { terms } = await ctx.stores[store].hints(
    { prefix, country },
    { signal, lane: 'interactive', workspaceId: ctx.workspaceId },
  );
  return terms.flatMap((term, index): Candidate<'autocomplete'>[] => {
    const phrase = normalisePhrase(term);
    if (findPhraseError('term', term) !== null || !isTrackable(phrase)) return [];
    return [
      {
        phrase,
        weight: Math.max(60, 100 - 2 * index),
        evidence: { source: 'autocomplete', prefix, position: index + 1 },
      },
    ];
  });
}
