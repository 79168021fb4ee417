import { alertRule, type AlertRule, type AlertType } from '#contract/alerts.ts';
import { configurableEventTypes } from '#contract/choices.ts';
import type { WorkspaceSettings } from '#contract/settings.ts';

export type { AlertRule, AlertType };
type ReviewRule = Extract<AlertRule, { event: 'review.negative' }>;
/** A rule with every value resolved. */
export type ResolvedRule = Exclude<AlertRule, ReviewRule> | (ReviewRule & { maxRating: number });
export type RuleOf<T extends AlertRule['event']> = Extract<ResolvedRule, { event: T }>;
type ReviewSetting = Pick<WorkspaceSettings, 'reviewNegativeMaxRating'>;

/** The default rule of an event without rules in the workspace. */
export function defaultRules(settings: ReviewSetting): ResolvedRule[] {
  return configurableEventTypes.map((event) => fillRule(alertRule.parse({ event }), settings));
}

/**
 * A workspace's own rules, and the defaults of events without rules; settings fill the omitted
 * values.
 */
export function resolveRules(own: readonly AlertRule[], settings: ReviewSetting): ResolvedRule[] {
  const missing = defaultRules(settings).filter(
    ({ event }) => !own.some((rule) => rule.event === event),
  );
  return [...own.map((rule) => fillRule(rule, settings)), ...missing];
}

function fillRule(rule: AlertRule, settings: ReviewSetting): ResolvedRule {
  return rule.event === 'review.negative'
    ? { ...rule, maxRating: rule.maxRating ?? settings.reviewNegativeMaxRating }
    : rule;
}

/** The values that the scope of a rule is compared with. */
export interface Subject {
  appId: number;
  /** The app's tags, and the keyword's if there is one. */
  tags: readonly string[];
  /** 0–100; null without a score or a keyword. */
  traffic: number | null;
}

/**
 * The first of the event's rules whose scope matches. Null when none does, or that rule is
 * disabled.
 */
export function findRule<T extends AlertType>(
  rules: readonly ResolvedRule[],
  event: T,
  subject: Subject,
): RuleOf<T> | null {
  const rule = rules.find(
    (candidate) =>
      candidate.event === event && 'scope' in candidate && fits(candidate.scope, subject),
  );
  return rule?.enabled ? (rule as RuleOf<T>) : null;
}

function fits(
  scope: RuleOf<AlertType>['scope'] & { minTraffic?: number | undefined },
  subject: Subject,
): boolean {
  const { appIds, tags, minTraffic } = scope;
  return (
    (appIds === undefined || appIds.includes(subject.appId)) &&
    (tags === undefined || tags.some((tag) => subject.tags.includes(tag))) &&
    (minTraffic === undefined || (subject.traffic !== null && subject.traffic >= minTraffic))
  );
}
