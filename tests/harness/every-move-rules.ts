import type { CallInput } from '#client/http.ts';

type Rules = NonNullable<CallInput<'PUT /alerts/rules'>>['body']['rules'];

/** Every move of some size at once, across every threshold and the edge of the depth. */
const everyMove = {
  minPositions: 5,
  thresholds: [1, 3, 10, 50],
  depthEdge: true,
  hysteresisPositions: 0,
  sustainedDays: 1,
  cooldownDays: 0,
};

export const everyDrop = { event: 'rank.dropped' as const, ...everyMove };
export const everyRise = { event: 'rank.improved' as const, ...everyMove };
export const everyLowReview = { event: 'review.negative' as const, everyReview: true };

/** Rules for tests of single facts, which the default rules group and confirm first. */
export const everyMoveRules: Rules = [everyDrop, everyRise, everyLowReview];
