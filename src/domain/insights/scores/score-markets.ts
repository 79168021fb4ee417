import { insertScores, type NewScore } from '#db/queries/scores/scores.ts';
import { deleteStaleScores, listStaleScores } from '#db/queries/scores/stale-scores.ts';
import { maxDay, minDay, utcDayOf } from '#lib/dates.ts';
import { inSystem, type Services } from '#domain/base/context.ts';
import { scoreDifficulty } from './difficulty.ts';
import type { MarketEvidence } from './evidence.ts';
import { toProvenance, trafficBasisOf } from './provenance.ts';
import { readEvidence } from './read-evidence.ts';
import { scoreTraffic, usableHints } from './traffic.ts';

export type ScoringServices = Pick<Services, 'systemDb' | 'clock'>;

const batchSize = 500;
const staleBatchSize = 250;

/**
 * Computes traffic and difficulty of markets from stored data and stores new values. Queries no
 * store. Returns the number of new ones.
 */
export async function scoreMarkets(
  services: ScoringServices,
  marketIds: readonly number[],
  signal?: AbortSignal,
): Promise<number> {
  let count = 0;
  for (let start = 0; start < marketIds.length; start += batchSize) {
    signal?.throwIfAborted();
    const now = services.clock.now();
    const evidence = await readEvidence(
      services.systemDb,
      marketIds.slice(start, start + batchSize),
      utcDayOf(now),
    );
    const scores = [...evidence].flatMap(
      ([marketId, market]) => toNewScore(marketId, market) ?? [],
    );
    if (scores.length > 0) count += await inSystem(services, (tx) => insertScores(tx, scores, now));
  }
  return count;
}

/**
 * Scores markets whose score is a week older than the stored results, and markets without a score:
 * their hints may take long when capacity is short. Returns the number of new scores.
 */
export async function scoreStaleMarkets(services: Services): Promise<number> {
  const stale = await listStaleScores(services.systemDb, staleBatchSize);
  if (stale.length === 0) return 0;
  const count = await scoreMarkets(
    services,
    stale.map(({ marketId }) => marketId),
  );
  await deleteStaleScores(services.systemDb, stale);
  return count;
}

/** Null without evidence. Pure. */
export function toNewScore(marketId: number, market: MarketEvidence): NewScore | null {
  const traffic = scoreTraffic(market);
  const difficulty = scoreDifficulty(market);
  const hints = usableHints(market);
  const days = [market.serp?.date, hints?.date].filter((day) => day !== undefined);
  if (days.length === 0) return null;
  const provenance = toProvenance(market, traffic, difficulty, days.reduce(maxDay));
  const basis = trafficBasisOf(provenance.evidence);
  return {
    marketId,
    observedOn: days.reduce(minDay),
    serpOn: market.serp?.date ?? null,
    traffic: traffic.score,
    difficulty: difficulty.score,
    formula: provenance.formula,
    confidence: provenance.confidence,
    trafficBasis: basis === 'estimate' ? null : basis,
    trafficRange: traffic.confidence === 'low' ? traffic.range : null,
    difficultyRange: difficulty.confidence === 'low' ? difficulty.range : null,
    provenance,
  };
}
