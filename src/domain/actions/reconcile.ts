import { createHash } from 'node:crypto';
import type { ActionStatus, ActionType } from '../../contract/actions.ts';
import { isUnder, type Finding } from './rule.ts';
import { openPerType, sameEpisodeDays } from './thresholds.ts';

const dayMs = 86_400_000;

/** A finding of a rule, of an app or of the workspace. */
export interface TypedFinding extends Finding {
  type: ActionType;
  appId: number | null;
}

/** An action as it stands: of each key the newest. */
export interface KnownAction {
  id: number;
  type: string;
  appId: number | null;
  key: string;
  fingerprint: string;
  status: ActionStatus;
  seenAt: Date;
  resolvedBy: string | null;
}

export interface Plan {
  /** New ones, told of. */
  open: TypedFinding[];
  /** Came back before they were really gone: open again, told of before. */
  reopen: { id: number; finding: TypedFinding }[];
  /** Stand as they did, with today's evidence. */
  refresh: { id: number; finding: TypedFinding }[];
  /** Put away by somebody, and found still. */
  seen: number[];
  /** Their evidence is no more. */
  gone: number[];
}

/** What becomes of the stored actions by what was found now. Pure: done twice, the second time opens and ends nothing. */
export function reconcile(
  known: readonly KnownAction[],
  found: { findings: readonly TypedFinding[]; undecided: readonly string[] },
  now: Date,
): Plan {
  const plan: Plan = { open: [], reopen: [], refresh: [], seen: [], gone: [] };
  const byKey = new Map(known.map((action) => [action.key, action]));
  const wanting: { finding: TypedFinding; reopens: number | null }[] = [];
  for (const finding of dropRepeated(found.findings)) {
    const action = byKey.get(finding.key);
    if (action && isLive(action)) plan.refresh.push({ id: action.id, finding });
    else if (action && isPutAway(action, finding, now)) plan.seen.push(action.id);
    else
      wanting.push({
        finding,
        reopens: action && isSameEpisode(action, finding, now) ? action.id : null,
      });
  }
  const foundKeys = new Set(found.findings.map((finding) => finding.key));
  for (const action of known) {
    if (
      isLive(action) &&
      !foundKeys.has(action.key) &&
      !found.undecided.some((beginning) => isUnder(action.key, beginning))
    )
      plan.gone.push(action.id);
  }
  const gone = new Set(plan.gone);
  const open = known.filter((action) => isLive(action) && !gone.has(action.id));
  for (const { finding, reopens } of pickWithRoom(wanting, open)) {
    if (reopens === null) plan.open.push(finding);
    else plan.reopen.push({ id: reopens, finding });
  }
  return plan;
}

export function fingerprintOf(finding: Pick<Finding, 'fingerprint'>): string {
  return createHash('sha256').update(finding.fingerprint).digest('base64url').slice(0, 22);
}

const isLive = ({ status }: KnownAction): boolean => status === 'open' || status === 'snoozed';

/** Dismissed stays dismissed while the evidence is the same; what somebody resolved may come back once it was gone for long. */
function isPutAway(action: KnownAction, finding: TypedFinding, now: Date): boolean {
  if (action.fingerprint !== fingerprintOf(finding) || action.resolvedBy === 'gone') return false;
  return action.status === 'dismissed' || isRecent(action, now);
}

function isSameEpisode(action: KnownAction, finding: TypedFinding, now: Date): boolean {
  return (
    action.resolvedBy === 'gone' &&
    action.fingerprint === fingerprintOf(finding) &&
    isRecent(action, now)
  );
}

function isRecent({ seenAt }: KnownAction, now: Date): boolean {
  return now.getTime() - seenAt.getTime() < sameEpisodeDays * dayMs;
}

function dropRepeated(findings: readonly TypedFinding[]): TypedFinding[] {
  return [...new Map(findings.map((finding) => [finding.key, finding])).values()];
}

const groupOf = ({ type, appId }: { type: string; appId: number | null }): string =>
  `${type}:${appId ?? 0}`;

/** The weightiest of each type and app, so far as there is room beside what is open; ties by key. */
function pickWithRoom<T extends { finding: TypedFinding }>(
  wanting: readonly T[],
  open: readonly KnownAction[],
): T[] {
  const room = new Map<string, number>();
  for (const action of open)
    room.set(groupOf(action), (room.get(groupOf(action)) ?? openPerType) - 1);
  const inOrder = wanting.toSorted(
    (a, b) => b.finding.weight - a.finding.weight || (a.finding.key < b.finding.key ? -1 : 1),
  );
  return inOrder.filter(({ finding }) => {
    const left = room.get(groupOf(finding)) ?? openPerType;
    room.set(groupOf(finding), left - 1);
    return left > 0;
  });
}
