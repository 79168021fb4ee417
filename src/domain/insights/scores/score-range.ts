import type { Confidence, ScoreRange } from './evidence.ts';

/** Half the width of a range up to which a score has this confidence. */
const maxHalfWidths = { high: 14, medium: 21 };

export function confidenceOfWidth(halfWidth: number): Confidence {
  if (halfWidth <= maxHalfWidths.high) return 'high';
  return halfWidth <= maxHalfWidths.medium ? 'medium' : 'low';
}

/** Between 0 and 100; null without a score. */
export function toRange(score: number | null, halfWidth: number): ScoreRange | null {
  if (score === null) return null;
  return {
    low: Math.max(0, Math.round(score - halfWidth)),
    high: Math.min(100, Math.round(score + halfWidth)),
  };
}
