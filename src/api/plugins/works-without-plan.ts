import type { Operation } from '#contract/operation.ts';

/**
 * True for operations that a workspace needs whatever its plan: payment, revoking access, leaving,
 * the caller’s own account and the administration of the instance.
 */
export function worksWithoutPlan(operation: Operation): boolean {
  const { role, metered, revokesAccess, sessionOnly, grantsAccess } = operation;
  return (
    role === 'operator' ||
    metered === true ||
    revokesAccess === true ||
    (sessionOnly === true && !grantsAccess)
  );
}
