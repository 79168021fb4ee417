/** How the index is made; a change of any of it is another version. */
export const visibilityFormula = {
  id: 'visibility@1',
  curve: '1 / position; 0 when not found',
  weights:
    'the newest traffic score of each keyword, at least 1; a keyword without a score weighs as the mean of those with one; 1 each without any',
  index: '100 × sum(weight × curve) / sum(weight), over the keywords that were checked that day',
  coverage: 'sum(weight) of the checked keywords / sum(weight) of those followed that day',
} as const;

/** What a position counts: 1 for the first place, half for the second, nothing for not found. */
export function positionWeight(position: number | null): number {
  return position === null ? 0 : 1 / position;
}

/** One weight a keyword, in their order; equal ones where nothing is known of any. */
export function keywordWeights(traffic: readonly (number | null)[]): number[] {
  const known = traffic.filter((score) => score !== null).map((score) => Math.max(1, score));
  const mean = known.length === 0 ? 1 : known.reduce((sum, score) => sum + score, 0) / known.length;
  return traffic.map((score) => (score === null ? mean : Math.max(1, score)));
}

export interface DayIndex {
  /** 0–100; null when nothing was checked. */
  index: number | null;
  /** 0–1; null when nothing was followed. */
  coverage: number | null;
  followed: number;
  checked: number;
  ranked: number;
}

/** The index of a day, from the keywords followed on it. Keywords that were not checked change its coverage alone. */
export class DayTally {
  private followed = 0;
  private checked = 0;
  private ranked = 0;
  private weightFollowed = 0;
  private weightChecked = 0;
  private points = 0;

  /** A keyword followed that day: undefined was not checked, null was not found. */
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
