import type { z } from 'zod';
import type { scores } from '../../contract/scores.ts';
import { findKeywordId } from '../../db/queries/keyword-scores.ts';
import { utcDayOf } from '../../lib/dates.ts';
import { getActiveApp } from '../apps/find-app.ts';
import { inTenant, type Ctx } from '../context.ts';
import { readPhrase } from '../keywords/read-wanted.ts';
import { StoreError } from '../ports.ts';
import { examinedDepth, positionIn } from '../rankings/position.ts';
import { askPatiently, tellFailure } from '../store-lookups/patience.ts';
import { askHints, type AskedMarket } from './ask-hints.ts';
import { scoreDifficulty } from './difficulty.ts';
import type { MarketEvidence, Scored } from './evidence.ts';
import type { Offered } from './hint-search.ts';
import { readLiveEvidence } from './live-evidence.ts';
import { toProvenance } from './provenance.ts';
import { searchToScore } from './search-to-score.ts';
import { scoreTraffic } from './traffic.ts';

type Operation = (typeof scores)['GET /apps/{id}/phrase-score'];
export type PhraseScore = z.input<Operation['responses'][200]>;

/**
 * What a phrase is worth before anybody follows it, by the formulas of followed ones, and where the app stands: from what
 * the store says now. What others had kept today is not used: an answer that comes at once would tell that they follow it.
 * Without the store's hints there is no traffic, and `unavailable` says so. Nothing is written. Throws not_found,
 * invalid_request (also for an archived app), phrase_too_long, too_many_words, or StoreError without results.
 */
export async function scorePhrase(
  ctx: Ctx,
  appId: number,
  query: z.output<Operation['query']>,
  signal: AbortSignal,
): Promise<PhraseScore> {
  const phrase = readPhrase('query.phrase', query.phrase);
  const { country } = query;
  const { app, keywordId } = await inTenant(ctx, async (tx) => ({
    app: await getActiveApp(tx, ctx, appId),
    keywordId: await findKeywordId(tx, ctx.workspaceId, { appId, country, phrase }),
  }));
  const market: AskedMarket = { store: app.store, country, phrase };
  const answer = await askPatiently(market.store, signal, (options) =>
    searchToScore(ctx.stores, market, options),
  );
  const { offered, failure } = await tryHints(ctx, market, signal);
  const now = ctx.clock.now();
  const asOf = utcDayOf(now);
  const evidence = await inTenant(ctx, (tx) =>
    readLiveEvidence(tx, market, { answer, offered }, asOf),
  );
  const traffic = judgeTraffic(evidence);
  const difficulty = scoreDifficulty(evidence);
  return {
    ...market,
    keywordId,
    position: positionIn(answer, app.storeAppId),
    depth: examinedDepth(answer),
    scoredAt: now.toISOString(),
    traffic: traffic.score,
    difficulty: difficulty.score,
    provenance: toProvenance(evidence, traffic, difficulty, asOf),
    unavailable: failure ? [{ source: 'hints', ...tellFailure(failure) }] : [],
  };
}

async function tryHints(
  ctx: Ctx,
  market: AskedMarket,
  signal: AbortSignal,
): Promise<{ offered: Offered | null; failure: StoreError | null }> {
  try {
    return {
      offered: await askPatiently(market.store, signal, (options) =>
        askHints(ctx.stores, market, options),
      ),
      failure: null,
    };
  } catch (error) {
    if (!(error instanceof StoreError)) throw error;
    return { offered: null, failure: error };
  }
}

/** Who decides what to follow is not served by a number without its first witness, which another try may bring. */
function judgeTraffic(evidence: MarketEvidence): Scored {
  const traffic = scoreTraffic(evidence);
  return evidence.hints ? traffic : { ...traffic, score: null, evidence: [] };
}
