/** The last days of a field: readings that had the value or lost it, and those that lost it. */
export interface FieldHistory {
  days: number;
  readings: number;
  lost: number;
}

/** A reading had the value, or lacked one that was there before. */
export type FieldOutcome = 'read' | 'lost';

/** The score from which on a field drifts. Chance reaches it in one of nine million readings. */
export const driftScore = 16;
/** A drift ends below this score, so that it does not begin and end with every other reading. */
export const recoveredScore = driftScore / 2;

const minDays = 3;
const minReadings = 20;
/** No day is that regular: a smaller share would make a few lost values look like a drift. */
const minShare = 0.02;
/** A field that loses its value with most readings says nothing when it loses it again. */
const maxShare = 0.8;
/** The smallest drift to find, as a share of the values that are usually read. */
const driftShare = 0.25;

/**
 * The share of lost values that is ordinary for a field; null when its last days do not say. Days
 * differ, so twice the average is ordinary; a short history could have missed a loss by chance.
 */
export function findOrdinaryShare({ days, readings, lost }: FieldHistory): number | null {
  if (days < minDays || readings < minReadings) return null;
  const share = Math.max(minShare, (2 * (lost + 1)) / (readings + 2));
  return share > maxShare ? null : share;
}

/**
 * The score of a field after one more reading, from 0 to `driftScore`. It is a cumulative sum, as
 * in a control chart: the logarithm of how much more likely the latest readings are with a quarter
 * of the values lost than with the ordinary share lost.
 */
export function nextDriftScore(
  score: number,
  outcome: FieldOutcome,
  ordinaryShare: number,
): number {
  const driftingShare = ordinaryShare + (1 - ordinaryShare) * driftShare;
  const likelihood =
    outcome === 'lost' ? driftingShare / ordinaryShare : (1 - driftingShare) / (1 - ordinaryShare);
  return Math.min(driftScore, Math.max(0, score + Math.log(likelihood)));
}
