import type { Subscription } from '#domain/base/ports.ts';

const weights: Record<Subscription['status'], number> = { running: 2, ended: 1, unbegun: 0 };

/**
 * The subscription that determines a workspace's plan: the running one, or else the newest that
 * ever ran. One with a price that is not in the list counts only if it is the last known one: then
 * the price or the list was changed. Otherwise it pays for something else.
 */
export function chooseSubscription(
  newestFirst: readonly Subscription[],
  known: string | null,
): Subscription | null {
  const own = newestFirst.filter(({ id, plan }) => plan !== null || id === known);
  return own.toSorted((a, b) => weights[b.status] - weights[a.status])[0] ?? null;
}
