import { createHash } from 'node:crypto';
import type { ActionState, ActionType } from '#contract/actions.ts';
import { severities } from '#contract/choices.ts';
import { isUnder, type Finding } from './rule.ts';
import { ruleOf } from './rules/index.ts';
import { maxOpenPerType, reopenWindowDays } from './thresholds.ts';

const dayMs = 86_400_000;

/** A finding of a rule, for an app or for the workspace. */
export interface TypedFinding extends Finding {
  type: ActionType;
  appId: number | null;
}

/** A stored action. */
export interface KnownAction {
  id: number;
  type: string;
  appId: number | null;
  key: string;
  fingerprint: string;
  evidence: unknown;
  status: ActionState;
  seenAt: Date;
  resolvedBy: string | null;
}

export interface Plan {
  /** New ones, which emit an event. */
  open: TypedFinding[];
  /** Reappeared within the reopen window: open again, without another event. */
  reopen: { id: number; finding: TypedFinding }[];
  /** Unchanged, with today's evidence. */
  refresh: { id: number; finding: TypedFinding }[];
  /** Dismissed, or resolved by a person, and still found. */
  seen: number[];
  /** Without evidence now. */
  gone: number[];
}

/**
 * Compares stored actions, the newest first, with today's findings. Pure and idempotent: a second
 * run opens and ends nothing.
 */
export function reconcile(
  known: readonly KnownAction[],
  found: { findings: readonly TypedFinding[]; undecided: readonly string[] },
  now: Date,
): Plan {
  const plan: Plan = { open: [], reopen: [], refresh: [], seen: [], gone: [] };
  const byKey = Map.groupBy(known, (action) => action.key);
  const foundKeys = new Set(found.findings.map((finding) => finding.key));
  const taken = new Set<number>();
  const wanting: { finding: TypedFinding; reopens: number | null }[] = [];
  for (const finding of dedupeFindings(found.findings)) {
    const actions = [...(byKey.get(finding.key) ?? []), ...listMoved(known, finding)];
    const isFree = ({ id, key }: KnownAction): boolean =>
      key === finding.key || !(foundKeys.has(key) || taken.has(id));
    const live = actions.find((action) => isLive(action) && isFree(action));
    const closed = actions.filter((action) => !isLive(action) && isSameEvidence(action, finding));
    const closedByPerson = closed.find((action) => isKeptClosed(action, now));
    if (live) {
      plan.refresh.push({ id: live.id, finding });
      taken.add(live.id);
    } else if (closedByPerson) plan.seen.push(closedByPerson.id);
    else {
      const absent = closed.find((action) => isAbsent(action, now) && isFree(action));
      if (absent) taken.add(absent.id);
      wanting.push({ finding, reopens: absent?.id ?? null });
    }
  }
  for (const action of known) {
    if (
      isLive(action) &&
      !foundKeys.has(action.key) &&
      !taken.has(action.id) &&
      !found.undecided.some((beginning) => isUnder(action.key, beginning))
    )
      plan.gone.push(action.id);
  }
  const gone = new Set(plan.gone);
  const open = known.filter((action) => action.status === 'open' && !gone.has(action.id));
  for (const { finding, reopens } of pickWithinLimit(wanting, open)) {
    if (reopens === null) plan.open.push(finding);
    else plan.reopen.push({ id: reopens, finding });
  }
  return plan;
}

export function fingerprintOf(finding: Pick<Finding, 'fingerprint'>): string {
  return createHash('sha256').update(finding.fingerprint).digest('base64url').slice(0, 22);
}

const isLive = ({ status }: KnownAction): boolean => status === 'open' || status === 'snoozed';

/** Actions under other keys that are about the same thing, with the same fingerprint. */
function listMoved(known: readonly KnownAction[], finding: TypedFinding): KnownAction[] {
  const { type, appId, key, evidence } = finding;
  const rule = ruleOf(type);
  if (!rule.isSameThing) return [];
  const fingerprint = fingerprintOf(finding);
  return known.filter(
    (action) =>
      action.type === type &&
      action.appId === appId &&
      action.key !== key &&
      action.fingerprint === fingerprint &&
      rule.isSameThing?.(evidence, action.evidence),
  );
}

/** Evidence that is no news to the rule; where it cannot say, with the same fingerprint. */
function isSameEvidence(action: KnownAction, finding: TypedFinding): boolean {
  const isNews = ruleOf(finding.type).isNews?.(finding.evidence, action.evidence) ?? null;
  return isNews === null ? action.fingerprint === fingerprintOf(finding) : !isNews;
}

/** Dismissed for good, or resolved by a person and found ever since. */
function isKeptClosed(action: KnownAction, now: Date): boolean {
  if (action.resolvedBy === 'gone') return false;
  return action.status === 'dismissed' || isRecent(action, now);
}

function isAbsent(action: KnownAction, now: Date): boolean {
  return action.resolvedBy === 'gone' && isRecent(action, now);
}

function isRecent({ seenAt }: KnownAction, now: Date): boolean {
  return now.getTime() - seenAt.getTime() < reopenWindowDays * dayMs;
}

function dedupeFindings(findings: readonly TypedFinding[]): TypedFinding[] {
  return [...new Map(findings.map((finding) => [finding.key, finding])).values()];
}

const groupOf = ({ type, appId }: { type: string; appId: number | null }): string =>
  `${type}:${appId ?? 0}`;

const rankOf = ({ severity }: TypedFinding): number => severities.indexOf(severity);

/**
 * The most severe findings of each type and app, up to the limit of open ones; ties by weight, then
 * by key.
 */
function pickWithinLimit<T extends { finding: TypedFinding }>(
  wanting: readonly T[],
  open: readonly KnownAction[],
): T[] {
  const remaining = new Map<string, number>();
  for (const action of open)
    remaining.set(groupOf(action), (remaining.get(groupOf(action)) ?? maxOpenPerType) - 1);
  const inOrder = wanting.toSorted(
    ({ finding: a }, { finding: b }) =>
      rankOf(a) - rankOf(b) || b.weight - a.weight || (a.key < b.key ? -1 : 1),
  );
  return inOrder.filter(({ finding }) => {
    const left = remaining.get(groupOf(finding)) ?? maxOpenPerType;
    remaining.set(groupOf(finding), left - 1);
    return left > 0;
  });
}
