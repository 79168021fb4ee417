import type { StoreName } from '#domain/base/ports.ts';
import { correlate } from '#domain/insights/scores/evaluation/statistics.ts';
import type { MarketEvidence } from '#domain/insights/scores/evidence.ts';
import {
  trafficFormulas,
  trafficSignals,
  type TrafficSignal,
} from '#domain/insights/scores/formulas.ts';
import { readTrafficSignals, weighTraffic } from '#domain/insights/scores/traffic.ts';
import { createSeededRandom } from '#lib/seeded-random.ts';

export type Weights = (typeof trafficFormulas)[StoreName]['weights'];
export interface FitRow {
  evidence: MarketEvidence;
  popularity: number;
}

export interface Proposal {
  store: StoreName;
  formula: string;
  rows: number;
  weights: { signal: TrafficSignal; shipped: number; proposed: number }[];
  train: { shipped: number; proposed: number };
  heldOut: { rows: number; shipped: number; proposed: number };
  largestMove: number;
  isAccepted: boolean;
  rejections: string[];
}

export const leastRows = 30;
const heldOutShare = 1 / 3;
/** No weight moves further from the shipped one than this, so that a small file changes little. */
const maxStep = 0.15;
const steps = [0.05, 0.02, 0.01];
const movesTested = 400;

/**
 * Proposes weights of traffic for a store from labelled rows, of which a third is held out. The
 * proposal is rejected when it is not better on these, or when one app that moves by one position
 * changes a score by more than `maxMove`. The signals in `kept` keep their weights. Pure: the same
 * rows and seed give the same proposal.
 */
export function proposeWeights(
  store: StoreName,
  rows: readonly FitRow[],
  {
    seed,
    kept = [],
    maxMove = 6,
  }: { seed: number; kept?: readonly TrafficSignal[]; maxMove?: number },
): Proposal {
  const random = createSeededRandom(seed);
  const marked = rows.map((row) => ({
    signals: readTrafficSignals(row.evidence),
    popularity: row.popularity,
    isHeldOut: random() < heldOutShare,
  }));
  const measure = (weights: Weights, isHeldOut: boolean) =>
    correlate(
      marked
        .filter((row) => row.isHeldOut === isHeldOut)
        .map(({ signals, popularity }) => ({
          a: weighTraffic({ ...trafficFormulas[store], weights }, signals).value ?? 0,
          b: popularity,
        })),
    ) ?? 0;
  const shipped = trafficFormulas[store].weights;
  const proposed = climb(shipped, kept, (weights) => measure(weights, false));
  const heldOut = {
    rows: marked.filter((row) => row.isHeldOut).length,
    shipped: measure(shipped, true),
    proposed: measure(proposed, true),
  };
  const largestMove = findLargestMove(store, proposed, rows);
  const rejections = [
    ...(heldOut.proposed > heldOut.shipped ? [] : ['it is not better on the held-out rows']),
    ...(largestMove <= maxMove ? [] : [`one move changes a score by ${largestMove}`]),
  ];
  return {
    store,
    formula: trafficFormulas[store].id,
    rows: rows.length,
    weights: trafficSignals.map((signal) => ({
      signal,
      shipped: shipped[signal],
      proposed: proposed[signal],
    })),
    train: { shipped: measure(shipped, false), proposed: measure(proposed, false) },
    heldOut,
    largestMove,
    isAccepted: rejections.length === 0,
    rejections,
  };
}

/** Moves weight from one signal to another as long as the measure rises. */
function climb(
  shipped: Weights,
  kept: readonly TrafficSignal[],
  measure: (weights: Weights) => number,
): Weights {
  let best = shipped;
  let value = measure(best);
  for (const step of steps) {
    for (let improved = true; improved;) {
      improved = false;
      for (const candidate of listNeighbours(best, { shipped, kept, step })) {
        const found = measure(candidate);
        if (found <= value + 1e-4) continue;
        [best, value, improved] = [candidate, found, true];
      }
    }
  }
  return best;
}

/** A signal without weight stays without it: the store's profile says why. */
function listNeighbours(
  weights: Weights,
  { shipped, kept, step }: { shipped: Weights; kept: readonly TrafficSignal[]; step: number },
): Weights[] {
  const used = trafficSignals.filter((name) => shipped[name] > 0 && !kept.includes(name));
  return used.flatMap((from) =>
    used.flatMap((to) => {
      const moved = {
        ...weights,
        [from]: roundWeight(weights[from] - step),
        [to]: roundWeight(weights[to] + step),
      };
      const isAllowed = used.every(
        (name) => moved[name] >= 0.02 && Math.abs(moved[name] - shipped[name]) <= maxStep + 1e-9,
      );
      return from === to || !isAllowed ? [] : [moved];
    }),
  );
}

function roundWeight(value: number): number {
  return Math.round(value * 1_000) / 1_000;
}

/** The largest change of traffic when one app moves by one position, over a sample of rows. */
export function findLargestMove(
  store: StoreName,
  weights: Weights,
  rows: readonly FitRow[],
): number {
  const formula = { ...trafficFormulas[store], weights };
  const score = (evidence: MarketEvidence) =>
    Math.round(100 * (weighTraffic(formula, readTrafficSignals(evidence)).value ?? 0));
  let largest = 0;
  for (const { evidence } of rows.slice(0, movesTested)) {
    const { serp } = evidence;
    if (!serp) continue;
    const before = score(evidence);
    for (let at = 0; at + 1 < serp.top.length; at += 1) {
      const top = serp.top.with(at, serp.top[at + 1]!).with(at + 1, serp.top[at]!);
      largest = Math.max(
        largest,
        Math.abs(score({ ...evidence, serp: { ...serp, top } }) - before),
      );
    }
  }
  return largest;
}
