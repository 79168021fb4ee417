import { alertRule, type AlertRule, type AlertType } from '../../contract/alerts.ts';
import { ruledTypes } from '../../contract/choices.ts';
import type { WorkspaceSettings } from '../../contract/settings.ts';

export type { AlertRule, AlertType };
type ReviewRule = Extract<AlertRule, { event: 'review.negative' }>;
/** A rule that leaves nothing open. */
export type WholeRule = Exclude<AlertRule, ReviewRule> | (ReviewRule & { maxRating: number });
export type RuleOf<T extends AlertRule['event']> = Extract<WholeRule, { event: T }>;
type ReviewSetting = Pick<WorkspaceSettings, 'reviewNegativeMaxRating'>;

/** What holds for an event that a workspace has no rule for. */
export function defaultRules(settings: ReviewSetting): WholeRule[] {
  return ruledTypes.map((event) => fillRule(alertRule.parse({ event }), settings));
}

/** A workspace's own rules, and the defaults of the events that have none; what a rule leaves open the settings say. */
export function completeRules(own: readonly AlertRule[], settings: ReviewSetting): WholeRule[] {
  const missing = defaultRules(settings).filter(
    ({ event }) => !own.some((rule) => rule.event === event),
  );
  return [...own.map((rule) => fillRule(rule, settings)), ...missing];
}

function fillRule(rule: AlertRule, settings: ReviewSetting): WholeRule {
  return rule.event === 'review.negative'
    ? { ...rule, maxRating: rule.maxRating ?? settings.reviewNegativeMaxRating }
    : rule;
}

/** What a rule's scope looks at. */
export interface Subject {
  appId: number;
  /** The app's tags, and the keyword's where it is about one. */
  tags: readonly string[];
  /** 0–100; null without a score, and for what is no keyword. */
  traffic: number | null;
}

/** Of the event's rules the first whose scope fits. Null when nothing is to be told: none fits, or the one that does is disabled. */
export function findRule<T extends AlertType>(
  rules: readonly WholeRule[],
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
