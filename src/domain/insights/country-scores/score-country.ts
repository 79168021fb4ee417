import type { AppRow } from '#db/queries/apps/apps.ts';
import type { CountryResult } from '#db/queries/country-scores/due-country-scores.ts';
import { utcDayOf } from '#lib/dates.ts';
import { inSystem } from '#domain/base/context.ts';
import { StoreError, type StoreRequestOptions } from '#domain/base/ports.ts';
import type { CheckServices } from '#domain/tracking/rankings/check-market.ts';
import { examinedDepth, positionIn } from '#domain/tracking/rankings/position.ts';
import { fetchHints, type MarketQuery } from '../scores/fetch-hints.ts';
import type { Offered } from '../scores/hint-search.ts';
import { readLiveEvidence } from '../scores/live-evidence.ts';
import { trafficBasisOf } from '../scores/provenance.ts';
import { scoreDifficulty } from '../scores/difficulty.ts';
import { searchForScore } from '../scores/search-for-score.ts';
import { scoreTraffic } from '../scores/traffic.ts';

/**
 * Scores a phrase in a country by the formulas of tracked keywords, with the app's position in the
 * same results. Writes nothing. Throws StoreError without results, or without suggestions that the
 * store may have later.
 */
export async function scoreCountry(
  services: CheckServices,
  app: AppRow,
  market: MarketQuery,
  options: StoreRequestOptions,
): Promise<CountryResult> {
  const response = await searchForScore(services, market, options);
  const offered = await fetchHintsIfOffered(services, market, options);
  const asOf = utcDayOf(services.clock.now());
  const { evidence, published } = await inSystem(services, (tx) =>
    readLiveEvidence(tx, market, { response, offered }, asOf),
  );
  const traffic = scoreTraffic(evidence);
  const difficulty = scoreDifficulty(evidence);
  // Without suggestions the other signals say too little to decide by.
  const isTrafficKnown = offered !== null || evidence.popularity !== null;
  return {
    position: positionIn(response, app.storeAppId),
    depth: Math.max(1, examinedDepth(response)),
    traffic: isTrafficKnown ? traffic.score : null,
    difficulty: difficulty.score,
    certainty: {
      ranges: { traffic: isTrafficKnown ? traffic.range : null, difficulty: difficulty.range },
      confidences: { traffic: traffic.confidence, difficulty: difficulty.confidence },
      trafficBasis: isTrafficKnown ? trafficBasisOf(traffic.evidence) : null,
      published,
    },
  };
}

/** Null where the store has no suggestions at all; other failures may pass. */
async function fetchHintsIfOffered(
  services: CheckServices,
  market: MarketQuery,
  options: StoreRequestOptions,
): Promise<Offered | null> {
  try {
    return await fetchHints(services.stores, market, options);
  } catch (error) {
    const isFinal =
      error instanceof StoreError &&
      (error.failure === 'not_offered' || error.failure === 'bad_request');
    if (!isFinal) throw error;
    return null;
  }
}
