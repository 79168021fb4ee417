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

export const noLimits = { apps: null, keywordMarkets: null, members: null };

export function limitsOf(billingEnabled: boolean, plan: string | null): PlanLimits | typeof noLimits {
  return billingEnabled ? (plans[plan ?? 'indie'] ?? plans.indie!) : noLimits;
}
