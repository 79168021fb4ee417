import { planNames, type PlanName } from '#contract/choices.ts';

export type { PlanName };

/** The on-demand allowance: uses per UTC day, or per hour. */
export const onDemandWindows = {
  refresh: 'day',
  'run-daily': 'day',
  score: 'day',
  suggestions: 'hour',
} as const;
export type OnDemandKind = keyof typeof onDemandWindows;

export interface Plan {
  name: PlanName;
  /** Quotas. */
  apps: number;
  keywordMarkets: number;
  members: number;
  /**
   * Rate limits: requests per minute (writes and store lookups together), per UTC day, and
   * concurrent.
   */
  readsPerMinute: number;
  writesPerMinute: number;
  requestsPerDay: number;
  parallel: number;
  onDemand: Record<OnDemandKind, number>;
  /** New markets that are checked at once; others wait for the daily run. */
  firstChecksPerDay: number;
  /** Phrases in countries that are scored before they are tracked. */
  countryScoresPerDay: number;
  upgradeTo: PlanName | null;
}

export const plans: Record<PlanName, Plan> = {
  indie: {
    name: 'indie',
    apps: 10,
    keywordMarkets: 1_000,
    members: 3,
    readsPerMinute: 300,
    writesPerMinute: 60,
    requestsPerDay: 40_000,
    parallel: 16,
    onDemand: { refresh: 50, 'run-daily': 5, score: 100, suggestions: 60 },
    firstChecksPerDay: 2_000,
    countryScoresPerDay: 300,
    upgradeTo: 'ultimate',
  },
  ultimate: {
    name: 'ultimate',
    apps: 100,
    keywordMarkets: 10_000,
    members: 25,
    readsPerMinute: 900,
    writesPerMinute: 200,
    requestsPerDay: 400_000,
    parallel: 48,
    onDemand: { refresh: 500, 'run-daily': 20, score: 1_000, suggestions: 300 },
    firstChecksPerDay: 20_000,
    countryScoresPerDay: 3_000,
    upgradeTo: null,
  },
};

/**
 * A trial, and a workspace from before billing was on, have the limits of indie. Applies only when
 * BILLING_ENABLED is true.
 */
export function planOf(name: string | null): Plan {
  return plans[planNames.find((known) => known === name) ?? 'indie'];
}

type Held = Pick<Plan, 'apps' | 'keywordMarkets' | 'members'>;

/** The quotas of a workspace; nulls when billing is off. */
export function limitsOf(
  billingEnabled: boolean,
  plan: string | null,
): Held | Record<keyof Held, null> {
  if (!billingEnabled) return { apps: null, keywordMarkets: null, members: null };
  const { apps, keywordMarkets, members } = planOf(plan);
  return { apps, keywordMarkets, members };
}
