import type { AlertRule, AlertRules } from '../../../queries/alerts.ts';

export type RuleName = AlertRule['event'];
export type RuleOf<T extends RuleName> = Extract<AlertRule, { event: T }>;
export type Scoped = Exclude<AlertRule, RuleOf<'digest.weekly'>>;

/** Whole numbers of a rule, within what the API takes. */
export const numberFields = {
  minPlaces: { min: 1, max: 200 },
  hysteresisPlaces: { min: 0, max: 50 },
  maxGapDays: { min: 0, max: 30 },
  cooldownDays: { min: 0, max: 30 },
  top: { min: 1, max: 50 },
  minDays: { min: 1, max: 7 },
  maxRating: { min: 1, max: 5 },
  maxAgeDays: { min: 1, max: 30 },
} as const;
export type NumberField = keyof typeof numberFields;

export const numbersOf: Record<RuleName, readonly NumberField[]> = {
  'rank.dropped': ['minPlaces', 'cooldownDays', 'hysteresisPlaces', 'maxGapDays'],
  'rank.improved': ['minPlaces', 'cooldownDays', 'hysteresisPlaces', 'maxGapDays'],
  'serp.entrant': ['top', 'minDays', 'cooldownDays'],
  'metadata.changed': [],
  'review.negative': ['maxRating', 'maxAgeDays'],
  'digest.weekly': [],
};

export function defaultOf(document: AlertRules, event: RuleName): AlertRule {
  return document.defaults.find((rule) => rule.event === event)!;
}

/** A rule to begin with: the default, but for what the workspace's settings go on deciding. */
export function newRule(document: AlertRules, event: RuleName): AlertRule {
  const rule = defaultOf(document, event);
  if (rule.event !== 'review.negative') return rule;
  const { maxRating: _, ...open } = rule;
  return open;
}

/** What holds for an event: its own rules, or the default alone. */
export function rulesOf(rules: readonly AlertRule[], event: RuleName): AlertRule[] {
  return rules.filter((rule) => rule.event === event);
}

/** The rules of one event replaced, the others as they are and in their order. */
export function withRulesOf(
  rules: readonly AlertRule[],
  event: RuleName,
  own: readonly AlertRule[],
): AlertRule[] {
  return [...rules.filter((rule) => rule.event !== event), ...own];
}

export function isSame(a: readonly AlertRule[], b: readonly AlertRule[]): boolean {
  return JSON.stringify(a) === JSON.stringify(b);
}
