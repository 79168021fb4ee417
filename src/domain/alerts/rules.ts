import { alertRule, alertTypes, type AlertRule, type AlertType } from '../../contract/alerts.ts';

export type { AlertRule, AlertType };
export type RuleOf<T extends AlertType> = Extract<AlertRule, { event: T }>;

/** What holds for an event that a workspace has no rule for. */
export const defaultRules: readonly AlertRule[] = alertTypes.map((event) => alertRule.parse({ event }));

/** What a rule's scope looks at. */
export interface Subject {
  appId: number;
  /** The app's tags, and the keyword's where it is about one. */
  tags: readonly string[];
  /** 0–100; null without a score, and for what is no keyword. */
  traffic: number | null;
}

/**
 * The rule that decides about a subject: of the event's rules the first whose scope fits, of an event without rules its
 * default. Null when nothing is to be told: no scope fits, or the rule that fits is disabled.
 */
export function findRule<T extends AlertType>(rules: readonly AlertRule[], event: T, subject: Subject): RuleOf<T> | null {
  const isOfEvent = (rule: AlertRule): rule is RuleOf<T> => rule.event === event;
  const own = rules.filter(isOfEvent);
  const rule = (own.length > 0 ? own : defaultRules.filter(isOfEvent)).find((candidate) => fits(candidate.scope, subject));
  return rule?.enabled ? rule : null;
}

function fits(scope: AlertRule['scope'] & { minTraffic?: number | undefined }, subject: Subject): boolean {
  const { appIds, tags, minTraffic } = scope;
  return (
    (appIds === undefined || appIds.includes(subject.appId)) &&
    (tags === undefined || tags.some((tag) => subject.tags.includes(tag))) &&
    (minTraffic === undefined || (subject.traffic !== null && subject.traffic >= minTraffic))
  );
}
