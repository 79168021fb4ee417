import type { EvidenceItem } from './evidence.ts';

export interface WeightedScore {
  /** 0–1; null without any signal. */
  value: number | null;
  /** The sum of the weights of the present signals. */
  known: number;
  evidence: EvidenceItem[];
  missing: string[];
}

/**
 * The weighted mean of the present signals. The weight of a missing signal goes to the others, and
 * the signal is named. Points are of 100 and add up to the score.
 */
export function weigh<Signal extends string>(
  score: EvidenceItem['score'],
  weights: Record<Signal, number>,
  signals: Record<Signal, number | null>,
): WeightedScore {
  const names = Object.keys(weights) as Signal[];
  const present = names.flatMap((signal) => {
    const value = signals[signal];
    return value === null ? [] : [{ signal, value: clamp(value) }];
  });
  const total = present.reduce((sum, { signal }) => sum + weights[signal], 0);
  const evidence = present.map(({ signal, value }) => {
    const weight = weights[signal] / total;
    return {
      score,
      signal,
      value: roundTo(value, 4),
      weight: roundTo(weight, 4),
      points: roundTo(100 * weight * value, 2),
    };
  });
  const sum = present.reduce((done, { signal, value }) => done + weights[signal] * value, 0);
  return {
    value: total === 0 ? null : sum / total,
    known: total,
    evidence,
    missing: names.filter((signal) => signals[signal] === null),
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

/** Null for none. */
export function meanOf(values: readonly number[]): number | null {
  return values.length === 0 ? null : values.reduce((sum, value) => sum + value, 0) / values.length;
}
