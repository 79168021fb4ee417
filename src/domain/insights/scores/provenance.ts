import type { UtcDay } from '#lib/dates.ts';
import type {
  Confidence,
  MarketEvidence,
  Provenance,
  Scored,
  ScoredTraffic,
  TrafficBasis,
} from './evidence.ts';
import { scoreDifficulty } from './difficulty.ts';
import { difficultyFormulas, formulaOf, otherPositions } from './formulas.ts';
import { isNamed } from './title-match.ts';
import { readContinuations, shortestOffer, usableHints } from './traffic.ts';
import { medianOf } from './weighted-score.ts';

/** The provenance of a pair of scores in its stored form. Pure. */
export function toProvenance(
  market: MarketEvidence,
  traffic: ScoredTraffic,
  difficulty: Scored,
  observedAt: UtcDay,
): Provenance {
  const { store, country } = market;
  const evidence = [...traffic.evidence, ...difficulty.evidence];
  return {
    formula: formulaOf(store),
    store,
    country,
    observedAt,
    evidence,
    inputs: toInputs(market, evidence),
    missing: [
      ...new Set([
        ...traffic.missing.map((signal) => `traffic.${signal}`),
        ...difficulty.missing.map((signal) => `difficulty.${signal}`),
      ]),
    ],
    confidence: lowerOf(traffic.confidence, difficulty.confidence),
    confidences: { traffic: traffic.confidence, difficulty: difficulty.confidence },
    ranges: { traffic: traffic.range, difficulty: difficulty.range },
    estimate: traffic.estimate && {
      traffic: traffic.estimate.score,
      range: traffic.estimate.range,
      evidence: traffic.estimate.evidence,
    },
    difficulties: {
      top5: toOtherDifficulty(market, otherPositions.top5),
      top20: toOtherDifficulty(market, otherPositions.top20),
    },
  };
}

function toOtherDifficulty(
  market: MarketEvidence,
  positions: number,
): NonNullable<Provenance['difficulties']>['top5'] {
  const { score, range, confidence, evidence, missing } = scoreDifficulty(market, positions);
  return score === null || range === null ? null : { score, range, confidence, evidence, missing };
}

function toInputs(market: MarketEvidence, evidence: Provenance['evidence']): Provenance['inputs'] {
  const { serp, phrase, chartsKnown } = market;
  const hints = usableHints(market);
  const offer = hints && shortestOffer(hints);
  const found = hints && readContinuations(hints, phrase.text);
  const top = serp?.top.slice(0, difficultyFormulas[market.store].normalisations.positions) ?? [];
  const counts = top.flatMap((app) => app.ratingCount ?? []);
  const median = medianOf(counts);
  return {
    serpDate: serp?.date ?? null,
    serpSize: serp?.resultCount ?? null,
    medianRatingCount: median === null ? null : Math.round(median),
    exactTitles: serp && top.filter((app) => isNamed(phrase, app.title)).length,
    brand: evidence.some((item) => item.signal === 'brand'),
    hintsDate: hints?.date ?? null,
    hintPrefix: offer?.prefix ?? null,
    hintPosition: offer?.position ?? null,
    chartingApps:
      serp && chartsKnown ? top.filter((app) => app.chartPosition !== null).length : null,
    continuations: found?.continuing ?? null,
    plural: found?.plural ?? null,
    published: market.popularity,
    popularityBound: market.popularityBound,
    ...(market.publishedList && { publishedList: market.publishedList }),
  };
}

/** What the traffic is, from the evidence of its score; an estimate has the signals themselves. */
export function trafficBasisOf(evidence: Provenance['evidence']): TrafficBasis {
  const found = evidence.find(
    ({ score, signal }) => score === 'traffic' && (signal === 'published' || signal === 'bound'),
  );
  return (found?.signal as TrafficBasis | undefined) ?? 'estimate';
}

const confidences: Confidence[] = ['low', 'medium', 'high'];

function lowerOf(a: Confidence, b: Confidence): Confidence {
  return confidences[Math.min(confidences.indexOf(a), confidences.indexOf(b))]!;
}
