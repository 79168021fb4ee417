/** Where a workspace stands with its plan. A suspension, and a deletion until it is done, lie on top of it and change nothing beneath. */
export type Standing = 'trial' | 'live' | 'lapsed';
export type WorkspaceState = Standing | 'suspended';
/** What happens to a workspace. A plan that is started while another is live replaces it. */
export type Occurrence =
  | 'trial_ended'
  | 'plan_started'
  | 'plan_ended'
  | 'suspended'
  | 'unsuspended'
  | 'deleted'
  | 'restored';

export interface Situation {
  standing: Standing;
  suspended: boolean;
  /** Its owner deleted it: it is gone after the days of grace. */
  deleted: boolean;
}

/** By standing: what it becomes. What is not here changes nothing: events come late, twice, and out of order. */
export const transitions: Record<Standing, Partial<Record<Occurrence, Standing>>> = {
  trial: { trial_ended: 'lapsed', plan_started: 'live' },
  live: { plan_started: 'live', plan_ended: 'lapsed' },
  lapsed: { plan_started: 'live' },
};

const onTop: Partial<Record<Occurrence, Partial<Situation>>> = {
  suspended: { suspended: true },
  unsuspended: { suspended: false },
  deleted: { deleted: true },
  restored: { deleted: false },
};

export function next(before: Situation, occurrence: Occurrence): Situation {
  return { ...before, standing: nextStanding(before.standing, occurrence), ...onTop[occurrence] };
}

export const nextStanding = (standing: Standing, occurrence: Occurrence): Standing =>
  transitions[standing][occurrence] ?? standing;

export const trialDays = 14;
/** For so long what was deleted, a workspace or an account, can be taken back. */
export const graceDays = 14;

export const endOfGrace = (now: Date): Date => new Date(now.getTime() + graceDays * 86_400_000);

/** The state as of now: a trial's end counts from its instant on, whoever writes it down later. Without plans there is but one. */
export function stateOf(
  kept: { state: WorkspaceState; trialEndsAt: Date | null },
  now: Date,
  billingEnabled: boolean,
): WorkspaceState {
  if (kept.state === 'suspended') return 'suspended';
  if (!billingEnabled) return 'live';
  return kept.state === 'trial' && kept.trialEndsAt !== null && kept.trialEndsAt <= now
    ? 'lapsed'
    : kept.state;
}
