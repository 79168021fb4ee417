import type { z } from 'zod';
import jstat from 'jstat';
import type { orderDistance } from '#contract/order-distance.ts';

export type OrderDistance = z.input<typeof orderDistance>;

/** Deeper positions differ by chance. */
export const comparedPositions = 50;
const minForCorrelation = 3;

/** How far two orders of app ids are apart in their first 50 positions. */
export function measureDistance(a: readonly string[], b: readonly string[]): OrderDistance {
  const positionsB = new Map(b.slice(0, comparedPositions).map((id, index) => [id, index + 1]));
  const pairs = a.slice(0, comparedPositions).flatMap((id, index) => {
    const other = positionsB.get(id);
    return other === undefined ? [] : [{ one: index + 1, other }];
  });
  const distances = pairs.map(({ one, other }) => Math.abs(one - other));
  return {
    common: pairs.length,
    medianDistance: medianOf(distances),
    correlation:
      pairs.length < minForCorrelation
        ? null
        : round(
            jstat.spearmancoeff(
              pairs.map(({ one }) => one),
              pairs.map(({ other }) => other),
            ),
          ),
  };
}

/** Null for no values. */
const medianOf = (values: readonly number[]): number | null =>
  values.length === 0 ? null : round(jstat.median([...values]));

const round = (value: number): number => Math.round(value * 1_000) / 1_000;
