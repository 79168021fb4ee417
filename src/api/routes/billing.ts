import type { FastifyRequest } from 'fastify';
import { billing } from '../../contract/billing.ts';
import { openPortal, startCheckout } from '../../domain/billing/pay.ts';
import { listPlans, readBilling } from '../../domain/billing/read-billing.ts';
import { receiveEvent } from '../../domain/billing/receive-event.ts';
import { invalid, notFound } from '../../domain/errors.ts';
import { webAddressOf } from '../plugins/web-address.ts';
import { routesOf } from '../route.ts';

const pageOf = (request: FastifyRequest): string => `${webAddressOf(request)}/settings/plan`;

export const billingRoutes = routesOf(billing, {
  'GET /billing': ({ ctx }) => readBilling(ctx),
  'GET /billing/plans': ({ ctx }) => listPlans(ctx),
  'POST /billing/checkout': async ({ ctx, body, raw }) => ({
    url: await startCheckout(ctx, body, pageOf(raw.request)),
  }),
  'POST /billing/portal': async ({ ctx, raw }) => ({
    url: await openPortal(ctx, pageOf(raw.request)),
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
        'a signature of this body by the payment provider, of the last 300 seconds',
      );
    await receiveEvent(services, payments, event);
    return { received: true as const };
  },
});
