import type { EvidenceItem } from './evidence.ts';

/** A signal of 0–1, and the share of its weight that its evidence covers, 1 by default. */
export interface Signal {
  value: number;
  known?: number;
}

export interface WeightedScore {
  /** 0–1; null without any signal. */
  value: number | null;
  /** The sum of the weights of the present signals. */
  known: number;
  evidence: EvidenceItem[];
  missing: string[];
}

/**
 * The weighted mean of the present signals. The weight of a missing signal, or of the unknown share
 * of one, goes to the others, and the missing signal is named. Points are of 100 and add up to the
 * score. A signal without weight in this store is left out.
 */
export function weigh<Name extends string>(
  score: EvidenceItem['score'],
  weights: Readonly<Record<Name, number>>,
  signals: Readonly<Record<Name, Signal | null>>,
): WeightedScore {
  const names = (Object.keys(weights) as Name[]).filter((name) => weights[name] > 0);
  const present = names.flatMap((signal) => {
    const { value, known = 1 } = signals[signal] ?? { value: 0, known: 0 };
    return known > 0 ? [{ signal, value: clamp(value), weight: weights[signal] * known }] : [];
  });
  const total = present.reduce((sum, { weight }) => sum + weight, 0);
  const evidence = present.map(({ signal, value, weight }) => ({
    score,
    signal,
    value: roundTo(value, 4),
    weight: roundTo(weight / total, 4),
    points: roundTo((100 * weight * value) / total, 2),
  }));
  const sum = present.reduce((done, { value, weight }) => done + weight * value, 0);
  const found = new Set<string>(present.map(({ signal }) => signal));
  return {
    value: total === 0 ? null : sum / total,
    known: total,
    evidence,
    missing: names.filter((name) => !found.has(name)),
  };
}

export const clamp = (value: number): number => Math.min(1, Math.max(0, value));

/** A score is a whole number, 0–100. */
export const toScore = (value: number): number => Math.round(100 * clamp(value));

export function roundTo(value: number, digits: number): number {
  return Math.round(value * 10 ** digits) / 10 ** digits;
}

/** Null for none. */
export function medianOf(values: readonly number[]): number | null {
  if (values.length === 0) return null;
  const sorted = values.toSorted((a, b) => a - b);
  const middle = sorted.length >> 1;
  return sorted.length % 2 === 1 ? sorted[middle]! : (sorted[middle - 1]! + sorted[middle]!) / 2;
}

/**
 * The weighted mean of the known values with the share of the weight that they have; null without
 * known values.
 */
export function meanOfKnown(
  values: readonly (number | null)[],
  weightOf: (index: number) => number,
): Required<Signal> | null {
  let [sum, known, total] = [0, 0, 0];
  for (const [index, value] of values.entries()) {
    const weight = weightOf(index);
    total += weight;
    if (value === null) continue;
    known += weight;
    sum += weight * value;
  }
  return known === 0 ? null : { value: sum / known, known: known / total };
}
