import type { z } from 'zod';
import type { scores } from '#contract/scores.ts';
import { listEvaluatedKeywords } from '#db/queries/scores/labelled-markets.ts';
import type { Tx } from '#db/database.ts';
import { chunk } from '#lib/chunk.ts';
import { utcDayOf } from '#lib/dates.ts';
import { inTenant, type Ctx } from '#domain/base/context.ts';
import { storeNames, type StoreName } from '#domain/base/ports.ts';
import {
  parseTrackingPeriods,
  trackedDepthOn,
} from '#domain/tracking/rankings/tracking-periods.ts';
import { scoreDifficulty } from '../difficulty.ts';
import type { MarketEvidence } from '../evidence.ts';
import { difficultyFormulas, readPositions } from '../formulas.ts';
import { readEvidence } from '../read-evidence.ts';
import { readResultStrengths } from '../result-strengths.ts';
import { correlateWithInterval, type Pair } from './statistics.ts';

export type ScoreEvaluation = z.input<(typeof scores)['GET /scores/evaluation']['responses'][200]>;
type Item = ScoreEvaluation['items'][number];

const maxMarkets = 500;
const marketsAtOnce = 50;
const seed = 1;

/**
 * Evaluates difficulty without labels, over the newest stored results of the workspace's keywords:
 * whether difficulty less the strength of an app that has the phrase in its title orders the
 * positions of such apps. Results of days on which the workspace did not track the keyword are left
 * out.
 */
export async function getEvaluation(ctx: Ctx): Promise<ScoreEvaluation> {
  const items: Item[] = [];
  for (const store of storeNames) {
    const groups = await inTenant(ctx, (tx) => readPairs(tx, ctx, store));
    items.push({
      store,
      formula: difficultyFormulas[store].id,
      markets: groups.length,
      apps: groups.flat().length,
      correlation: await correlateWithInterval(groups, seed),
    });
  }
  return { seed, items };
}

/** The pairs of each market, in small batches, so that other requests are served in between. */
async function readPairs(tx: Tx, ctx: Ctx, store: StoreName): Promise<Pair[][]> {
  const keywords = await listEvaluatedKeywords(tx, ctx.workspaceId, { store, limit: maxMarkets });
  const periods = new Map(keywords.map((keyword) => [keyword.marketId, keyword.trackingPeriods]));
  const groups: Pair[][] = [];
  for (const marketIds of chunk([...periods.keys()], marketsAtOnce)) {
    const evidence = await readEvidence(tx, marketIds, utcDayOf(ctx.clock.now()));
    for (const [marketId, market] of evidence) {
      const isVisible =
        market.serp !== null &&
        (trackedDepthOn(parseTrackingPeriods(periods.get(marketId)), market.serp.date) ?? 0) > 0;
      const pairs = isVisible ? pairApps(market) : [];
      if (pairs.length > 0) groups.push(pairs);
    }
  }
  return groups;
}

/**
 * Each app among the first results that has the phrase in its title and a known strength:
 * difficulty less its strength, and its position. Pure.
 */
export function pairApps(market: MarketEvidence): Pair[] {
  const { serp, phrase, store } = market;
  const difficulty = scoreDifficulty(market).score;
  if (!serp || difficulty === null) return [];
  const results = readResultStrengths(phrase, serp, difficultyFormulas[store], readPositions);
  return results.flatMap(({ app, title, strength }, index) =>
    app === null || title < 1 || strength === null
      ? []
      : [{ a: difficulty - 100 * strength, b: index + 1 }],
  );
}
