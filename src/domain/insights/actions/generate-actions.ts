import { inWorkspace, type Tx } from '#db/database.ts';
import { listActionApps } from '#db/queries/actions/action-facts.ts';
import {
  insertActions,
  listKnownActions,
  lockActionsOf,
  resolveGoneActions,
  touchActions,
  updateFoundActions,
  type NewAction,
} from '#db/queries/actions/actions.ts';
import type { Services } from '#domain/base/context.ts';
import { emitEvents } from '#domain/alerting/events/emit-events.ts';
import { collectAppFacts, collectWorkspaceFacts } from './collect-facts.ts';
import { fingerprintOf, reconcile, type TypedFinding } from './reconcile.ts';
import type { AppRule, Rule, WorkspaceRule } from './rule.ts';
import { ruleOf, rules } from './rules/index.ts';
import type { AppFacts, WorkspaceFacts } from './facts.ts';

export interface Found {
  findings: TypedFinding[];
  undecided: string[];
}

/**
 * Generates suggested actions of a workspace from stored data and writes the result: new ones with
 * their events, updated evidence of existing ones, and the end of those without evidence. Queries
 * no store. Idempotent.
 */
export async function generateActions(
  services: Services,
  workspaceId: number,
  signal: AbortSignal,
): Promise<void> {
  const ctx = { ...services, workspaceId };
  const inOwn = <T>(work: (tx: Tx) => Promise<T>): Promise<T> =>
    inWorkspace(services.appDb, workspaceId, work);
  const found: Found[] = [
    evaluateWorkspaceRules(await inOwn((tx) => collectWorkspaceFacts(tx, ctx))),
  ];
  for (const app of await inOwn((tx) => listActionApps(tx, workspaceId))) {
    signal.throwIfAborted();
    // Each app is read at one instant; its rules run outside of the transaction.
    found.push(evaluateAppRules(await inOwn((tx) => collectAppFacts(tx, ctx, app))));
  }
  const all = {
    findings: found.flatMap((one) => one.findings),
    undecided: found.flatMap((one) => one.undecided),
  };
  await inOwn((tx) => write(tx, ctx, all));
}

const isOfApp = (rule: Rule): rule is AppRule => rule.scope === 'app';
const isOfWorkspace = (rule: Rule): rule is WorkspaceRule => rule.scope === 'workspace';

/** The findings of all rules for an app. Pure. */
export function evaluateAppRules(facts: AppFacts): Found {
  return collect(rules.filter(isOfApp), facts.app.id, (rule) => rule.evaluate(facts));
}

export function evaluateWorkspaceRules(facts: WorkspaceFacts): Found {
  return collect(rules.filter(isOfWorkspace), null, (rule) => rule.evaluate(facts));
}

function collect<R extends Rule>(
  of: readonly R[],
  appId: number | null,
  evaluate: (rule: R) => ReturnType<R['evaluate']>,
): Found {
  const evaluated = of.map((rule) => ({ type: rule.type, ...evaluate(rule) }));
  return {
    findings: evaluated.flatMap(({ type, findings }) =>
      findings.map((finding) => ({ ...finding, type, appId })),
    ),
    undecided: evaluated.flatMap(({ undecided }) => undecided),
  };
}

async function write(tx: Tx, ctx: Services & { workspaceId: number }, found: Found): Promise<void> {
  const { workspaceId } = ctx;
  const now = ctx.clock.now();
  await lockActionsOf(tx, workspaceId);
  const keys = [...new Set(found.findings.map((finding) => finding.key))];
  const moving = found.findings
    .filter(({ type }) => ruleOf(type).isSameThing)
    .map((finding) => ({ ...finding, fingerprint: fingerprintOf(finding) }));
  const known = await listKnownActions(tx, workspaceId, { keys, moving });
  const plan = reconcile(known, found, now);
  const current = [...plan.refresh, ...plan.reopen].map(({ id, finding }) => ({
    id,
    ...toRow(finding),
  }));
  if (current.length > 0) await updateFoundActions(tx, workspaceId, current, now);
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
