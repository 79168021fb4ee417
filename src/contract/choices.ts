/**
 * Closed lists, in the order in which they are shown. They are separate from the schemas, so that
 * the dashboard reads them without zod.
 */

/** One type for each rule; docs/actions.md says when each is found. */
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
export const actionStates = ['open', 'snoozed', 'resolved', 'dismissed'] as const;
/** The plans that a metered instance sells, smallest first. */
export const planNames = ['indie', 'ultimate'] as const;
export type PlanName = (typeof planNames)[number];
export const planIntervals = ['month', 'year'] as const;
export type PlanInterval = (typeof planIntervals)[number];

export const severities = ['high', 'medium', 'low'] as const;

/** Why heavy reads do not use the replica. */
export const replicaFaults = [
  'unreachable',
  'behind',
  'not_a_replica',
  'another_database',
  'another_timeline',
  'shared_sessions',
] as const;

/** The types of events, in the order in which they are shown. The list is closed. */
export const eventTypes = [
  'rank.dropped',
  'rank.improved',
  'serp.entrant',
  'metadata.changed',
  'review.negative',
  'digest.weekly',
  'action.opened',
] as const;
export type EventType = (typeof eventTypes)[number];
/** Alert rules raise these from stored facts, so they can be backtested. */
export const alertTypes = [
  'rank.dropped',
  'rank.improved',
  'serp.entrant',
  'metadata.changed',
  'review.negative',
] as const satisfies readonly EventType[];
export type AlertType = (typeof alertTypes)[number];
/** Alerts about a keyword, raised by its daily check. A chat gets those of a run in one message. */
export const keywordAlertTypes = [
  'rank.dropped',
  'rank.improved',
  'serp.entrant',
] as const satisfies readonly AlertType[];
/** The events that a rule switches on or off. Each has a default rule. */
export const configurableEventTypes = [
  ...alertTypes,
  'digest.weekly',
] as const satisfies readonly EventType[];
export type ConfigurableEventType = (typeof configurableEventTypes)[number];

export const timelineKinds = [
  'change',
  'version',
  'rank',
  'reviews',
  'annotation',
  'run',
  'provider',
] as const;

/** Why a keyword moved, the likeliest first. */
export const causeKinds = [
  'own_change',
  'reranking',
  'competitor_change',
  'entrants',
  'leavers',
] as const;
export type CauseKind = (typeof causeKinds)[number];

/**
 * The fields of a listing whose changes are stored, in display order. Sizes and dates follow from
 * these.
 */
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
  'keyword-check',
  'app-refresh',
  'review-sync',
  'score',
  'recompute',
  'country-scores',
  'actions-run',
  'export',
  'import',
  'popularity-import',
  'history-check',
  'history-import',
  'redeliver',
  'digest-mail',
  'failure-mail',
] as const;
export type JobKind = (typeof jobKinds)[number];
/** The state of a phrase in a country that was requested to be scored before it is tracked. */
export const countryScoreStates = ['tracked', 'scored', 'waiting', 'failed', 'not_scored'] as const;

/** The kinds of store work that jobs wait for. */
export const jobPartKinds = [
  'rank-check',
  'app-refresh',
  'reviews',
  'page',
  'chart',
  'hints',
] as const;
export type JobPartKind = (typeof jobPartKinds)[number];
export const jobStates = ['queued', 'running', 'succeeded', 'failed', 'cancelled', 'shed'] as const;

/** The formats of deliveries: our own signed objects, or messages of a chat service. */
/** The responses whose fields are watched: facts of a listing, and lists of results. */
export const fieldSources = ['listing', 'page', 'chart', 'search'] as const;
export type FieldSourceName = (typeof fieldSources)[number];

export const webhookKinds = ['standard', 'slack', 'discord', 'telegram', 'ntfy'] as const;
export type WebhookKind = (typeof webhookKinds)[number];

/** Why the address of a webhook is refused. */
export const webhookUrlFaults = [
  'hidden_part',
  'not_public',
  'no_chat_id',
  'no_topic',
  'other_kind',
] as const;
export type WebhookUrlFault = (typeof webhookUrlFaults)[number];

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

export const popularityMovements = ['climbers', 'fallers', 'new'] as const;

/** Files of other tools whose form is known. */
export const historyPresets = [
  'openaso-history',
  'openaso-keywords',
  'respectaso',
  'asobeast-rankings',
  'asobeast-keywords',
  'asobeast-account',
  'serpbear',
  'astro',
  'converted',
] as const;
export type HistoryPreset = (typeof historyPresets)[number];

export const historyEncodings = [
  'utf-8',
  'utf-16le',
  'utf-16be',
  'windows-1252',
  'shift_jis',
] as const;
export const historyLayouts = ['rows', 'day_columns', 'keyword_columns'] as const;
/** The order of a day, a month and a year, or seconds since 1970 (`unix`) or 2001 (`apple`). */
export const historyDateFormats = ['ymd', 'dmy', 'mdy', 'unix', 'unix_ms', 'apple'] as const;
export const historyFields = [
  'phrase',
  'country',
  'device',
  'date',
  'position',
  'depth',
  'app',
  'failure',
] as const;
export const historyOutcomes = ['written', 'known', 'refused'] as const;
/** Why a row of a history is not imported. */
export const historyReasons = [
  'no_phrase',
  'not_tracked',
  'unknown_country',
  'unknown_device',
  'other_app',
  'failed_check',
  'bad_date',
  'day_not_past',
  'no_position',
  'bad_position',
  'beyond_200',
  'beyond_depth',
  'bad_depth',
  'depth_unknown',
  'repeated_day',
  'broken_row',
] as const;

/** The texts of a listing draft, in the order in which people see them. */
export const draftFields = [
  'title',
  'subtitle',
  'summary',
  'keywordField',
  'promotionalText',
  'description',
  'whatsNew',
] as const;
export type DraftField = (typeof draftFields)[number];

/** The tools whose folders of texts are read and written. */
export const listingTools = [
  'deliver',
  'supply',
  'asc',
  'gradle-play-publisher',
  'f-droid',
  'eas',
] as const;

/** Why a zip of a folder is refused. */
export const zipFaults = [
  'not_a_zip',
  'damaged',
  'encrypted',
  'unknown_compression',
  'too_many_files',
  'too_large',
  'unsafe_path',
  'not_a_file',
  'duplicate_name',
  'no_listing',
  'several_listings',
  'unusable_text',
] as const;
export type ZipFault = (typeof zipFaults)[number];
