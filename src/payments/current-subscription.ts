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
const weights: Record<Subscription['status'], number> = { running: 2, ended: 1, unbegun: 0 };

/**
 * The subscription that determines a customer's status: the active one, or else the newest that was
 * ever active.
 */
export function chooseCurrent(
  subscriptions: readonly Stripe.Subscription[],
  prices: readonly Price[],
): Subscription | null {
  const newestFirst = subscriptions.toSorted(
    (a, b) => b.created - a.created || (a.id < b.id ? 1 : -1),
  );
  const read = newestFirst.map((subscription) => readOne(subscription, prices));
  return read.toSorted((a, b) => weightOf(b) - weightOf(a))[0] ?? null;
}

function weightOf({ status, plan }: Subscription): number {
  return weights[status] * 2 + Number(plan !== null);
}

function readOne(
  { id, status, items }: Stripe.Subscription,
  prices: readonly Price[],
): Subscription {
  const ids = items.data.map(({ price }) => price.id);
  const plan = prices.find(({ price }) => ids.includes(price))?.plan ?? null;
  return { id, status: statuses[status] ?? 'unbegun', plan };
}
