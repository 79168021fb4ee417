import type { WorkspaceRow } from '#db/queries/workspaces/workspaces.ts';
import { limitsOf, planOf } from '#domain/base/plans/plans.ts';
import { stateOf } from './workspace-status.ts';
import type { Services } from '#domain/base/context.ts';
import { AppError, invalid } from '#domain/base/errors.ts';

/** A limit that applies without plans, too. */
const seatsMax = 500;

/**
 * Throws quota_members when the plan has no seat left besides `used`. Call it with the members
 * locked.
 */
export function assertSeatAvailable(
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

/** Throws workspace_suspended or no_live_plan when the workspace cannot take members. */
export function assertAcceptsMembers(
  { settings, clock }: Pick<Services, 'settings' | 'clock'>,
  workspace: WorkspaceRow,
): void {
  const state = stateOf(workspace, clock.now(), settings.billingEnabled);
  if (state === 'suspended') throw new AppError('workspace_suspended');
  if (state !== 'lapsed') return;
  throw new AppError('no_live_plan', undefined, {
    entitlement: { state, plan: workspace.plan, upgradePath: '/settings/billing' },
  });
}
