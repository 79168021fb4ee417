export interface PlanLimits {
  apps: number;
  keywordMarkets: number;
  members: number;
}

/** What each plan holds on metered instances; a trial runs at indie limits. */
export const plans: Record<string, PlanLimits> = {
  indie: { apps: 10, keywordMarkets: 1_000, members: 3 },
  ultimate: { apps: 100, keywordMarkets: 10_000, members: 25 },
};

/** Of what is asked for now instead of at the next run: uses in a UTC day, or in an hour. */
export const onDemandWindows = { refresh: 'day', 'run-daily': 'day', score: 'day', suggestions: 'hour' } as const;
export type OnDemandKind = keyof typeof onDemandWindows;

const onDemandLimits: Record<string, Record<OnDemandKind, number>> = {
  indie: { refresh: 50, 'run-daily': 5, score: 100, suggestions: 60 },
  ultimate: { refresh: 500, 'run-daily': 20, score: 1_000, suggestions: 300 },
};

/** Null where there are no plans. */
export function onDemandLimitsOf(billingEnabled: boolean, plan: string | null): Record<OnDemandKind, number> | null {
  return billingEnabled ? (onDemandLimits[plan ?? 'indie'] ?? onDemandLimits.indie!) : null;
}

export const noLimits = { apps: null, keywordMarkets: null, members: null };

export function limitsOf(billingEnabled: boolean, plan: string | null): PlanLimits | typeof noLimits {
  return billingEnabled ? (plans[plan ?? 'indie'] ?? plans.indie!) : noLimits;
}
