import type { z } from 'zod';
import type { ActionType, severity } from '../../contract/actions.ts';
import type { AppFacts, WorkspaceFacts } from './facts.ts';

export type Severity = z.input<typeof severity>;

/** What a rule found. */
export interface Finding {
  /** Which finding it is: the same as long as it is about the same thing. `keyOf` makes it. */
  key: string;
  /** What makes its evidence the same evidence: without what differs from day to day and means nothing. */
  fingerprint: string;
  severity: Severity;
  title: string;
  /** What happened and what can be done, in plain words. */
  reason: string;
  /** Stored facts as JSON, all that the reason tells among them; what is not known is null. */
  evidence: Record<string, unknown>;
  keywordIds: number[];
  /** The heavier goes first where there is no room for all. */
  weight: number;
}

export interface Judgement {
  findings: Finding[];
  /** Keys, or beginnings of keys up to a colon, of which the facts say neither yes nor no: an open action stays as it is. */
  undecided: string[];
}

interface RuleOf<Scope extends 'app' | 'workspace', Facts> {
  type: ActionType;
  scope: Scope;
  /** Pure: the same facts give the same findings. */
  judge(facts: Facts): Judgement;
}

export type AppRule = RuleOf<'app', AppFacts>;
export type WorkspaceRule = RuleOf<'workspace', WorkspaceFacts>;
export type Rule = AppRule | WorkspaceRule;

/** The key of what a rule finds of an app (0: of the workspace). */
export function keyOf(type: ActionType, appId: number, ...rest: (string | number)[]): string {
  return [type, appId, ...rest].join(':');
}

/** What the parts of a key behind the app are ids of; those behind them are no ids. */
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
