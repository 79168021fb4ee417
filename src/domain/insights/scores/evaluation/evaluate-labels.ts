import { listLabelledMarkets } from '#db/queries/scores/labelled-markets.ts';
import type { Db } from '#db/database.ts';
import type { UtcDay } from '#lib/dates.ts';
import { readEvidence } from '../read-evidence.ts';
import { scoreTraffic } from '../traffic.ts';
import { toWords } from '../title-match.ts';
import type { MarketEvidence } from '../evidence.ts';
import { evaluateEstimates, type EstimatedPhrase, type Evaluation } from './evaluate-estimates.ts';
import type { Label } from './read-labels.ts';

const batchSize = 250;

/**
 * Compares labels with the traffic that the stored evidence of the instance gives, without a
 * published number and without a store request. A phrase that was never tracked has no estimate.
 */
export async function evaluateLabels(
  systemDb: Db,
  labels: readonly Label[],
  { asOf, seed }: { asOf: UtcDay; seed: number },
): Promise<Evaluation> {
  const phrases: EstimatedPhrase[] = [];
  for await (const { label, evidence } of readLabelledEvidence(systemDb, labels, asOf))
    phrases.push(estimate(label, evidence));
  return evaluateEstimates(phrases, { seed });
}

/** The labels in their order with the stored evidence of their markets, if there is any. */
export async function* readLabelledEvidence(
  systemDb: Db,
  labels: readonly Label[],
  asOf: UtcDay,
): AsyncGenerator<{ label: Label; evidence: MarketEvidence | undefined }> {
  for (let start = 0; start < labels.length; start += batchSize) {
    const batch = labels.slice(start, start + batchSize);
    const unknown = batch.filter(({ marketId }) => marketId === undefined);
    const markets = unknown.length === 0 ? [] : await listLabelledMarkets(systemDb, unknown);
    const found = new Map(markets.map((market) => [keyOf(market), market.marketId]));
    const idOf = (label: Label) => label.marketId ?? found.get(keyOf(label)) ?? -1;
    const evidence = await readEvidence(systemDb, batch.map(idOf), asOf);
    for (const label of batch) yield { label, evidence: evidence.get(idOf(label)) };
  }
}

const keyOf = ({ store, country, phrase }: Pick<Label, 'store' | 'country' | 'phrase'>): string =>
  JSON.stringify([store, country, phrase]);

/** The estimate of a phrase from its evidence. Pure. */
export function estimate(label: Label, market: MarketEvidence | undefined): EstimatedPhrase {
  const words = toWords(label.phrase).words.length;
  const { marketId: _, ...known } = label;
  if (!market) return { ...known, words, estimate: null, confidence: 'low', evidence: [] };
  const traffic = scoreTraffic({ ...market, popularity: null, popularityBound: null });
  const { score, confidence, evidence } = traffic;
  return { ...known, words, estimate: score, confidence, evidence };
}
