import type { PlanInterval, PlanName } from '#domain/base/ports.ts';

/** One line of STRIPE_PRICES. */
export interface Price {
  plan: PlanName;
  interval: PlanInterval;
  /** Its id at Stripe. */
  price: string;
}

/**
 * The first price of a plan and interval is sold. Later ones stay known for customers who bought at
 * them.
 */
export function soldPrice(
  prices: readonly Price[],
  plan: PlanName,
  interval: PlanInterval,
): string | null {
  return prices.find((one) => one.plan === plan && one.interval === interval)?.price ?? null;
}

export function soldIntervals(prices: readonly Price[], plan: PlanName): PlanInterval[] {
  const intervals = prices.filter((one) => one.plan === plan).map(({ interval }) => interval);
  return [...new Set(intervals)].toSorted();
}
