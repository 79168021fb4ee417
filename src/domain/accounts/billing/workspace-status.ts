/**
 * The status of a workspace's plan. A suspension and a pending deletion hide it and do not change
 * it.
 */
export type WorkspaceStatus = 'trial' | 'live' | 'lapsed';
export type WorkspaceState = WorkspaceStatus | 'suspended';
/** Events of a workspace's lifecycle. A plan that starts while another is live replaces it. */
export type LifecycleEvent =
  | 'trial_ended'
  | 'plan_started'
  | 'plan_ended'
  | 'suspended'
  | 'unsuspended'
  | 'deleted'
  | 'restored';

export interface WorkspaceLifecycle {
  status: WorkspaceStatus;
  suspended: boolean;
  /** Its owner deleted it: it is removed after the grace period. */
  deleted: boolean;
}

/**
 * The next status by status and event. Other events change nothing, because events may come late,
 * twice, and out of order.
 */
export const transitions: Record<
  WorkspaceStatus,
  Partial<Record<LifecycleEvent, WorkspaceStatus>>
> = {
  trial: { trial_ended: 'lapsed', plan_started: 'live' },
  live: { plan_started: 'live', plan_ended: 'lapsed' },
  lapsed: { plan_started: 'live' },
};

const onTop: Partial<Record<LifecycleEvent, Partial<WorkspaceLifecycle>>> = {
  suspended: { suspended: true },
  unsuspended: { suspended: false },
  deleted: { deleted: true },
  restored: { deleted: false },
};

export function next(before: WorkspaceLifecycle, occurrence: LifecycleEvent): WorkspaceLifecycle {
  return { ...before, status: nextStatus(before.status, occurrence), ...onTop[occurrence] };
}

export const nextStatus = (status: WorkspaceStatus, occurrence: LifecycleEvent): WorkspaceStatus =>
  transitions[status][occurrence] ?? status;

export const trialDays = 14;
/** The grace period in which a deleted workspace or account can be restored. */
const graceDays = 14;

export const graceEndsAt = (now: Date): Date => new Date(now.getTime() + graceDays * 86_400_000);

interface Trial {
  trialEndsAt: Date | null;
  /** A lapsed workspace keeps the plan that it has had. */
  plan: string | null;
}

/**
 * The current status: a trial ends at its instant, even before that is stored. One that was ended
 * by a clock that was ahead continues.
 */
export function statusAt(
  { status, trialEndsAt, plan }: Trial & { status: WorkspaceStatus },
  now: Date,
): WorkspaceStatus {
  if (trialEndsAt === null) return status;
  if (trialEndsAt <= now) return nextStatus(status, 'trial_ended');
  return status === 'lapsed' && plan === null ? 'trial' : status;
}

/** The current state. With billing off there is only one. */
export function stateOf(
  { state, ...trial }: Trial & { state: WorkspaceState },
  now: Date,
  billingEnabled: boolean,
): WorkspaceState {
  if (state === 'suspended') return 'suspended';
  return billingEnabled ? statusAt({ ...trial, status: state }, now) : 'live';
}
