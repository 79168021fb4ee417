/** The definition of the index. Any change is a new version. */
export const visibilityFormula = {
  id: 'visibility@1',
  curve: '1 / position; 0 when not found',
  weights:
    'the latest traffic score of each keyword, at least 1; a keyword without a score has the ' +
    'mean weight of the others; 1 each without any',
  index: '100 × sum(weight × curve) / sum(weight), over the keywords that were checked that day',
  coverage: 'sum(weight) of the checked keywords / sum(weight) of the keywords tracked that day',
} as const;

/** The value of a position: 1 for the first, half for the second, 0 for not found. */
export function positionWeight(position: number | null): number {
  return position === null ? 0 : 1 / position;
}

/** One weight per keyword, in order; equal ones when no score is known. */
export function keywordWeights(traffic: readonly (number | null)[]): number[] {
  const known = traffic.filter((score) => score !== null).map((score) => Math.max(1, score));
  const mean = known.length === 0 ? 1 : known.reduce((sum, score) => sum + score, 0) / known.length;
  return traffic.map((score) => (score === null ? mean : Math.max(1, score)));
}

/** The figures with the digits that the API shows. */
export const roundDay = ({ index, coverage, ...counts }: DayIndex): DayIndex => ({
  index: round(index, 2),
  coverage: round(coverage, 4),
  ...counts,
});

function round(value: number | null, digits: number): number | null {
  return value === null ? null : Math.round(value * 10 ** digits) / 10 ** digits;
}

export interface DayIndex {
  /** 0–100; null when nothing was checked. */
  index: number | null;
  /** 0–1; null when nothing was tracked. */
  coverage: number | null;
  followed: number;
  checked: number;
  ranked: number;
}

/**
 * The index of a day over the keywords tracked on it. Unchecked keywords only lower the coverage.
 */
export class DayTally {
  private followed = 0;
  private checked = 0;
  private ranked = 0;
  private weightFollowed = 0;
  private weightChecked = 0;
  private points = 0;

  /** A keyword tracked that day: undefined was not checked, null was not found. */
  add(position: number | null | undefined, weight: number): void {
    this.followed += 1;
    this.weightFollowed += weight;
    if (position === undefined) return;
    this.checked += 1;
    this.weightChecked += weight;
    if (position === null) return;
    this.ranked += 1;
    this.points += weight * positionWeight(position);
  }

  measure(): DayIndex {
    const { followed, checked, ranked } = this;
    return {
      index: checked === 0 ? null : (100 * this.points) / this.weightChecked,
      coverage: followed === 0 ? null : this.weightChecked / this.weightFollowed,
      followed,
      checked,
      ranked,
    };
  }
}
