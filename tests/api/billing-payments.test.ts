import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { buildGateway } from '#gateway/server.ts';
import { purgeDeleted } from '#domain/accounts/auth/purge-deleted.ts';
import { silentLogger } from '#lib/logger.ts';
import { closeServer } from '#lib/listen.ts';
import { startApi, type Account, type RawResponse, type TestApi } from '../harness/api.ts';
import { signEvent, startStripeStub, type StripeStub } from '../harness/stripe-stub.ts';
import { trackMarkets } from './admin.fixtures.ts';
import { describeTables } from './keywords.fixtures.ts';

let stripe: StripeStub;
let api: TestApi;
let withoutKeys: TestApi;
let withoutPlans: TestApi;
beforeAll(async () => {
  stripe = await startStripeStub();
  const settings = { billingEnabled: true };
  api = await startApi({
    settings,
    services: { payments: stripe.payments() },
    config: { publicUrl: 'http://aso.example.org' },
  });
  const shared = { db: api.db, clock: api.clock, deps: { authSecret: api.authSecret } };
  withoutKeys = await startApi({ ...shared, settings });
  withoutPlans = await startApi({ ...shared, services: { payments: stripe.payments() } });
});
beforeEach(() => {
  stripe.before = async () => undefined;
});
afterAll(async () => {
  await Promise.all([withoutKeys.close(), withoutPlans.close()]);
  await api.close();
  await stripe.close();
});

const order = { body: { plan: 'indie', interval: 'month' } } as const;
const page = 'http://aso.example.org/settings/billing';
const lastRequest = (path: string) => stripe.asked.findLast((asked) => asked.path === path)!;

/** A workspace with a customer at Stripe. */
async function buyer(
  state?: 'trial' | 'live' | 'lapsed' | 'suspended',
  on = api,
): Promise<Account & { customer: string }> {
  const account = await on.signUp(state && { state });
  await on.ok('POST /billing/checkout', order, account);
  return { ...account, customer: String((await planOf(account)).customer) };
}

async function planOf({ workspaceId }: { workspaceId: number }) {
  const { rows } = await api.db.pool.query(
    'select status, plan, payment_customer as customer, payment_subscription as ' +
      'subscription from workspaces where id = $1',
    [workspaceId],
  );
  return rows[0] as {
    status: string;
    plan: string | null;
    customer: string | null;
    subscription: string | null;
  };
}

interface Sending {
  signature?: string | null;
  secret?: string;
  at?: Date;
  on?: TestApi;
  from?: string;
}

function send(
  payload: string,
  { at = api.clock.now(), secret, on = api, from, ...given }: Sending = {},
): Promise<RawResponse> {
  const signature =
    given.signature === undefined
      ? signEvent(payload, { at, ...(secret && { secret }) })
      : given.signature;
  const headers = {
    'content-type': 'application/json',
    ...(signature !== null && { 'stripe-signature': signature }),
    ...(from && { 'x-forwarded-for': from }),
  };
  return on.raw('/billing/events', { method: 'POST', body: payload, headers });
}

const subscriptionEvent = (
  subscription: { id: string; customer: string },
  type = 'customer.subscription.updated',
) =>
  stripe.eventOf(type, {
    object: 'subscription',
    id: subscription.id,
    customer: subscription.customer,
  });

describe('a checkout', () => {
  test('sends an owner to Stripe with price, workspace and customer, and back', async () => {
    const ann = await api.signUp();
    const { url } = await api.ok(
      'POST /billing/checkout',
      { body: { plan: 'ultimate', interval: 'month' } },
      ann,
    );
    expect(url).toMatch(/^https:\/\/checkout\.stripe\.test\/cs_test_\d+$/);
    const { customer } = await planOf(ann);
    expect(lastRequest('/v1/customers').fields).toEqual({
      email: ann.email,
      'metadata[workspace]': String(ann.workspaceId),
    });
    expect(lastRequest('/v1/checkout/sessions').fields).toEqual({
      mode: 'subscription',
      customer,
      client_reference_id: String(ann.workspaceId),
      'line_items[0][price]': 'price_ultimate_month',
      'line_items[0][quantity]': '1',
      'subscription_data[metadata][workspace]': String(ann.workspaceId),
      'metadata[workspace]': String(ann.workspaceId),
      success_url: `${page}?checkout=done`,
      cancel_url: `${page}?checkout=cancelled`,
    });
    const { headers } = lastRequest('/v1/checkout/sessions');
    expect([headers['stripe-version'], headers['x-stripe-client-telemetry']]).toEqual([
      '2026-10-28.endive',
      undefined,
    ]);
    // Nobody has paid yet.
    expect(await planOf(ann)).toMatchObject({
      status: 'trial',
      plan: null,
      subscription: null,
    });
  });

  test('returns to the owner’s origin if the instance has no public address', async () => {
    const plain = await startApi({
      db: api.db,
      settings: { billingEnabled: true },
      services: { payments: stripe.payments() },
    });
    await plain.ok('POST /billing/checkout', order, await plain.signUp());
    expect(lastRequest('/v1/checkout/sessions').fields['success_url']).toBe(
      `${plain.url}/settings/billing?checkout=done`,
    );
    await plain.close();
  });

  test('creates one customer, however many requests run at once', async () => {
    const ann = await api.signUp();
    // All requests have read that there is no customer before the first creates one.
    let waiting = 0;
    const all = Promise.withResolvers<void>();
    stripe.before = async ({ path }) => {
      if (path !== '/v1/customers') return;
      waiting += 1;
      if (waiting === 4) all.resolve();
      await all.promise;
    };
    await Promise.all(
      Array.from({ length: 4 }, () => api.ok('POST /billing/checkout', order, ann)),
    );
    await api.ok('POST /billing/checkout', order, ann);
    const sessions = stripe.asked.filter(
      ({ fields }) => fields['client_reference_id'] === String(ann.workspaceId),
    );
    expect(sessions.map(({ fields }) => fields['customer'])).toEqual(
      Array.from({ length: 5 }, () => sessions[0]!.fields['customer']),
    );
    expect((await planOf(ann)).customer).toBe(sessions[0]!.fields['customer']);
  });

  test('opens the portal for a customer with a running subscription', async () => {
    const ann = await buyer();
    const subscription = stripe.subscribe(ann.customer, { status: 'past_due' });
    expect((await api.ok('POST /billing/checkout', order, ann)).url).toMatch(
      /^https:\/\/billing\.stripe\.test\//,
    );
    expect(lastRequest('/v1/billing_portal/sessions').fields['return_url']).toBe(
      `${page}?checkout=changed`,
    );
    await api.ok('POST /billing/portal', null, ann);
    expect(lastRequest('/v1/billing_portal/sessions').fields['return_url']).toBe(
      `${page}?checkout=changed`,
    );
    subscription.status = 'canceled';
    expect((await api.ok('POST /billing/checkout', order, ann)).url).toMatch(
      /^https:\/\/checkout\.stripe\.test\//,
    );
  });

  test('leaves one page of a customer that can be paid', async () => {
    const ann = await buyer();
    const other = await buyer();
    await api.ok('POST /billing/checkout', order, ann);
    const { url } = await api.ok('POST /billing/checkout', order, ann);
    const statuses = (customer: string) =>
      [...stripe.checkouts.values()]
        .filter((one) => one.customer === customer)
        .map(({ status }) => status);
    expect(statuses(ann.customer)).toEqual(['expired', 'expired', 'open']);
    expect(stripe.checkouts.get(url.split('/').at(-1)!)!.status).toBe('open');
    expect(statuses(other.customer)).toEqual(['open']);
  });

  test('opens the portal when the page before is paid meanwhile', async () => {
    const ann = await buyer();
    const [page] = [...stripe.checkouts.values()].filter(
      ({ customer }) => customer === ann.customer,
    );
    stripe.before = async ({ method, path }) => {
      if (`${method} ${path}` === 'GET /v1/checkout/sessions') stripe.pay(page!.id);
    };
    expect((await api.ok('POST /billing/checkout', order, ann)).url).toMatch(
      /^https:\/\/billing\.stripe\.test\//,
    );
    expect(page!.status).toBe('complete');
    expect(lastRequest(`/v1/checkout/sessions/${page!.id}/expire`)).toBeDefined();
  });

  test('is refused while Stripe does not expire the page before', async () => {
    const ann = await buyer();
    stripe.before = async ({ path }) => (path.endsWith('/expire') ? 500 : undefined);
    const { status, body } = await api.call('POST /billing/checkout', order, ann);
    expect([status, body.code]).toEqual([503, 'unavailable']);
  });

  test('creates a new customer if Stripe has deleted the old one', async () => {
    const ann = await buyer();
    stripe.customers.delete(ann.customer);
    expect((await api.call('POST /billing/portal', null, ann)).body.code).toBe('not_found');
    expect((await api.ok('POST /billing/checkout', order, ann)).url).toContain('checkout');
    expect(stripe.customers.has((await planOf(ann)).customer!)).toBe(true);
  });

  test('needs an owner, by session or token, also in lapsed and suspended workspaces', async () => {
    const ann = await buyer();
    const member = await api.signUp({ workspaceId: ann.workspaceId, role: 'member' });
    const reader = await api.token(ann, { readOnly: true });
    for (const key of ['POST /billing/checkout', 'POST /billing/portal'] as const) {
      const input = key === 'POST /billing/checkout' ? order : null;
      const ask = async (who: Parameters<TestApi['call']>[2]) => {
        const { status, body } = await api.call(key, input, who);
        return [status, body.code];
      };
      expect(await ask(null)).toEqual([401, 'unauthenticated']);
      expect(await ask(member)).toEqual([403, 'forbidden']);
      expect(await ask(reader)).toEqual([403, 'read_only_token']);
      expect(await ask(await api.token(ann))).toEqual([200, undefined]);
      for (const state of ['lapsed', 'suspended'] as const)
        expect(await ask(await buyer(state))).toEqual([200, undefined]);
    }
  });

  test('refuses plans that are not sold, and a portal before the first purchase', async () => {
    const ann = await api.signUp();
    const refused = await api.call(
      'POST /billing/checkout',
      { body: { plan: 'ultimate', interval: 'year' } },
      ann,
    );
    expect([refused.status, refused.body.code]).toEqual([404, 'not_found']);
    expect((await api.call('POST /billing/portal', null, ann)).status).toBe(404);
    expect(
      (
        await api.call(
          'POST /billing/checkout',
          { body: { plan: 'free', interval: 'month' } } as never,
          ann,
        )
      ).status,
    ).toBe(400);
    expect((await planOf(ann)).customer).toBeNull();
  });

  test.each([
    ['fails', async () => 500],
    ['rejects our key', async () => 401],
    ['hangs', () => new Promise<never>(() => {})],
  ])('returns 503 within ten seconds when Stripe %s', async (_how, before) => {
    const ann = await buyer();
    stripe.before = before;
    for (const [key, input] of [
      ['POST /billing/checkout', order],
      ['POST /billing/portal', null],
    ] as const) {
      const started = performance.now();
      const { status, headers, body } = await api.call(key, input, ann);
      expect([status, body.code, body.retryAfterSeconds, headers.get('retry-after')]).toEqual([
        503,
        'unavailable',
        10,
        '10',
      ]);
      expect(performance.now() - started).toBeLessThan(10_000);
    }
  });
});

describe('without payments', () => {
  test('checkout and portal are refused without keys, and webhooks have no route', async () => {
    const ann = await withoutKeys.signUp();
    const refused = await withoutKeys.call('POST /billing/checkout', order, ann);
    expect([refused.status, refused.body.message]).toEqual([
      404,
      'This instance takes no payments; ask its operator.',
    ]);
    expect((await withoutKeys.call('POST /billing/portal', null, ann)).status).toBe(404);
    expect(await withoutKeys.ok('GET /billing', null, ann)).toMatchObject({
      payments: false,
      canManage: false,
    });
    expect(
      (await withoutKeys.ok('GET /billing/plans', null, ann)).items.map(
        ({ intervals }) => intervals,
      ),
    ).toEqual([[], []]);
    const absent = await withoutKeys.raw('/billing/absent', { method: 'POST' });
    const event = await send(subscriptionEvent({ id: 'sub_1', customer: 'cus_1' }), {
      on: withoutKeys,
    });
    expect([event.status, event.body.message, event.body.code]).toEqual([
      404,
      absent.body.message,
      absent.body.code,
    ]);
  });

  test('the routes do not exist with billing off', async () => {
    const ann = await withoutPlans.signUp();
    expect((await withoutPlans.call('POST /billing/checkout', order, ann)).status).toBe(404);
    expect((await withoutPlans.call('POST /billing/portal', null, ann)).status).toBe(404);
    expect(
      (await send(subscriptionEvent({ id: 'sub_1', customer: 'cus_1' }), { on: withoutPlans }))
        .status,
    ).toBe(404);
  });
});

describe('a Stripe event', () => {
  const auditOf = async (who: Account) =>
    (await api.ok('GET /workspace/audit', null, who)).items
      .filter(({ action }) => action.startsWith('plan.'))
      .map(({ action, detail }) => [action, detail]);

  test('starts, changes and ends the plan, with one audit entry each', async () => {
    const ann = await buyer('lapsed');
    const subscription = stripe.subscribe(ann.customer);
    expect(
      (await send(subscriptionEvent(subscription, 'customer.subscription.created'))).body,
    ).toEqual({
      received: true,
    });
    expect(await planOf(ann)).toMatchObject({
      status: 'live',
      plan: 'indie',
      subscription: subscription.id,
    });
    expect(await api.ok('GET /billing', null, ann)).toMatchObject({
      state: 'live',
      plan: 'indie',
      payments: true,
      canManage: true,
    });
    const renewed = stripe.eventOf('invoice.paid', {
      object: 'invoice',
      id: 'in_1',
      customer: ann.customer,
    });
    expect((await send(renewed)).status).toBe(200);
    subscription.price = 'price_ultimate_of_last_year';
    await send(subscriptionEvent(subscription));
    expect(await planOf(ann)).toMatchObject({ status: 'live', plan: 'ultimate' });
    subscription.status = 'past_due';
    await send(subscriptionEvent(subscription));
    expect((await planOf(ann)).status).toBe('live');
    subscription.status = 'canceled';
    await send(subscriptionEvent(subscription, 'customer.subscription.deleted'));
    expect(await planOf(ann)).toMatchObject({ status: 'lapsed', plan: 'ultimate' });
    expect(await auditOf(ann)).toEqual([
      ['plan.ended', { plan: 'ultimate', before: 'ultimate' }],
      ['plan.changed', { plan: 'ultimate', before: 'indie' }],
      ['plan.started', { plan: 'indie', before: null }],
    ]);
    const { items } = await api.ok(
      'GET /workspace/audit',
      { query: { action: 'plan.ended' } },
      ann,
    );
    expect(items[0]).toMatchObject({
      actor: 'payment',
      credential: { kind: 'payment', tokenId: null },
    });
  });

  test.each([
    ['active', 'live'],
    ['trialing', 'live'],
    ['past_due', 'live'],
    ['canceled', 'lapsed'],
    ['unpaid', 'lapsed'],
    ['paused', 'lapsed'],
    ['incomplete', 'trial'],
    ['incomplete_expired', 'trial'],
  ])(
    'about a subscription that is %s makes a trial %s, and keeps a suspension',
    async (status, expected) => {
      const ann = await buyer('suspended');
      const subscription = stripe.subscribe(ann.customer, { status });
      await send(subscriptionEvent(subscription));
      const { rows } = await api.db.pool.query(
        'select status, state from workspaces where id = $1',
        [ann.workspaceId],
      );
      expect(rows).toEqual([{ status: expected, state: 'suspended' }]);
    },
  );

  test('about a subscription that was never paid keeps a plan set by an operator', async () => {
    const ann = await buyer();
    await api.db.pool.query(
      "update workspaces set status = 'live', plan = 'ultimate' where id = $1",
      [ann.workspaceId],
    );
    const failed = stripe.subscribe(ann.customer, { status: 'incomplete_expired' });
    await send(subscriptionEvent(failed));
    failed.status = 'canceled';
    await send(subscriptionEvent(failed));
    expect(await planOf(ann)).toMatchObject({ status: 'live', plan: 'ultimate' });
  });

  test('is evaluated by the current state at Stripe, not by its content', async () => {
    const ann = await buyer();
    const first = stripe.subscribe(ann.customer, { price: 'price_ultimate_month' });
    const second = stripe.subscribe(ann.customer, { status: 'canceled' });
    await send(subscriptionEvent(second, 'customer.subscription.deleted'));
    expect(await planOf(ann)).toMatchObject({
      status: 'live',
      plan: 'ultimate',
      subscription: first.id,
    });
    first.price = 'price_of_something_else';
    await send(subscriptionEvent(first));
    expect(await planOf(ann)).toMatchObject({ status: 'live', plan: 'ultimate' });
    stripe.customers.delete(ann.customer);
    await send(stripe.eventOf('customer.deleted', { object: 'customer', id: ann.customer }));
    expect(await planOf(ann)).toMatchObject({
      status: 'lapsed',
      plan: 'ultimate',
      subscription: null,
    });
  });

  test('stops the daily checks with the plan and starts them again', async () => {
    const ann = await buyer();
    const { marketIds } = await trackMarkets(api, ann, ['paid walk', 'paid run']);
    const searched = async () => {
      const { rows } = await api.db.pool.query(
        'select count(*)::int as n from market_schedule where market_id = any($1) and depth > 0',
        [marketIds],
      );
      return rows[0].n as number;
    };
    const subscription = stripe.subscribe(ann.customer);
    await send(subscriptionEvent(subscription));
    expect(await searched()).toBe(2);
    subscription.status = 'unpaid';
    await send(subscriptionEvent(subscription));
    expect(await searched()).toBe(0);
    subscription.status = 'active';
    await send(subscriptionEvent(subscription));
    expect(await searched()).toBe(2);
  });

  test('needs a valid signature over its bytes, at most 300 seconds old', async () => {
    const ann = await buyer();
    const payload = subscriptionEvent(stripe.subscribe(ann.customer));
    const now = api.clock.now().getTime();
    const old = { at: new Date(now - 301_000) };
    const before = await describeTables(api);
    const good = signEvent(payload, { at: api.clock.now() });
    const refused = [
      await send(payload, { signature: null }),
      await send(payload, { signature: '' }),
      await send(payload, { signature: 't=1,v1=00' }),
      await send(payload, { secret: 'whsec_another' }),
      await send(payload, old),
      await send(payload.replace('sub_', 'sub-'), { signature: good }),
      await send(`${payload} `, { signature: good }),
      await send(`\uFEFF${payload}`, { signature: good }),
      await send('not json'),
      await send('{"object":"event"}'),
      await send(JSON.stringify({ id: 'evt_v2', type: 'x', object: 'v2.core.event' })),
      await api.raw('/billing/events', { method: 'POST', headers: { 'stripe-signature': good } }),
    ];
    expect(refused.map(({ status, body }) => [status, body.code])).toEqual(
      refused.map(() => [400, 'invalid_request']),
    );
    expect(await describeTables(api)).toEqual(before);
    // The order of members and white space are up to the signer.
    const loose = payload.replace(/^\{/, '{\n  ');
    expect((await send(loose, { at: new Date(now - 300_000) })).status).toBe(200);
    expect((await planOf(ann)).status).toBe('live');
  });

  test('passes the web origin unchanged', async () => {
    const gateway = await buildGateway({
      apiUrl: api.url,
      webDist: '/nonexistent',
      trustProxy: [],
      publicUrl: null,
      log: silentLogger,
    });
    const address = await gateway.listen({ port: 0, host: '127.0.0.1' });
    const ann = await buyer();
    const event = subscriptionEvent(stripe.subscribe(ann.customer));
    const body = `${event.replace(/^\{/, '{ "note": "é\\u00e9 😀",\r\n')}\n`;
    const headers = {
      'content-type': 'application/json; charset=utf-8',
      'stripe-signature': signEvent(body, { at: api.clock.now() }),
    };
    const response = await fetch(`${address}/api/backend/billing/events`, {
      method: 'POST',
      body,
      headers,
    });
    expect([response.status, (await planOf(ann)).status]).toEqual([200, 'live']);
    await closeServer(gateway);
  });

  test('of another type or size is refused unread, and bad signatures are counted', async () => {
    const payload = subscriptionEvent({ id: 'sub_1', customer: 'cus_1' });
    const typed = (type: string) => ({
      method: 'POST',
      body: payload,
      headers: { 'content-type': type },
    });
    expect((await api.raw('/billing/events', typed('text/plain'))).status).toBe(415);
    expect(
      (await send(JSON.stringify({ id: 'evt_large', type: 'x', more: 'x'.repeat(300_000) })))
        .status,
    ).toBe(413);
    const from = '127.9.9.9';
    for (let times = 0; times < 120; times += 1)
      await send(payload, { signature: 't=1,v1=00', from });
    const throttled = await send(payload, { from });
    expect([throttled.status, throttled.body.code]).toEqual([429, 'credential_throttled']);
    // Stripe's own events are not limited.
    const many = await Promise.all(
      Array.from({ length: 150 }, () =>
        send(stripe.eventOf('ping', { object: 'thing', id: 'x' }), { from: '127.9.9.8' }),
      ),
    );
    expect(new Set(many.map(({ status }) => status))).toEqual(new Set([200]));
  });

  test('of an unknown type or customer is accepted and stored', async () => {
    const unknown = [
      stripe.eventOf('capability.updated', { object: 'capability', id: 'c' }),
      stripe.eventOf('customer.subscription.updated', {
        object: 'subscription',
        id: 'sub_x',
        customer: 'cus_nobody',
      }),
      stripe.eventOf('invoice.paid', { object: 'invoice', id: 'in_x', customer: null }),
      JSON.stringify({ id: 'evt_bare', object: 'event', type: 'invoice.paid' }),
    ];
    const asked = stripe.asked.length;
    for (const payload of unknown) expect((await send(payload)).status).toBe(200);
    const ids = unknown.map((payload) => JSON.parse(payload).id as string);
    const { rows } = await api.db.pool.query(
      'select id, type, workspace_id from payment_events where id = any($1)',
      [ids],
    );
    expect(rows.map(({ id, workspace_id }) => [id, workspace_id]).toSorted()).toEqual(
      ids.map((id) => [id, null]).toSorted(),
    );
    expect(stripe.asked.length).toBe(asked);
  });

  test('takes effect once when delivered twice, at once or later', async () => {
    const ann = await buyer();
    const subscription = stripe.subscribe(ann.customer);
    const payload = subscriptionEvent(subscription);
    const together = await Promise.all(Array.from({ length: 6 }, () => send(payload)));
    expect(together.map(({ status }) => status)).toEqual(Array.from({ length: 6 }, () => 200));
    expect((await auditOf(ann)).length).toBe(1);
    // A repeated event is known and causes no request.
    subscription.status = 'canceled';
    const asked = stripe.asked.length;
    expect((await send(payload)).body).toEqual({ received: true });
    expect([stripe.asked.length, (await planOf(ann)).status]).toEqual([asked, 'live']);
  });

  test('leaves neither effect nor id if it cannot be written, and works when retried', async () => {
    const ann = await buyer();
    const payload = subscriptionEvent(stripe.subscribe(ann.customer));
    const count = async () =>
      (
        await api.db.pool.query(
          'select count(*)::int as n from payment_events where workspace_id = $1',
          [ann.workspaceId],
        )
      ).rows[0].n;
    // The audit entry is written last.
    await api.db.pool.query(
      "create function fail() returns trigger language plpgsql as $$ begin raise 'no room' " +
        "using errcode = '53100'; end $$",
    );
    await api.db.pool.query(
      'create trigger fail before insert on audit for each row execute function fail()',
    );
    const failed = await send(payload);
    expect([failed.status, failed.body.code]).toEqual([503, 'unavailable']);
    expect([await planOf(ann), await count()]).toEqual([
      expect.objectContaining({ status: 'trial', plan: null, subscription: null }),
      0,
    ]);
    await api.db.pool.query('drop trigger fail on audit');
    expect((await send(payload)).status).toBe(200);
    expect([(await planOf(ann)).status, await count()]).toEqual(['live', 1]);
  });

  test('is answered 503 and not stored while Stripe’s state is unknown', async () => {
    const ann = await buyer();
    const payload = subscriptionEvent(stripe.subscribe(ann.customer));
    stripe.before = async () => 500;
    expect((await send(payload)).status).toBe(503);
    expect((await planOf(ann)).status).toBe('trial');
    stripe.before = async () => undefined;
    expect((await send(payload)).status).toBe(200);
    expect((await planOf(ann)).status).toBe('live');
  });

  test('does not undo a newer one when Stripe’s response is late', async () => {
    const ann = await buyer();
    const subscription = stripe.subscribe(ann.customer);
    const isAsked = Promise.withResolvers<void>();
    const goOn = Promise.withResolvers<void>();
    stripe.before = async () => {
      stripe.before = async () => undefined;
      isAsked.resolve();
      await goOn.promise;
    };
    const late = send(subscriptionEvent(subscription, 'customer.subscription.created'));
    await isAsked.promise;
    subscription.status = 'canceled';
    await send(subscriptionEvent(subscription, 'customer.subscription.deleted'));
    goOn.resolve();
    expect((await late).status).toBe(200);
    expect((await planOf(ann)).status).toBe('lapsed');
  });
});

test('plans list the intervals that are sold', async () => {
  const { items } = await api.ok('GET /billing/plans', null, await api.signUp());
  expect(items.map(({ name, intervals }) => [name, intervals])).toEqual([
    ['indie', ['month', 'year']],
    ['ultimate', ['month']],
  ]);
});

describe('deleting a paid workspace', () => {
  const remove = (account: Account, name: string) =>
    api.call('DELETE /workspace', { body: { confirmName: name } }, account);
  const nameOf = async (account: Account) => (await api.ok('GET /workspace', null, account)).name;

  test('cancels the subscription first', async () => {
    const ann = await buyer();
    const subscription = stripe.subscribe(ann.customer);
    expect((await remove(ann, 'not its name')).status).toBe(400);
    expect(stripe.subscriptions.get(subscription.id)!.status).toBe('active');
    expect((await remove(ann, await nameOf(ann))).status).toBe(200);
    expect([
      stripe.subscriptions.get(subscription.id)!.status,
      stripe.customers.has(ann.customer),
    ]).toEqual(['canceled', false]);
  });

  test('with the account cancels it too, and so does the purge for later payments', async () => {
    const ann = await buyer('live');
    const subscription = stripe.subscribe(ann.customer);
    await api.db.pool.query(
      'update workspaces set payment_subscription = $2, plan = $3 where id = $1',
      [ann.workspaceId, subscription.id, 'indie'],
    );
    expect(
      (await api.call('DELETE /auth/account', { body: { password: ann.password } }, ann)).status,
    ).toBe(200);
    expect([stripe.subscriptions.get(subscription.id)!.status, await planOf(ann)]).toMatchObject([
      'canceled',
      { status: 'lapsed', subscription: null },
    ]);
    const body = JSON.stringify({ email: ann.email, password: ann.password });
    const back = await api.raw('/auth/sign-in', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body,
    });
    const session = {
      ...ann,
      headers: { ...ann.headers, cookie: back.headers.get('set-cookie')!.split(';')[0]! },
    };
    expect(back.body.workspace.state).toBe('lapsed');

    expect((await remove(session, back.body.workspace.name)).status).toBe(200);
    const refused = await api.call('POST /billing/checkout', order, session);
    expect([refused.status, refused.body.code]).toEqual([403, 'workspace_suspended']);
    const late = await buyer();
    await api.db.pool.query('update workspaces set payment_customer = null where id = $1', [
      late.workspaceId,
    ]);
    await api.db.pool.query(
      'update workspaces set payment_customer = $2, delete_at = $3 where id = $1',
      [ann.workspaceId, late.customer, api.clock.now()],
    );
    // While it does not respond, one request is made in ten minutes, and others are not held up.
    const others = await api.db.pool.query(
      `insert into workspaces (name, status, delete_at, payment_customer)
       values ('paying', 'live', $1, 'cus_gone'), ('never paid', 'live', $1, null) returning id`,
      [api.clock.now()],
    );
    let requests = 0;
    stripe.before = async () => {
      requests += 1;
      return 500;
    };
    const countLeft = async () => {
      const ids = [ann.workspaceId, ...others.rows.map(({ id }) => id)];
      const text = 'select from workspaces where id = any($1)';
      return (await api.db.pool.query(text, [ids])).rowCount;
    };
    await purgeDeleted(api.services);
    await purgeDeleted(api.services);
    expect([requests, await countLeft()]).toEqual([1, 2]);
    stripe.before = async () => undefined;
    expect(await purgeDeleted(api.services)).toBe(0);
    api.clock.advance(10 * 60_000);
    expect([await purgeDeleted(api.services), stripe.customers.has(late.customer)]).toEqual([
      2,
      false,
    ]);
  });

  test('waits until Stripe responds, and accepts that a customer is unknown', async () => {
    const ann = await buyer();
    const name = await nameOf(ann);
    stripe.before = async () => 500;
    expect((await remove(ann, name)).status).toBe(503);
    expect(await nameOf(ann)).toBe(name);
    stripe.before = async () => undefined;
    stripe.customers.delete(ann.customer);
    expect((await remove(ann, name)).status).toBe(200);
  });
});

test.each(['null', '5', '[]', '{"id":null}'])(
  'a signed body that is no event, %s, is refused like an unsigned one',
  async (payload) => {
    expect((await send(payload)).status).toBe(400);
  },
);
