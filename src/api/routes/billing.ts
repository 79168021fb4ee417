import type { FastifyRequest } from 'fastify';
import { billing } from '#contract/billing.ts';
import { createPortalSession, startCheckout } from '#domain/accounts/billing/checkout.ts';
import { listPlans, getBilling } from '#domain/accounts/billing/get-billing.ts';
import { handlePaymentEvent } from '#domain/accounts/billing/handle-payment-event.ts';
import { invalid, notFound } from '#domain/base/errors.ts';
import { requestBaseUrl } from '../plugins/request-base-url.ts';
import { routesOf } from '../route.ts';

const pageOf = (request: FastifyRequest): string => `${requestBaseUrl(request)}/settings/billing`;

export const billingRoutes = routesOf(billing, {
  'GET /billing': ({ ctx }) => getBilling(ctx),
  'GET /billing/plans': ({ ctx }) => listPlans(ctx),
  'POST /billing/checkout': async ({ ctx, body, raw }) => ({
    url: await startCheckout(ctx, body, pageOf(raw.request)),
  }),
  'POST /billing/portal': async ({ ctx, raw }) => ({
    url: await createPortalSession(ctx, pageOf(raw.request)),
  }),
  'POST /billing/events': async ({ body, raw: { request } }) => {
    const { services, limits } = request.server.api;
    const { payments, clock } = services;
    if (payments === null) throw notFound();
    const read = () =>
      payments.readEvent({
        body,
        signature: String(request.headers['stripe-signature'] ?? ''),
        at: clock.now(),
      });
    const event = await limits.rejections.count(request.client.bucket, read);
    if (event === null)
      throw invalid(
        'headers.stripe-signature',
        'a signature of this body by the payment provider, at most 300 seconds old',
      );
    await handlePaymentEvent(services, payments, event);
    return { received: true as const };
  },
});
