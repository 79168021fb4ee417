import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import { Stripe } from 'stripe';
import type { Payments } from '#domain/base/ports.ts';
import { silentLogger, type Logger } from '#lib/logger.ts';
import { createStripePayments } from '#payments/stripe-payments.ts';
import { listenOn } from './listen-on.ts';

export const webhookSecret = 'whsec_a_secret_of_the_tests';
export const prices = [
  { plan: 'indie', interval: 'month', price: 'price_indie_month' },
  { plan: 'indie', interval: 'year', price: 'price_indie_year' },
  { plan: 'ultimate', interval: 'month', price: 'price_ultimate_month' },
  { plan: 'ultimate', interval: 'month', price: 'price_ultimate_of_last_year' },
] as const;

interface StoredSubscription {
  id: string;
  customer: string;
  status: string;
  price: string;
  created: number;
}

interface StoredCheckout {
  id: string;
  customer: string;
  status: 'open' | 'complete' | 'expired';
}

export interface Asked {
  method: string;
  path: string;
  headers: IncomingHttpHeaders;
  /** The encoding of forms and addresses. */
  fields: Record<string, string>;
}

export interface StripeStub {
  url: string;
  asked: Asked[];
  customers: Set<string>;
  subscriptions: Map<string, StoredSubscription>;
  checkouts: Map<string, StoredCheckout>;
  /** Called before a prepared response is sent: it may wait, or return a status to fail with. */
  before: (asked: Asked) => Promise<number | void>;
  subscribe(
    customer: string,
    subscription?: { price?: string; status?: string },
  ): StoredSubscription;
  /** The customer pays on an open checkout page. */
  pay(checkout: string): StoredSubscription;
  /** An event about it, as Stripe writes it. */
  eventOf(
    type: string,
    subject: { object: string; id: string; customer?: string | null; billing_reason?: string },
  ): string;
  /** The product's own code, sending requests here. */
  payments(log?: Logger): Payments;
  close(): Promise<void>;
}

/** Signs as Stripe does, by its library's own helper. */
export function signEvent(
  payload: string,
  { at, secret = webhookSecret }: { at: Date; secret?: string },
): string {
  return Stripe.webhooks.generateTestHeaderString({
    payload,
    secret,
    timestamp: Math.floor(at.getTime() / 1_000),
  });
}

/** The part of Stripe's API that the product uses, over real HTTP on loopback. */
export async function startStripeStub(): Promise<StripeStub> {
  let last = 0;
  const next = (kind: string) => `${kind}_${(last += 1)}`;
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const { pathname, searchParams } = new URL(request.url ?? '', 'http://stripe');
      const form = new URLSearchParams(Buffer.concat(chunks).toString());
      const fields = Object.fromEntries([...searchParams, ...form]);
      void reply(response, {
        method: request.method ?? '',
        path: pathname,
        headers: request.headers,
        fields,
      });
    });
  });

  async function reply(response: ServerResponse, asked: Asked): Promise<void> {
    stub.asked.push(asked);
    const [status, body] = respond(asked);
    const failure = await stub.before(asked);
    const sent =
      typeof failure === 'number'
        ? { error: { type: 'api_error', message: 'as the test wants it' } }
        : body;
    response.writeHead(typeof failure === 'number' ? failure : status, {
      'content-type': 'application/json',
      'request-id': next('req'),
    });
    response.end(JSON.stringify(sent));
  }

  function respond({ method, path, headers, fields }: Asked): [number, object] {
    const { customer } = fields;
    if (headers.authorization !== 'Bearer sk_test_stand_in')
      return [401, { error: { type: 'invalid_request_error', message: 'Invalid API Key' } }];
    if (customer !== undefined && !stub.customers.has(customer)) {
      const error = {
        type: 'invalid_request_error',
        code: 'resource_missing',
        param: 'customer',
        message: `No such customer: '${customer}'`,
      };
      return [400, { error }];
    }
    const [, gone] = /^\/v1\/customers\/(\w+)$/.exec(path) ?? [];
    if (method === 'DELETE' && gone !== undefined) {
      if (!stub.customers.delete(gone))
        return [
          404,
          {
            error: {
              type: 'invalid_request_error',
              code: 'resource_missing',
              param: 'id',
              message: 'No such customer',
            },
          },
        ];
      for (const subscription of stub.subscriptions.values())
        if (subscription.customer === gone) subscription.status = 'canceled';
      return [200, { id: gone, object: 'customer', deleted: true }];
    }
    const [, ending] = /^\/v1\/checkout\/sessions\/(\w+)\/expire$/.exec(path) ?? [];
    if (method === 'POST' && ending !== undefined) return expire(ending);
    switch (`${method} ${path}`) {
      case 'POST /v1/customers': {
        const id = next('cus');
        stub.customers.add(id);
        return [200, { id, object: 'customer', email: fields['email'] }];
      }
      case 'POST /v1/checkout/sessions': {
        const checkout = { id: next('cs_test'), customer: customer!, status: 'open' as const };
        stub.checkouts.set(checkout.id, checkout);
        return [200, describeCheckout(checkout)];
      }
      case 'GET /v1/checkout/sessions': {
        const { status } = fields;
        const own = [...stub.checkouts.values()].filter(
          (one) => one.customer === customer && (status === undefined || one.status === status),
        );
        const data = own.map(describeCheckout);
        return [200, { object: 'list', url: path, has_more: false, data }];
      }
      case 'POST /v1/billing_portal/sessions': {
        const id = next('bps');
        return [
          200,
          { id, object: 'billing_portal.session', url: `https://billing.stripe.test/${id}` },
        ];
      }
      case 'GET /v1/subscriptions': {
        const own = [...stub.subscriptions.values()].filter((one) => one.customer === customer);
        return [200, { object: 'list', url: path, has_more: false, data: own.map(describe) }];
      }
      default:
        return [
          404,
          {
            error: {
              type: 'invalid_request_error',
              message: `Unrecognized request URL (${method}: ${path})`,
            },
          },
        ];
    }
  }

  /** Only an open session can be expired. */
  function expire(id: string): [number, object] {
    const checkout = stub.checkouts.get(id);
    if (checkout?.status === 'open') {
      checkout.status = 'expired';
      return [200, describeCheckout(checkout)];
    }
    const message = checkout
      ? 'Only Checkout Sessions with a status in ["open"] can be expired. This Checkout Session ' +
        `has a status of \`${checkout.status}\`.`
      : `No such checkout.session: ${id}`;
    const missing = { code: 'resource_missing', param: 'session' };
    const error = { type: 'invalid_request_error', message, ...(checkout ? {} : missing) };
    return [checkout ? 400 : 404, { error }];
  }

  const { port, close } = await listenOn(server);
  const url = `http://127.0.0.1:${port}`;
  const stub: StripeStub = {
    url,
    asked: [],
    customers: new Set(),
    subscriptions: new Map(),
    checkouts: new Map(),
    before: async () => undefined,
    subscribe: (customer, { price = 'price_indie_month', status = 'active' } = {}) => {
      const subscription = { id: next('sub'), customer, status, price, created: (last += 1) };
      stub.subscriptions.set(subscription.id, subscription);
      return subscription;
    },
    pay: (id) => {
      const checkout = stub.checkouts.get(id);
      if (checkout?.status !== 'open') throw new Error(`${id} is not open`);
      checkout.status = 'complete';
      return stub.subscribe(checkout.customer);
    },
    eventOf: (type, subject) =>
      JSON.stringify({
        id: next('evt'),
        object: 'event',
        api_version: '2026-10-28.endive',
        type,
        livemode: false,
        data: { object: subject },
      }),
    payments: (log = silentLogger) =>
      createStripePayments({
        secretKey: 'sk_test_stand_in',
        webhookSecret,
        prices,
        baseUrl: url,
        log,
      }),
    close,
  };
  return stub;
}

function describeCheckout({ id, customer, status }: StoredCheckout): object {
  const url = status === 'open' ? `https://checkout.stripe.test/${id}` : null;
  return { id, object: 'checkout.session', customer, status, url };
}

function describe({ id, customer, status, price, created }: StoredSubscription): object {
  const item = {
    id: `si_${id}`,
    object: 'subscription_item',
    price: { id: price, object: 'price' },
    quantity: 1,
  };
  return {
    id,
    object: 'subscription',
    customer,
    status,
    created,
    items: { object: 'list', data: [item], has_more: false },
  };
}
