/** Where a workspace stands with its plan. A suspension lies on top of it and changes nothing beneath. */
export type Standing = 'trial' | 'live' | 'lapsed';
export type WorkspaceState = Standing | 'suspended';
/** What happens to a workspace. A plan that is started while another is live replaces it. */
export type Occurrence = 'trial_ended' | 'plan_started' | 'plan_ended' | 'suspended' | 'unsuspended';

export interface Situation {
  standing: Standing;
  suspended: boolean;
}

/** By standing: what it becomes. What is not here changes nothing: events come late, twice, and out of order. */
export const transitions: Record<Standing, Partial<Record<Occurrence, Standing>>> = {
  trial: { trial_ended: 'lapsed', plan_started: 'live' },
  live: { plan_started: 'live', plan_ended: 'lapsed' },
  lapsed: { plan_started: 'live' },
};

export function next({ standing, suspended }: Situation, occurrence: Occurrence): Situation {
  if (occurrence === 'suspended' || occurrence === 'unsuspended') return { standing, suspended: occurrence === 'suspended' };
  return { standing: transitions[standing][occurrence] ?? standing, suspended };
}

export const trialDays = 14;

/** The state as of now: a trial's end counts from its instant on, whoever writes it down later. Without plans there is but one. */
export function stateOf(kept: { state: WorkspaceState; trialEndsAt: Date | null }, now: Date, billingEnabled: boolean): WorkspaceState {
  if (kept.state === 'suspended') return 'suspended';
  if (!billingEnabled) return 'live';
  return kept.state === 'trial' && kept.trialEndsAt !== null && kept.trialEndsAt <= now ? 'lapsed' : kept.state;
}
