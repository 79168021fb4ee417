/** Closed lists, in the order in which they are shown; apart from the shapes, so that the dashboard reads them without zod. */

/** One a rule; docs/actions.md says when each is found. */
export const actionTypes = [
  'rank-drop',
  'striking-distance',
  'missing-keyword',
  'keyword-field-waste',
  'unused-title',
  'competitor-entered',
  'competitor-changed',
  'keyword-gap',
  'review-theme',
  'rating-fell',
  'hopeless-keyword',
  'untracked-country',
  'webhook-failing',
  'store-check-failing',
] as const;
export const actionStatuses = ['open', 'snoozed', 'resolved', 'dismissed'] as const;
/** What a metered instance sells, smallest first. */
export const planNames = ['indie', 'ultimate'] as const;
export type PlanName = (typeof planNames)[number];
export const planIntervals = ['month', 'year'] as const;
export type PlanInterval = (typeof planIntervals)[number];

export const severities = ['high', 'medium', 'low'] as const;

/** The events that rules derive from stored facts, and that can be tried on the past. */
export const alertTypes = [
  'rank.dropped',
  'rank.improved',
  'serp.entrant',
  'metadata.changed',
  'review.negative',
] as const;
/** Those that rules decide about. An opened action is told always: what was opened stands in the list. */
export const ruledTypes = [...alertTypes, 'digest.weekly'] as const;
/** What a webhook can subscribe to. The list is closed. */
export const eventTypes = [
  'metadata.changed',
  'rank.dropped',
  'rank.improved',
  'review.negative',
  'digest.weekly',
  'serp.entrant',
  'action.opened',
] as const;

export const timelineKinds = ['change', 'version', 'rank', 'reviews', 'annotation', 'run'] as const;

/** The fields of a listing whose changes are kept, in the order in which they are told. Sizes and dates follow from these. */
export const changedFields = [
  'name',
  'subtitle',
  'summary',
  'description',
  'developer',
  'iconUrl',
  'screenshotUrls',
  'category',
  'price',
  'currency',
  'version',
  'releaseNotes',
  'contentRating',
  'minimumOsVersion',
  'languages',
  'inAppPurchases',
] as const;

export const jobKinds = [
  'first-check',
  'run-daily',
  'app-refresh',
  'review-sync',
  'score',
  'recompute',
  'actions-run',
  'export',
  'import',
  'redeliver',
  'digest-mail',
] as const;
export const jobStates = ['queued', 'running', 'succeeded', 'failed', 'cancelled', 'shed'] as const;

export const deliveryStates = ['pending', 'succeeded', 'failed', 'abandoned'] as const;

export const weekdays = [
  'monday',
  'tuesday',
  'wednesday',
  'thursday',
  'friday',
  'saturday',
  'sunday',
] as const;
