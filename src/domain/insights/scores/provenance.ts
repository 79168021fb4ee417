import type { UtcDay } from '#lib/dates.ts';
import type { Confidence, MarketEvidence, Provenance, Scored } from './evidence.ts';
import { formulaOf } from './formulas.ts';
import { isNamed } from './title-match.ts';
import { shortestOffer, usableHints } from './traffic.ts';
import { medianOf } from './weighted-score.ts';

/** The provenance of a pair of scores in its stored form. Pure. */
export function toProvenance(
  market: MarketEvidence,
  traffic: Scored,
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
  };
}

function toInputs(market: MarketEvidence, evidence: Provenance['evidence']): Provenance['inputs'] {
  const { serp, phrase, chartsKnown } = market;
  const hints = usableHints(market);
  const offer = hints && shortestOffer(hints);
  const counts = serp?.top.flatMap((app) => app.ratingCount ?? []) ?? [];
  const median = medianOf(counts);
  return {
    serpDate: serp?.date ?? null,
    serpSize: serp?.resultCount ?? null,
    medianRatingCount: median === null ? null : Math.round(median),
    exactTitles: serp && serp.top.filter((app) => isNamed(phrase, app.title)).length,
    brand: evidence.some((item) => item.signal === 'brand'),
    hintsDate: hints?.date ?? null,
    hintPrefix: offer?.prefix ?? null,
    hintPosition: offer?.position ?? null,
    chartingApps:
      serp && chartsKnown ? serp.top.filter((app) => app.chartPosition !== null).length : null,
  };
}

const confidences: Confidence[] = ['low', 'medium', 'high'];

function lowerOf(a: Confidence, b: Confidence): Confidence {
  return confidences[Math.min(confidences.indexOf(a), confidences.indexOf(b))]!;
}
