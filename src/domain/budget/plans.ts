/** What a plan holds; a trial runs at indie limits. Only where BILLING_ENABLED is true. */
export const plans = {
  indie: { apps: 10, keywordMarkets: 1_000 },
  ultimate: { apps: 100, keywordMarkets: 10_000 },
} as const;

export type PlanName = keyof typeof plans;

export function planOf(name: string | null): { name: PlanName; apps: number; keywordMarkets: number; upgradeTo: PlanName | null } {
  const known: PlanName = name === 'ultimate' ? 'ultimate' : 'indie';
  return { name: known, ...plans[known], upgradeTo: known === 'indie' ? 'ultimate' : null };
}
