import type { z } from 'zod';
import { suggestionSources, type suggestion, type suggestions } from '#contract/suggestions.ts';
import {
  findListingTexts,
  listKnownTraffic,
  listTrackedPhrases,
} from '#db/queries/suggestions/suggestions.ts';
import { getActiveApp } from '#domain/tracking/apps/get-app.ts';
import { inTenant, type Ctx } from '#domain/base/context.ts';
import { readDevice } from '#domain/base/device.ts';
import { loadCountryScores, type CountryScore } from '../country-scores/load-country-scores.ts';
import { loadWordLocator } from '#domain/tracking/listings/locate-words.ts';
import { readPhrase } from '#domain/tracking/keywords/parse-keywords.ts';
import { loadPublishedPhrases } from '#domain/tracking/popularity/load-published-phrases.ts';
import { suggestPhrases } from '#domain/tracking/listings/suggest-phrases.ts';
import { describeFailure } from '#domain/tracking/store-lookups/request-deadline.ts';
import type { Candidate } from './candidate.ts';
import {
  findAutocompleteCandidates,
  maxPrefixes,
  type AutocompleteFindings,
  type StoreAccess,
} from './autocomplete-candidates.ts';
import { listStoredCandidates } from './stored-candidates.ts';

type Operation = (typeof suggestions)['GET /apps/{id}/keyword-suggestions'];
export type SuggestionQuery = z.output<Operation['query']>;
export type SuggestionList = z.input<Operation['responses'][200]>;
type Suggestion = z.input<typeof suggestion>;

const nothingAsked: AutocompleteFindings = {
  candidates: [],
  failure: null,
  readAt: null,
  hasAskedStore: false,
};

/**
 * Keyword suggestions for a country (by default the app's primary one) and a device, untracked
 * phrases first. With a seed only its autocomplete is used, and stored phrases that contain it.
 * Otherwise autocomplete is that of up to three phrases of the listing. The store is queried for
 * lists that the workspace did not request lately. A failing store is named in `unavailable` with
 * the other sources, and thrown only when it was the only source. Throws not_found,
 * invalid_request, phrase_too_long, too_many_words, on_demand_cap, or StoreError.
 */
export async function suggestKeywords(
  ctx: Ctx,
  appId: number,
  query: SuggestionQuery,
  access: StoreAccess,
): Promise<{ list: SuggestionList; hasAskedStore: boolean }> {
  const seed = query.phrase === undefined ? null : readPhrase('query.phrase', query.phrase);
  const sources = query.source ?? suggestionSources;
  const { app, country, device, stored, prefixes } = await inTenant(ctx, async (tx) => {
    const found = await getActiveApp(tx, ctx, appId);
    const where = query.country ?? found.primaryCountry;
    const on = readDevice('query.device', query.device, found.store);
    const market = { appId, country: where, device: on };
    const listing =
      seed === null ? await findListingTexts(tx, ctx.workspaceId, appId, where) : undefined;
    return {
      app: found,
      country: where,
      device: on,
      stored: await listStoredCandidates(tx, ctx, { ...market, sources }),
      prefixes: seed === null ? listOwnPrefixes(listing) : [seed],
    };
  });
  const isRefresh = query.refresh ?? false;
  const { candidates, failure, readAt, hasAskedStore } = sources.includes('autocomplete')
    ? await findAutocompleteCandidates(
        ctx,
        { store: app.store, country, prefixes, isRefresh },
        access,
      )
    : nothingAsked;
  const isAskedAlone = sources.every((source) => source === 'autocomplete');
  if (failure && isAskedAlone && candidates.length === 0) throw failure.error;
  const merged = mergeCandidates([
    ...candidates,
    ...stored.filter(({ phrase }) => seed === null || phrase.includes(seed)),
  ]);
  const { store } = app;
  const among = { country, device, phrases: merged.map(({ phrase }) => phrase) };
  const market = { store, country, device };
  const { tracked, traffic, published, scores, locate } = await inTenant(ctx, async (tx) => ({
    tracked: await listTrackedPhrases(tx, ctx.workspaceId, { appId, ...among }),
    traffic: await listKnownTraffic(tx, ctx.workspaceId, { store, ...among }),
    published: await loadPublishedPhrases(
      tx,
      market,
      merged.map(({ phrase }) => ({ phrase, genre: null })),
    ),
    scores: await loadCountryScores(tx, ctx, app, { device, phrase: null, country }),
    locate: await loadWordLocator(tx, ctx, [{ appId, country }]),
  }));
  const scoreOf = new Map(scores.map((score) => [score.phrase, toSuggestionScore(score)]));
  const items = merged
    .map((item) => ({
      ...item,
      words: locate({ appId, country, phrase: item.phrase }),
      alreadyTracked: tracked.has(item.phrase),
      estTraffic: traffic.get(item.phrase)?.traffic ?? null,
      estTrafficRange: traffic.get(item.phrase)?.range ?? null,
      published: published.get(item.phrase) ?? null,
      score: scoreOf.get(item.phrase) ?? null,
    }))
    .toSorted((a, b) => Number(a.alreadyTracked) - Number(b.alreadyTracked))
    .slice(0, query.limit);
  const list = {
    items,
    nextCursor: null,
    total: merged.length,
    autocompleteReadAt: readAt?.toISOString() ?? null,
    unavailable: failure ? [presentFailure(failure)] : [],
  };
  return { list, hasAskedStore };
}

/** Without what each suggestion has beside its score. */
function toSuggestionScore(score: CountryScore): NonNullable<Suggestion['score']> {
  const { phrase: _, country: _country, device: _device, published: _published, ...own } = score;
  return own;
}

function presentFailure({
  error,
  prefixes,
}: NonNullable<AutocompleteFindings['failure']>): SuggestionList['unavailable'][number] {
  return { source: 'autocomplete', prefixes, ...describeFailure(error) };
}

function listOwnPrefixes(listing: Awaited<ReturnType<typeof findListingTexts>>): string[] {
  if (!listing || listing.name === null) return [];
  return suggestPhrases({ ...listing, name: listing.name })
    .slice(0, maxPrefixes)
    .map(({ phrase }) => phrase);
}

/**
 * One row per phrase, best first; several sources raise its weight. The strongest evidence names
 * the source.
 */
function mergeCandidates(
  candidates: readonly Candidate[],
): Pick<Suggestion, 'phrase' | 'source' | 'evidence'>[] {
  const byPhrase = Map.groupBy(candidates, ({ phrase }) => phrase);
  return [...byPhrase]
    .map(([phrase, found]) => {
      const ranked = found.toSorted((a, b) => b.weight - a.weight);
      const sources = new Map(
        ranked.toReversed().map(({ evidence }) => [evidence.source, evidence]),
      );
      const evidence = ranked
        .map((candidate) => candidate.evidence)
        .filter((piece) => sources.get(piece.source) === piece);
      return {
        phrase,
        source: evidence[0]!.source,
        evidence,
        weight: ranked[0]!.weight + 5 * (evidence.length - 1),
      };
    })
    .toSorted((a, b) => b.weight - a.weight)
    .map(({ weight: _, ...item }) => item);
}
