import type { ChangeKind } from '#domain/tracking/rankings/rank-change.ts';
import type { RankPair } from '#domain/tracking/rankings/visible-rows.ts';
import type { LiveKeyword } from '#domain/tracking/serps/live-keywords.ts';
import { keywordWeights, positionWeight } from '../visibility/visibility-index.ts';

/** A keyword on two days, both checked by one provider. */
export interface KeywordMove {
  keyword: LiveKeyword;
  from: RankPair;
  to: RankPair;
  kind: ChangeKind;
  change: number | null;
}

const tops = [3, 10, 50];

/** The moves worth reading, those that change the visibility most first. */
export function chooseMovers(moves: readonly KeywordMove[], movePositions: number): KeywordMove[] {
  const weights = keywordWeights(moves.map(({ keyword }) => keyword.traffic));
  return moves
    .map((move, index) => ({ move, importance: weights[index]! * valueOf(move) }))
    .filter(({ move }) => isNotable(move, movePositions))
    .toSorted((a, b) => b.importance - a.importance || a.move.keyword.id - b.move.keyword.id)
    .map(({ move }) => move);
}

function isNotable({ kind, change, from, to }: KeywordMove, movePositions: number): boolean {
  if (kind === 'entered' || kind === 'left') return true;
  if (change === null || change === 0) return false;
  const crosses = tops.some((top) => from.position! <= top !== to.position! <= top);
  return crosses || Math.abs(change) >= movePositions;
}

function valueOf({ from, to }: KeywordMove): number {
  return Math.abs(positionWeight(from.position) - positionWeight(to.position));
}
