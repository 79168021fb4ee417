import type { Stripe } from 'stripe';
import type { Subscription } from '#domain/base/ports.ts';
import type { Price } from './prices.ts';

/** `past_due` stays active while Stripe retries; `incomplete` waits for its first payment. */
const statuses: Record<Stripe.Subscription.Status, Subscription['status']> = {
  active: 'running',
  trialing: 'running',
  past_due: 'running',
  canceled: 'ended',
  unpaid: 'ended',
  paused: 'ended',
  incomplete: 'unbegun',
  incomplete_expired: 'unbegun',
};

/** A customer's subscriptions, newest first. */
export function mapSubscriptions(
  subscriptions: readonly Stripe.Subscription[],
  prices: readonly Price[],
): Subscription[] {
  const newestFirst = subscriptions.toSorted(
    (a, b) => b.created - a.created || (a.id < b.id ? 1 : -1),
  );
  return newestFirst.map(({ id, status, items }) => {
    const ids = items.data.map(({ price }) => price.id);
    const plan = prices.find(({ price }) => ids.includes(price))?.plan ?? null;
    return { id, status: statuses[status] ?? 'unbegun', plan };
  });
}
