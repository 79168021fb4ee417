import { inWorkspace, type Tx } from '../../db/database.ts';
import { listActionApps } from '../../db/queries/action-facts.ts';
import {
  insertActions,
  listKnownActions,
  lockActionsOf,
  resolveGoneActions,
  touchActions,
  updateFoundActions,
  type NewAction,
} from '../../db/queries/actions.ts';
import type { Services } from '../context.ts';
import { emitEvents } from '../events/emit.ts';
import { gatherAppFacts, gatherWorkspaceFacts } from './gather-facts.ts';
import { fingerprintOf, reconcile, type KnownAction, type TypedFinding } from './reconcile.ts';
import type { AppRule, Rule, WorkspaceRule } from './rule.ts';
import { rules } from './rules/index.ts';
import type { AppFacts, WorkspaceFacts } from './facts.ts';

export interface Found {
  findings: TypedFinding[];
  undecided: string[];
}

/**
 * Looks for suggested actions of a workspace in what is stored, and writes what follows: new ones with their events, today's
 * evidence of those that stand, the end of those whose evidence is gone. Asks no store. Done twice it changes nothing more.
 */
export async function generateActions(
  services: Services,
  workspaceId: number,
  signal: AbortSignal,
): Promise<void> {
  const ctx = { ...services, workspaceId };
  const inOwn = <T>(work: (tx: Tx) => Promise<T>): Promise<T> =>
    inWorkspace(services.appDb, workspaceId, work);
  const found: Found[] = [judgeWorkspace(await inOwn((tx) => gatherWorkspaceFacts(tx, ctx)))];
  for (const app of await inOwn((tx) => listActionApps(tx, workspaceId))) {
    signal.throwIfAborted();
    // Each app is read at one instant; what its facts say is worked out outside of the transaction.
    found.push(judgeApp(await inOwn((tx) => gatherAppFacts(tx, ctx, app))));
  }
  const all = {
    findings: found.flatMap((one) => one.findings),
    undecided: found.flatMap((one) => one.undecided),
  };
  await inOwn((tx) => write(tx, ctx, all));
}

const isOfApp = (rule: Rule): rule is AppRule => rule.scope === 'app';
const isOfWorkspace = (rule: Rule): rule is WorkspaceRule => rule.scope === 'workspace';

/** What the rules find of an app. Pure. */
export function judgeApp(facts: AppFacts): Found {
  return collect(rules.filter(isOfApp), facts.app.id, (rule) => rule.judge(facts));
}

export function judgeWorkspace(facts: WorkspaceFacts): Found {
  return collect(rules.filter(isOfWorkspace), null, (rule) => rule.judge(facts));
}

function collect<R extends Rule>(
  of: readonly R[],
  appId: number | null,
  judge: (rule: R) => ReturnType<R['judge']>,
): Found {
  const judged = of.map((rule) => ({ type: rule.type, ...judge(rule) }));
  return {
    findings: judged.flatMap(({ type, findings }) =>
      findings.map((finding) => ({ ...finding, type, appId })),
    ),
    undecided: judged.flatMap(({ undecided }) => undecided),
  };
}

async function write(tx: Tx, ctx: Services & { workspaceId: number }, found: Found): Promise<void> {
  const { workspaceId } = ctx;
  const now = ctx.clock.now();
  await lockActionsOf(tx, workspaceId);
  const keys = found.findings.map((finding) => finding.key);
  const known = (await listKnownActions(tx, workspaceId, keys)).map((row) => row as KnownAction);
  const plan = reconcile(known, found, now);
  const standing = [...plan.refresh, ...plan.reopen].map(({ id, finding }) => ({
    id,
    ...toRow(finding),
  }));
  if (standing.length > 0) await updateFoundActions(tx, workspaceId, standing, now);
  if (plan.seen.length > 0) await touchActions(tx, workspaceId, plan.seen, now);
  if (plan.gone.length > 0) await resolveGoneActions(tx, workspaceId, plan.gone, now);
  if (plan.open.length === 0) return;
  const ids = await insertActions(tx, workspaceId, plan.open.map(toRow), now);
  await emitEvents(
    tx,
    ctx,
    plan.open.map((finding) => {
      const actionId = ids.get(finding.key)!;
      const { type: actionType, severity, title, reason, evidence, keywordIds, appId } = finding;
      return {
        workspaceId,
        type: 'action.opened' as const,
        key: `action:${actionId}`,
        appId,
        occurredAt: now,
        data: { actionId, actionType, severity, title, reason, evidence, keywordIds },
        links: { action: `/actions/${actionId}` },
      };
    }),
  );
}

function toRow(finding: TypedFinding): NewAction {
  const { appId, type, key, severity, title, reason, evidence, keywordIds } = finding;
  return {
    appId,
    type,
    key,
    fingerprint: fingerprintOf(finding),
    severity,
    title,
    reason,
    evidence,
    keywordIds,
  };
}
