import type { z } from 'zod';
import type { ActionType, severity } from '#contract/actions.ts';
import type { AppFacts, WorkspaceFacts } from './facts.ts';

export type Severity = z.input<typeof severity>;

/** A finding of a rule. */
export interface Finding {
  /** Identifies the finding: equal while it is about the same thing. Made by `keyOf`. */
  key: string;
  /** Identifies the evidence, without values that vary from day to day. */
  fingerprint: string;
  severity: Severity;
  title: string;
  /** The fact and the suggested step, in plain words. */
  reason: string;
  /** Stored facts as JSON, with everything that the reason mentions; null when unknown. */
  evidence: Record<string, unknown>;
  keywordIds: number[];
  /** Of findings with the same severity, the higher weight wins when not all fit. */
  weight: number;
}

export interface RuleResult {
  findings: Finding[];
  /**
   * Keys, or prefixes of keys up to a colon, that the facts can neither confirm nor refute. Their
   * open actions stay.
   */
  undecided: string[];
}

interface RuleOf<Scope extends 'app' | 'workspace', Facts> {
  type: ActionType;
  scope: Scope;
  /** Pure: the same facts give the same findings. */
  evaluate(facts: Facts): RuleResult;
  /**
   * Whether the evidence of a finding is news after an action was closed, whose evidence is stored
   * JSON of any age; null when that cannot be read. Without this function, and for null, evidence
   * with another fingerprint is news.
   */
  isNews?(evidence: unknown, closed: unknown): boolean | null;
  /**
   * Whether a finding is about the same thing as an action with the same fingerprint under another
   * key. The evidence of the action is stored JSON of any age. Without this function the key
   * decides alone.
   */
  isSameThing?(evidence: unknown, stored: unknown): boolean;
}

export type AppRule = RuleOf<'app', AppFacts>;
export type WorkspaceRule = RuleOf<'workspace', WorkspaceFacts>;
export type Rule = AppRule | WorkspaceRule;

/** The key of a rule's finding for an app (0: the workspace). */
export function keyOf(type: ActionType, appId: number, ...rest: (string | number)[]): string {
  return [type, appId, ...rest].join(':');
}

/** The kinds of ids in a key after the app; further parts are no ids. */
export const keyedBy: Record<ActionType, readonly ('keyword' | 'competitor' | 'webhook')[]> = {
  'rank-drop': ['keyword'],
  'striking-distance': ['keyword'],
  'missing-keyword': ['keyword'],
  'keyword-field-waste': [],
  'unused-title': [],
  'competitor-entered': ['keyword', 'competitor'],
  'competitor-changed': ['competitor'],
  'keyword-gap': ['keyword'],
  'review-theme': [],
  'rating-fell': [],
  'hopeless-keyword': ['keyword'],
  'untracked-country': [],
  'webhook-failing': ['webhook'],
  'store-check-failing': [],
};

/** True for the key itself and for everything below it. */
export function isUnder(key: string, beginning: string): boolean {
  return key === beginning || key.startsWith(`${beginning}:`);
}
