import type { Payments } from '#domain/base/ports.ts';
import { createStripeRequester, type StripeAccess } from './stripe-requester.ts';
import { mapSubscriptions } from './map-subscriptions.ts';
import { soldIntervals, soldPrice, type Price } from './prices.ts';
import { readEvent } from './read-event.ts';

export interface StripeOptions extends StripeAccess {
  /** The secret with which Stripe signs events. */
  webhookSecret: string;
  prices: readonly Price[];
}

/** Customers pay on Stripe's own pages; card data never reaches us. */
export function createStripePayments({
  webhookSecret,
  prices,
  ...access
}: StripeOptions): Payments {
  const { ask, library } = createStripeRequester(access);
  return {
    intervalsOf: (plan) => soldIntervals(prices, plan),
    createCustomer: async ({ workspaceId, email }) => {
      const { id } = await ask((stripe) =>
        stripe.customers.create({ email, metadata: { workspace: String(workspaceId) } }),
      );
      return id;
    },
    checkout: async ({ customer, workspaceId, plan, interval, successUrl, cancelUrl }) => {
      const price = soldPrice(prices, plan, interval);
      if (price === null) throw new Error(`STRIPE_PRICES has no price for ${plan} per ${interval}`);
      const metadata = { workspace: String(workspaceId) };
      const session = await ask((stripe) =>
        stripe.checkout.sessions.create({
          mode: 'subscription',
          customer,
          client_reference_id: String(workspaceId),
          line_items: [{ price, quantity: 1 }],
          subscription_data: { metadata },
          metadata,
          success_url: successUrl,
          cancel_url: cancelUrl,
        }),
      );
      if (session.url === null)
        throw new Error('Stripe returned a checkout session without an address');
      return session.url;
    },
    expireCheckouts: (customer) =>
      ask(async (stripe) => {
        const { sessions } = stripe.checkout;
        const { data } = await sessions.list({ customer, status: 'open', limit: 100 });
        await Promise.all(
          data.map(({ id }) =>
            sessions.expire(id).catch((error: unknown) => {
              // It was paid or has expired since it was listed.
              if (!(error instanceof stripe.errors.StripeInvalidRequestError)) throw error;
            }),
          ),
        );
      }),
    portal: async ({ customer, returnUrl }) => {
      const session = await ask((stripe) =>
        stripe.billingPortal.sessions.create({ customer, return_url: returnUrl }),
      );
      return session.url;
    },
    forget: async (customer) => {
      await ask((stripe) => stripe.customers.del(customer));
    },
    readEvent: async (sent) => readEvent(await library(), webhookSecret, sent),
    listSubscriptions: async (customer) => {
      const { data } = await ask((stripe) =>
        stripe.subscriptions.list({ customer, status: 'all', limit: 100 }),
      );
      return mapSubscriptions(data, prices);
    },
  };
}
