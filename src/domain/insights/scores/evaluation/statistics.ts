import { setImmediate } from 'node:timers/promises';
import jstat from 'jstat';
import { createSeededRandom } from '#lib/seeded-random.ts';

/** A statistic with the 95 % interval of its bootstrap. */
export interface Interval {
  value: number;
  low: number;
  high: number;
}

export interface Pair {
  a: number;
  b: number;
}

const minPairs = 10;
const resamples = 400;

/** Spearman's rank correlation, ties by their mean rank; null for too few or constant values. */
export function correlate(pairs: readonly Pair[]): number | null {
  if (pairs.length < minPairs) return null;
  const value = jstat.spearmancoeff(
    pairs.map(({ a }) => a),
    pairs.map(({ b }) => b),
  );
  return Number.isFinite(value) ? value : null;
}

/**
 * Spearman's rank correlation over all pairs. The interval resamples whole groups with a seeded
 * generator, because pairs of one group depend on each other. Other requests are served between
 * the resamples, which take seconds together.
 */
export async function correlateWithInterval(
  groups: readonly (readonly Pair[])[],
  seed: number,
): Promise<Interval | null> {
  const value = correlate(groups.flat());
  if (value === null) return null;
  const random = createSeededRandom(seed);
  const found: number[] = [];
  for (let number = 0; number < resamples; number += 1) {
    const drawn = groups.map(() => groups[Math.floor(random() * groups.length)]!);
    const one = correlate(drawn.flat());
    if (one !== null) found.push(one);
    await setImmediate();
  }
  const values = found.toSorted((a, b) => a - b);
  const quantile = (share: number) =>
    values[Math.min(values.length - 1, Math.floor(share * values.length))] ?? value;
  return { value: round(value), low: round(quantile(0.025)), high: round(quantile(0.975)) };
}

/**
 * The probability that a random one of `higher` is above a random one of `lower`, ties counting
 * half; null when either is empty.
 */
export function areaUnderCurve(higher: readonly number[], lower: readonly number[]): number | null {
  if (higher.length === 0 || lower.length === 0) return null;
  const ranks = jstat.rank([...higher, ...lower]);
  const sum = ranks.slice(0, higher.length).reduce((done, rank) => done + rank, 0);
  const least = (higher.length * (higher.length + 1)) / 2;
  return round((sum - least) / (higher.length * lower.length));
}

export const round = (value: number): number => Math.round(value * 1_000) / 1_000;
