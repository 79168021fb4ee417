import type { AutocompleteList } from '#db/queries/suggestions/autocomplete-lists.ts';
import {
  keepAutocompleteLists,
  listAutocompleteLists,
} from '#db/queries/suggestions/autocomplete-lists.ts';
import { inSystem, inTenant, type Ctx } from '#domain/base/context.ts';
import { findPhraseError } from '#domain/base/text/phrase.ts';
import { normalisePhrase } from '#lib/normalise-phrase.ts';
import type { StoreError, StoreName } from '#domain/base/ports.ts';
import { createRequestDeadline } from '#domain/tracking/store-lookups/request-deadline.ts';
import { isTrackable, type Candidate } from './candidate.ts';

/** The maximum of requests that one query may take. */
export const maxPrefixes = 3;
/** Scores are as old, and autocomplete changes less from day to day. */
const keptMs = 7 * 86_400_000;

/** The failure that ended the requests, and the prefixes without a response. */
interface Failure {
  error: StoreError;
  prefixes: string[];
}

export interface AutocompleteFindings {
  candidates: Candidate<'autocomplete'>[];
  failure: Failure | null;
  /** When the oldest list was read; null without any. */
  readAt: Date | null;
  hasAskedStore: boolean;
}

interface Question {
  store: StoreName;
  country: string;
  prefixes: readonly string[];
}

export interface StoreAccess {
  signal: AbortSignal;
  /** Called before the store is queried. Throws on_demand_cap. */
  assertAllowance: () => void;
}

/**
 * Phrases from the store's autocomplete for up to three prefixes. Lists that the workspace
 * requested in the last seven days are used again, unless it asks for new ones. A store's failure
 * is returned, not thrown. Throws on_demand_cap.
 */
export async function findAutocompleteCandidates(
  ctx: Ctx,
  question: Question & { isRefresh: boolean },
  { signal, assertAllowance }: StoreAccess,
): Promise<AutocompleteFindings> {
  const { store, country, isRefresh } = question;
  const prefixes = question.prefixes.slice(0, maxPrefixes);
  const since = new Date(ctx.clock.now().getTime() - keptMs);
  const kept = isRefresh
    ? []
    : await inTenant(ctx, (tx) =>
        listAutocompleteLists(tx, ctx.workspaceId, { store, country, prefixes, since }),
      );
  const known = new Set(kept.map(({ prefix }) => prefix));
  const unknown = prefixes.filter((prefix) => !known.has(prefix));
  if (unknown.length > 0) assertAllowance();
  const { lists, failure, hasAskedStore } = await readAutocomplete(
    ctx,
    { store, country, prefixes: unknown },
    signal,
  );
  // The connections of a request that reads write nothing.
  if (lists.length > 0)
    await inSystem(ctx, (tx) =>
      keepAutocompleteLists(tx, ctx.workspaceId, { store, country, lists, before: since }),
    );
  const all = [...kept, ...lists];
  const order = new Map(prefixes.map((prefix, index) => [prefix, index]));
  const times = all.map(({ readAt }) => readAt.getTime());
  return {
    candidates: all
      .toSorted((a, b) => order.get(a.prefix)! - order.get(b.prefix)!)
      .flatMap(toCandidates),
    failure,
    readAt: times.length === 0 ? null : new Date(Math.min(...times)),
    hasAskedStore,
  };
}

/** The store's lists; one request for each prefix, in sequence. */
export async function readAutocomplete(
  ctx: Pick<Ctx, 'stores' | 'workspaceId' | 'clock'>,
  { store, country, prefixes }: Question,
  signal: AbortSignal,
  deadlineMs?: number,
): Promise<{ lists: AutocompleteList[]; failure: Failure | null; hasAskedStore: boolean }> {
  const deadline = createRequestDeadline(store, signal, deadlineMs);
  const lists: AutocompleteList[] = [];
  for (const [index, prefix] of prefixes.entries()) {
    try {
      const { terms } = await ctx.stores[store].hints(
        { prefix, country },
        { signal: deadline.signal, lane: 'interactive', workspaceId: ctx.workspaceId },
      );
      lists.push({ prefix, terms: [...terms], readAt: ctx.clock.now() });
    } catch (error) {
      const failure = { error: deadline.toStoreError(error), prefixes: prefixes.slice(index) };
      return { lists, failure, hasAskedStore: index > 0 || wasSent(failure.error) };
    }
  }
  return { lists, failure: null, hasAskedStore: prefixes.length > 0 };
}

/** No request waits for its pace until the deadline, so one that missed the deadline was sent. */
const wasSent = ({ cost, marker }: StoreError): boolean =>
  cost.requests > 0 || marker === 'deadline';

function toCandidates({ prefix, terms }: AutocompleteList): Candidate<'autocomplete'>[] {
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
