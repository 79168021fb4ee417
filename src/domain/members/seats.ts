import type { WorkspaceRow } from '../../db/queries/workspaces.ts';
import { limitsOf, planOf } from '../billing/plans.ts';
import { stateOf } from '../billing/states.ts';
import type { Services } from '../context.ts';
import { AppError, invalid } from '../errors.ts';

/** Without plans too there is an end. */
const seatsMax = 500;

/** One more than `used` fits, with the members locked. Throws quota_members where the plan has no seat left. */
export function requireSeat(
  { settings }: Pick<Services, 'settings'>,
  { plan }: Pick<WorkspaceRow, 'plan'>,
  used: number,
): void {
  const limit = limitsOf(settings.billingEnabled, plan).members ?? seatsMax;
  if (used < limit) return;
  if (!settings.billingEnabled)
    throw invalid('email', 'members and invitations of a workspace', used + 1, limit);
  const { name, upgradeTo } = planOf(plan);
  throw new AppError('quota_members', undefined, {
    quota: { kind: 'members', limit, used, requested: 1, plan: name, upgradeTo },
  });
}

/** The workspace takes people in. Throws workspace_suspended, no_live_plan. */
export function requireOpen(
  { settings, clock }: Pick<Services, 'settings' | 'clock'>,
  workspace: WorkspaceRow,
): void {
  const state = stateOf(workspace, clock.now(), settings.billingEnabled);
  if (state === 'suspended') throw new AppError('workspace_suspended');
  if (state !== 'lapsed') return;
  throw new AppError('no_live_plan', undefined, {
    entitlement: { state, plan: workspace.plan, upgradePath: '/settings/plan' },
  });
}
