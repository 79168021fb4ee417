import type { z } from 'zod';
import type { scores } from '#contract/scores.ts';
import { findKeywordId } from '#db/queries/scores/keyword-scores.ts';
import { utcDayOf } from '#lib/dates.ts';
import { getActiveApp } from '#domain/tracking/apps/get-app.ts';
import { inTenant, type Ctx } from '#domain/base/context.ts';
import { readDevice } from '#domain/base/device.ts';
import { readPhrase } from '#domain/tracking/keywords/parse-keywords.ts';
import { StoreError } from '#domain/base/ports.ts';
import { examinedDepth, positionIn } from '#domain/tracking/rankings/position.ts';
import {
  requestWithDeadline,
  describeFailure,
} from '#domain/tracking/store-lookups/request-deadline.ts';
import { fetchHints, type MarketQuery } from './fetch-hints.ts';
import { scoreDifficulty } from './difficulty.ts';
import type { MarketEvidence, ScoredTraffic } from './evidence.ts';
import type { Offered } from './hint-search.ts';
import { readOwnWords } from './keyword-scores.ts';
import { readLiveEvidence } from './live-evidence.ts';
import { scoreOpportunity, type OwnWords } from './opportunity.ts';
import { toProvenance, trafficBasisOf } from './provenance.ts';
import { searchForScore } from './search-for-score.ts';
import { scoreTraffic } from './traffic.ts';

type Operation = (typeof scores)['GET /apps/{id}/phrase-score'];
export type PhraseScore = z.input<Operation['responses'][200]>;

/**
 * Scores a phrase before it is tracked, by the formulas of tracked ones, with the app's position,
 * from live store responses. Results stored for other workspaces are not used, because an instant
 * response would reveal that they track it.
 * Without the store's hints there is no estimate, and `unavailable` says so. Nothing is written.
 * Throws not_found, invalid_request (also for an archived app), phrase_too_long, too_many_words, or
 * StoreError without results.
 */
export async function scorePhrase(
  ctx: Ctx,
  appId: number,
  query: z.output<Operation['query']>,
  signal: AbortSignal,
): Promise<PhraseScore> {
  const phrase = readPhrase('query.phrase', query.phrase);
  const { country } = query;
  const { app, device, keywordId } = await inTenant(ctx, async (tx) => {
    const found = await getActiveApp(tx, ctx, appId);
    const on = readDevice('query.device', query.device, found.store);
    const name = { appId, country, device: on, phrase };
    return { app: found, device: on, keywordId: await findKeywordId(tx, ctx.workspaceId, name) };
  });
  const market: MarketQuery = { store: app.store, country, device, phrase };
  const response = await requestWithDeadline(ctx, market.store, signal, (options) =>
    searchForScore(ctx, market, options),
  );
  const { offered, failure } = await tryFetchHints(ctx, market, signal);
  const now = ctx.clock.now();
  const asOf = utcDayOf(now);
  const { evidence, published, own } = await inTenant(ctx, async (tx) => {
    const shown = { listingId: app.listingId, country };
    const wordsIn = await readOwnWords(tx, [shown]);
    const live = await readLiveEvidence(tx, market, { response: response, offered }, asOf);
    return { ...live, own: wordsIn(shown) };
  });
  const traffic = scoreTrafficWithHints(evidence);
  const difficulty = scoreDifficulty(evidence);
  const figures = {
    phrase,
    position: positionIn(response, app.storeAppId),
    depth: examinedDepth(response),
    traffic: traffic.score,
    trafficBasis: traffic.score === null ? null : trafficBasisOf(traffic.evidence),
    difficulty: difficulty.score,
  };
  return {
    ...market,
    ...figures,
    keywordId,
    scoredAt: now.toISOString(),
    opportunity: rate(figures, own),
    published,
    provenance: toProvenance(evidence, traffic, difficulty, asOf),
    unavailable: failure ? [{ source: 'hints', ...describeFailure(failure) }] : [],
  };
}

type Figures = Pick<
  PhraseScore,
  'phrase' | 'position' | 'depth' | 'traffic' | 'trafficBasis' | 'difficulty'
>;

function rate({ traffic, trafficBasis, difficulty, ...found }: Figures, own: OwnWords) {
  if (traffic === null || trafficBasis === null || difficulty === null) return null;
  return scoreOpportunity({ ...found, traffic, trafficBasis, difficulty }, own).opportunity;
}

async function tryFetchHints(
  ctx: Ctx,
  market: MarketQuery,
  signal: AbortSignal,
): Promise<{ offered: Offered | null; failure: StoreError | null }> {
  try {
    return {
      offered: await requestWithDeadline(ctx, market.store, signal, (options) =>
        fetchHints(ctx.stores, market, options),
      ),
      failure: null,
    };
  } catch (error) {
    if (!(error instanceof StoreError)) throw error;
    return { offered: null, failure: error };
  }
}

/**
 * An estimate without hints would mislead the decision to track; a retry may bring them. A
 * published number needs none.
 */
function scoreTrafficWithHints(evidence: MarketEvidence): ScoredTraffic {
  const traffic = scoreTraffic(evidence);
  if (evidence.hints) return traffic;
  return evidence.popularity === null
    ? { ...traffic, score: null, range: null, evidence: [], estimate: null }
    : { ...traffic, estimate: null };
}
