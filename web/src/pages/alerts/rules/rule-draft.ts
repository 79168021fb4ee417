import { configurableEventTypes } from '#contract/choices.ts';
import type { AlertRule, AlertRules } from '#web/queries/alerts.ts';

export type RuleName = AlertRule['event'];
export type RuleOf<T extends RuleName> = Extract<AlertRule, { event: T }>;
export type Scoped = Exclude<AlertRule, RuleOf<'digest.weekly'>>;

/** Whole numbers of a rule, with the limits of the API. */
export const numberFields = {
  minPositions: { min: 1, max: 200 },
  top: { min: 1, max: 50 },
  minDays: { min: 1, max: 7 },
  maxRating: { min: 1, max: 5 },
  maxAgeDays: { min: 1, max: 30 },
  cooldownDays: { min: 0, max: 30 },
  hysteresisPositions: { min: 0, max: 50 },
  sustainedDays: { min: 1, max: 7 },
  maxGapDays: { min: 0, max: 30 },
} as const;
export type NumberField = keyof typeof numberFields;

/** The number fields of each rule, in form order. */
export function listNumberFields(rule: AlertRule): NumberField[] {
  return (Object.keys(numberFields) as NumberField[]).filter((field) => field in rule);
}

export function defaultOf(document: AlertRules, event: RuleName): AlertRule {
  return document.defaults.find((rule) => rule.event === event)!;
}

/** A new rule with the defaults. Fields that the workspace settings decide are left out. */
export function newRule(document: AlertRules, event: RuleName): AlertRule {
  const rule = defaultOf(document, event);
  if (rule.event !== 'review.negative') return rule;
  const { maxRating: _, ...open } = rule;
  return open;
}

/** The rules of an event, or its default rule. */
export function rulesOf(rules: readonly AlertRule[], event: RuleName): AlertRule[] {
  return rules.filter((rule) => rule.event === event);
}

/** Replaces the rules of one event and keeps all others in order. */
export function withRulesOf(
  rules: readonly AlertRule[],
  event: RuleName,
  own: readonly AlertRule[],
): AlertRule[] {
  return [...rules.filter((rule) => rule.event !== event), ...own];
}

export type RulesByEvent = Record<RuleName, AlertRule[]>;

export const groupByEvent = (rules: readonly AlertRule[]): RulesByEvent =>
  Object.fromEntries(
    configurableEventTypes.map((event) => [event, rulesOf(rules, event)]),
  ) as RulesByEvent;

/** The order of rules counts within an event only. */
export const listRules = (byEvent: RulesByEvent): AlertRule[] =>
  configurableEventTypes.flatMap((event) => byEvent[event]);

/** Rules as the text of a draft. Equal rules have equal texts. */
export const writeRules = (rules: readonly AlertRule[]): string =>
  JSON.stringify(listRules(groupByEvent(rules)));

export const readRules = (text: string): AlertRule[] => JSON.parse(text) as AlertRule[];
