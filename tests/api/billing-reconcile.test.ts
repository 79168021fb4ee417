import { afterEach, beforeEach, expect, test } from 'vitest';
import { syncSubscriptions } from '#domain/accounts/billing/sync-subscriptions.ts';
import { runPeriodicTasks } from '#domain/scheduling/runs/run-periodic-tasks.ts';
import type { CheckServices } from '#domain/tracking/rankings/check-market.ts';
import { silentLogger, type Logger } from '#lib/logger.ts';
import { startApi, type Account, type TestApi } from '../harness/api.ts';
import { schedule } from '../harness/background-work.ts';
import { signEvent, startStripeStub, type StripeStub } from '../harness/stripe-stub.ts';
import { describeTables } from './keywords.fixtures.ts';

const runAllTasks = (services: CheckServices) => runPeriodicTasks(services, schedule.periodicTasks);
const adminEmail = 'operator@example.org';
let stripe: StripeStub;
let api: TestApi;
let started: TestApi[];
/** Log lines by message. */
let logged: string[];
beforeEach(async () => {
  stripe = await startStripeStub();
  [started, logged] = [[], []];
  api = await begin({ billingEnabled: true });
});
afterEach(async () => {
  for (const one of started.toReversed()) await one.close();
  await stripe.close();
});

/** A new process over the same database. */
async function begin(given: { billingEnabled: boolean; keys?: boolean }): Promise<TestApi> {
  const { billingEnabled, keys = true } = given;
  const log = {
    ...silentLogger,
    warn: (_what: object, message: string) => void logged.push(message),
  } as Logger;
  const shared = started[0] && {
    db: started[0].db,
    clock: started[0].clock,
    deps: { authSecret: started[0].authSecret },
  };
  const settings = { billingEnabled, operatorEmails: [adminEmail] };
  const one = await startApi({
    ...shared,
    settings,
    services: { payments: keys ? stripe.payments() : null, log },
  });
  started.push(one);
  return one;
}

type Buyer = Account & { customer: string };

/** A workspace with a customer at Stripe. */
async function buyer(): Promise<Buyer> {
  const account = await api.signUp();
  await api.ok('POST /billing/checkout', { body: { plan: 'indie', interval: 'month' } }, account);
  return { ...account, customer: await customerOf(account) };
}

function sendSubscription(
  { customer }: Buyer,
  { id, status }: { id: string; status: string },
  on = api,
): Promise<number> {
  const type = `customer.subscription.${status === 'canceled' ? 'deleted' : 'updated'}`;
  return send(stripe.eventOf(type, { object: 'subscription', id, customer }), on);
}

const sendInvoice = (
  { customer }: Buyer,
  outcome: 'paid' | 'payment_failed',
  reason = 'subscription_cycle',
) => {
  const invoice = { object: 'invoice', id: 'in_1', customer, billing_reason: reason };
  return send(stripe.eventOf(`invoice.${outcome}`, invoice));
};

async function send(payload: string, on = api): Promise<number> {
  const headers = {
    'content-type': 'application/json',
    'stripe-signature': signEvent(payload, { at: api.clock.now() }),
  };
  return (await on.raw('/billing/events', { method: 'POST', body: payload, headers })).status;
}

/** Buys a plan, which Stripe reports. */
async function payer() {
  const account = await buyer();
  const subscription = stripe.subscribe(account.customer);
  expect(await sendSubscription(account, subscription)).toBe(200);
  return { account, subscription };
}

const planOf = async (who: Account) => {
  const { rows } = await api.db.pool.query('select status, plan from workspaces where id = $1', [
    who.workspaceId,
  ]);
  return `${rows[0].status} ${rows[0].plan}`;
};
const customerOf = async ({ workspaceId }: Account) => {
  const { rows } = await api.db.pool.query(
    'select payment_customer as customer from workspaces where id = $1',
    [workspaceId],
  );
  return rows[0].customer as string;
};
const countRequests = () => stripe.asked.filter(({ path }) => path === '/v1/subscriptions').length;

test('reconciling finds an end that happened while plans were off, and is idempotent', async () => {
  const { account, subscription } = await payer();
  const off = await begin({ billingEnabled: false });
  subscription.status = 'canceled';
  expect(await sendSubscription(account, subscription, off)).toBe(404);
  const asked = countRequests();
  await runAllTasks(off.services);
  await runAllTasks((await begin({ billingEnabled: true, keys: false })).services);
  expect([await planOf(account), countRequests()]).toEqual(['live indie', asked]);

  const on = await begin({ billingEnabled: true });
  await runAllTasks(on.services);
  expect(await planOf(account)).toBe('lapsed indie');
  const reported = async () =>
    (await on.ok('GET /workspace/audit', { query: { action: 'plan.ended' } }, account)).items.map(
      ({ actor }) => actor,
    );
  expect(await reported()).toEqual(['payment']);
  // The key has the number of the response, or a session once it was used.
  const touched = ['workspaces', 'sessions'];
  const before = await describeTables(api, touched);
  await syncSubscriptions(on.services);
  await syncSubscriptions((await begin({ billingEnabled: true })).services);
  expect([countRequests(), await planOf(account), await reported()]).toEqual([
    asked + 2,
    'lapsed indie',
    ['payment'],
  ]);
  expect(await describeTables(api, touched)).toEqual(before);
});

test('reconciling asks for a few customers at a time, at start and daily', async () => {
  const payers = [await payer(), await payer(), await payer(), await payer(), await payer()];
  const late = await buyer();
  stripe.subscribe(late.customer, { price: 'price_ultimate_month' });
  const read = async () => [
    await syncSubscriptions(api.services),
    await syncSubscriptions(api.services),
    await syncSubscriptions(api.services),
  ];
  expect([await read(), await planOf(late)]).toEqual([[4, 2, 0], 'live ultimate']);
  payers[3]!.subscription.status = 'unpaid';
  api.clock.advance(86_399_999);
  expect(await read()).toEqual([0, 0, 0]);
  api.clock.advance(1);
  expect([await read(), await planOf(payers[3]!.account)]).toEqual([[4, 2, 0], 'lapsed indie']);
});

test('reconciling continues after a clock that was ahead for a moment', async () => {
  const { account, subscription } = await payer();
  const now = api.clock.now();
  api.clock.advance(30 * 86_400_000);
  await syncSubscriptions(api.services);
  api.clock.set(now.toISOString());
  subscription.status = 'canceled';
  expect([await syncSubscriptions(api.services), await planOf(account)]).toEqual([
    1,
    'lapsed indie',
  ]);
});

test('reconciling changes nothing while Stripe is down, logs it once, and catches up', async () => {
  const all = [await payer(), await payer()];
  for (const { subscription } of all) subscription.status = 'canceled';
  stripe.before = async () => 500;
  const statuses = () => Promise.all(all.map(({ account }) => planOf(account)));
  for (let round = 0; round < 5; round += 1) {
    await syncSubscriptions(api.services);
    api.clock.advance(600_000);
  }
  expect([await statuses(), logged.length]).toEqual([['live indie', 'live indie'], 1]);
  stripe.before = async () => undefined;
  for (let round = 0; round < 3; round += 1) await syncSubscriptions(api.services);
  expect([await statuses(), logged.length]).toEqual([['lapsed indie', 'lapsed indie'], 1]);
});

test('one customer without a response from Stripe does not hold up the others', async () => {
  const [broken, other] = [await payer(), await payer()];
  for (const { subscription } of [broken, other]) subscription.status = 'canceled';
  stripe.before = async ({ fields }) =>
    fields['customer'] === broken.account.customer ? 500 : undefined;
  await syncSubscriptions(api.services);
  api.clock.advance(600_000);
  await syncSubscriptions(api.services);
  expect([await planOf(broken.account), await planOf(other.account)]).toEqual([
    'live indie',
    'lapsed indie',
  ]);
});

const setter = async () => {
  const operator = await api.signUp({ email: adminEmail });
  return (who: Account, plan: 'indie' | 'ultimate' | null) =>
    api.ok(
      'PUT /admin/workspaces/{id}/plan',
      { params: { id: who.workspaceId }, body: { plan } },
      operator,
    );
};

test('the portal is open to payers with an operator’s plan, not to mere visitors', async () => {
  const set = await setter();
  const [{ account, subscription }, looked] = [await payer(), await buyer()];
  for (const who of [account, looked]) await set(who, 'ultimate');
  expect(await api.ok('GET /billing', null, account)).toMatchObject({
    plan: 'ultimate',
    canManage: true,
  });
  expect(await api.ok('GET /billing', null, looked)).toMatchObject({
    plan: 'ultimate',
    canManage: false,
  });
  await set(account, null);
  expect(await api.ok('GET /billing', null, account)).toMatchObject({
    state: 'lapsed',
    canManage: true,
  });
  // Its end revokes nothing that it did not pay for; its renewal decides again.
  await set(account, 'ultimate');
  subscription.status = 'canceled';
  await sendSubscription(account, subscription);
  expect(await planOf(account)).toBe('live ultimate');
  subscription.status = 'active';
  await sendInvoice(account, 'paid');
  expect(await planOf(account)).toBe('live indie');
  subscription.status = 'canceled';
  await sendSubscription(account, subscription);
  expect(await planOf(account)).toBe('lapsed indie');
});

test('a subscription that only changes leaves an operator’s plan, or its end, alone', async () => {
  const set = await setter();
  const [canceling, failing, switching] = [await payer(), await payer(), await payer()];
  for (const { account } of [canceling, switching]) await set(account, 'ultimate');
  // Its owner cancels it at the end of the period: until then it stays active.
  await sendSubscription(canceling.account, canceling.subscription);
  expect(await planOf(canceling.account)).toBe('live ultimate');
  canceling.subscription.status = 'canceled';
  await sendSubscription(canceling.account, canceling.subscription);
  expect(await planOf(canceling.account)).toBe('live ultimate');

  await set(failing.account, null);
  failing.subscription.status = 'past_due';
  await sendInvoice(failing.account, 'payment_failed');
  expect(await planOf(failing.account)).toBe('lapsed indie');

  switching.subscription.status = 'canceled';
  await sendSubscription(switching.account, stripe.subscribe(switching.account.customer));
  expect(await planOf(switching.account)).toBe('live indie');
});

test('an invoice that renews nothing leaves an operator’s plan alone', async () => {
  const set = await setter();
  const { account } = await payer();
  await set(account, 'ultimate');
  for (const reason of ['manual', 'subscription_update', 'subscription_create'])
    expect([await sendInvoice(account, 'paid', reason), await planOf(account)]).toEqual([
      200,
      'live ultimate',
    ]);
});

test('a purchase whose events were lost replaces an operator’s plan, or its end', async () => {
  const set = await setter();
  const [helped, ended, kept] = [await buyer(), await buyer(), await payer()];
  await set(helped, 'indie');
  await set(ended, 'indie');
  await set(ended, null);
  await set(kept.account, 'ultimate');
  for (const { customer } of [helped, ended])
    stripe.subscribe(customer, { price: 'price_ultimate_month' });
  const read = async () => [
    await syncSubscriptions(api.services),
    await syncSubscriptions(api.services),
    await syncSubscriptions(api.services),
  ];
  // Each is read once, also one whose manual plan stays.
  expect(await read()).toEqual([3, 0, 0]);
  expect(await Promise.all([helped, ended, kept.account].map(planOf))).toEqual([
    'live ultimate',
    'live ultimate',
    'live ultimate',
  ]);
  expect((await api.ok('GET /billing', null, helped)).canManage).toBe(true);
  api.clock.advance(86_400_000);
  expect(await read()).toEqual([3, 0, 0]);
});

test('a subscription to something else starts no plan and keeps none from ending', async () => {
  const elsewhere = { price: 'price_of_something_else' };
  const [fresh, { account, subscription }] = [await buyer(), await payer()];
  const support = stripe.subscribe(fresh.customer, elsewhere);
  await sendSubscription(fresh, support);
  expect(await planOf(fresh)).toBe('trial null');
  const before = stripe.subscribe(account.customer, elsewhere);
  await sendSubscription(account, before);
  subscription.status = 'canceled';
  await sendSubscription(account, subscription);
  expect(await planOf(account)).toBe('lapsed indie');
  await sendSubscription(account, stripe.subscribe(account.customer, elsewhere));
  expect(await planOf(account)).toBe('lapsed indie');
  // They are no reason to send the customer to the portal instead of selling a plan.
  const order = { body: { plan: 'indie', interval: 'month' } } as const;
  for (const who of [fresh, account])
    expect((await api.ok('POST /billing/checkout', order, who)).url).toContain('checkout');
});

test('the price of a plan may leave the list, also after an earlier subscription', async () => {
  const { account, subscription } = await payer();
  subscription.status = 'canceled';
  const second = stripe.subscribe(account.customer, { price: 'price_ultimate_month' });
  await sendSubscription(account, second);
  second.price = 'price_that_is_no_longer_listed';
  await sendSubscription(account, second);
  expect(await planOf(account)).toBe('live ultimate');
  second.status = 'canceled';
  await sendSubscription(account, second);
  expect(await planOf(account)).toBe('lapsed ultimate');
});

test('the keys of another account cut no payer off from the subscription', async () => {
  const { account, subscription } = await payer();
  const order = { body: { plan: 'ultimate', interval: 'month' } } as const;
  const { customers } = stripe;
  stripe.customers = new Set();
  for (const refused of [
    await api.call('POST /billing/checkout', order, account),
    await api.call('POST /billing/portal', null, account),
  ])
    expect([refused.status, refused.body.code]).toEqual([503, 'unavailable']);
  expect(await sendInvoice(account, 'paid')).toBe(503);
  expect([await planOf(account), await customerOf(account), stripe.customers.size]).toEqual([
    'live indie',
    account.customer,
    0,
  ]);

  stripe.customers = customers;
  subscription.price = 'price_ultimate_month';
  expect([await sendInvoice(account, 'paid'), await planOf(account)]).toEqual([
    200,
    'live ultimate',
  ]);
});

test('a customer who was deleted at Stripe can buy again, also beside a manual plan', async () => {
  const set = await setter();
  const [{ account: paying }, { account: byHand }] = [await payer(), await payer()];
  await set(byHand, 'ultimate');
  for (const { customer } of [paying, byHand]) {
    stripe.customers.delete(customer);
    const deleted = stripe.eventOf('customer.deleted', { object: 'customer', id: customer });
    expect(await send(deleted)).toBe(200);
  }
  expect([await planOf(paying), await planOf(byHand)]).toEqual(['lapsed indie', 'live ultimate']);
  const order = { body: { plan: 'indie', interval: 'month' } } as const;
  for (const who of [paying, byHand]) {
    expect((await api.ok('GET /billing', null, who)).canManage).toBe(false);
    expect((await api.ok('POST /billing/checkout', order, who)).url).toContain('checkout');
    expect(await customerOf(who)).not.toBe(who.customer);
  }
});

test('a restored workspace with a manual plan has no subscription to manage', async () => {
  const set = await setter();
  const { account } = await payer();
  await set(account, 'ultimate');
  const { name } = await api.ok('GET /workspace', null, account);
  await api.ok('DELETE /workspace', { body: { confirmName: name } }, account);
  await api.ok('POST /workspace/restore', null, account);
  expect(await api.ok('GET /billing', null, account)).toMatchObject({
    state: 'live',
    plan: 'ultimate',
    canManage: false,
  });
});

test('a renewal is applied if an event of a change, sent with it, is handled first', async () => {
  const set = await setter();
  const { account, subscription } = await payer();
  await set(account, 'ultimate');
  const { promise: isChanged, resolve } = Promise.withResolvers<void>();
  const [isAsked, asked] = [Promise.withResolvers<void>(), countRequests()];
  stripe.before = async ({ path }) => {
    if (path !== '/v1/subscriptions' || countRequests() > asked + 1) return;
    isAsked.resolve();
    await isChanged;
  };
  const renewing = sendInvoice(account, 'paid');
  await isAsked.promise;
  await sendSubscription(account, subscription);
  resolve();
  expect([await renewing, await planOf(account)]).toEqual([200, 'live indie']);
});

test('plans set by an operator stay, and all do if the keys are of another account', async () => {
  const set = await setter();
  const [paying, byHand] = [await payer(), await payer()];
  const [ended, gone] = [await payer(), await payer()];
  await set(byHand.account, 'ultimate');
  await set(ended.account, null);
  byHand.subscription.status = 'canceled';
  const { customers } = stripe;
  stripe.customers = new Set();
  const plans = async () => [
    await planOf(paying.account),
    await planOf(byHand.account),
    await planOf(ended.account),
  ];
  expect([await syncSubscriptions(api.services), await plans()]).toEqual([
    0,
    ['live indie', 'live ultimate', 'lapsed indie'],
  ]);
  expect(logged).toHaveLength(1);

  stripe.customers = customers;
  stripe.customers.delete(gone.account.customer);
  for (let round = 0; round < 4; round += 1) {
    api.clock.advance(600_000);
    await syncSubscriptions(api.services);
  }
  expect([await plans(), await planOf(gone.account)]).toEqual([
    ['live indie', 'live ultimate', 'lapsed indie'],
    'lapsed indie',
  ]);
});
