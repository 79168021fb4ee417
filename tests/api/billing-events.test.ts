import { afterAll, beforeAll, expect, test } from 'vitest';
import { startApi, type TestApi } from '../harness/api.ts';
import { keepOrder } from '../harness/keep-order.ts';
import { until } from '../harness/load-recorder.ts';
import { signEvent, startStripeStub, type StripeStub } from '../harness/stripe-stub.ts';

keepOrder('the second test compares its outcome with that of the first');

const seed = Number(process.env.TORTURE_SEED ?? 41);
const workspaces = process.env.TORTURE ? 20 : 8;
const eventsEach = 10;
/** The subscription whose events arrive out of order. */
const overtaking = process.env.TORTURE ? workspaces : 4;
const atOnce = 12;
/** Concurrent Stripe responses for the same customer, arriving in any order. */
const maxHeld = 24;

let stripe: StripeStub;
/** The servers of two processes over one database. */
let servers: TestApi[];
beforeAll(async () => {
  stripe = await startStripeStub();
  const given = { settings: { billingEnabled: true }, services: { payments: stripe.payments() } };
  const first = await startApi(given);
  servers = [
    first,
    await startApi({
      ...given,
      db: first.db,
      clock: first.clock,
      deps: { authSecret: first.authSecret },
    }),
  ];
});
afterAll(async () => {
  for (const server of servers.toReversed()) await server.close();
  await stripe.close();
});

/** mulberry32: the same numbers for the same seed. */
function createRandom(from: number): (below: number) => number {
  let state = from;
  return (below) => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) % below;
  };
}

/** Transitions of Stripe's statuses; `new` is another subscription. */
const onward: Record<string, readonly string[]> = {
  none: ['new'],
  incomplete: ['active', 'incomplete_expired'],
  incomplete_expired: ['new'],
  trialing: ['active', 'active', 'paused', 'canceled'],
  active: ['active', 'active', 'past_due', 'canceled'],
  past_due: ['active', 'unpaid', 'canceled'],
  unpaid: ['active', 'canceled'],
  paused: ['active', 'canceled'],
  canceled: ['new', 'canceled'],
};
const priceIds = ['price_indie_month', 'price_indie_year', 'price_ultimate_month'];

interface Move {
  workspace: number;
  isNew: boolean;
  status: string;
  price: string;
}

/** Events at Stripe in the order in which they happen, customer by customer. */
function inventMoves(random: (below: number) => number): Move[] {
  const statuses = Array.from({ length: workspaces }, () => 'none');
  return Array.from({ length: workspaces * eventsEach }, (_, at) => {
    const workspace = Math.floor(at / eventsEach);
    const choices = onward[statuses[workspace]!]!;
    const chosen = choices[random(choices.length)]!;
    const first = ['incomplete', 'trialing', 'active'][random(3)]!;
    statuses[workspace] = chosen === 'new' ? first : chosen;
    return {
      workspace,
      isNew: chosen === 'new',
      status: statuses[workspace],
      price: priceIds[random(priceIds.length)]!,
    };
  });
}

interface StripeCustomers {
  customers: string[];
  /** Applies the move and returns its event. */
  play(move: Move): string;
  /** The status, plan and subscription of every workspace. */
  outcome(): Promise<string[]>;
}

async function createStripeCustomers(): Promise<StripeCustomers> {
  const [api] = servers as [TestApi];
  const accounts = await Promise.all(Array.from({ length: workspaces }, () => api.signUp()));
  for (const account of accounts)
    await api.ok('POST /billing/checkout', { body: { plan: 'indie', interval: 'month' } }, account);
  const ids = accounts.map(({ workspaceId }) => workspaceId);
  const select =
    'select status, plan, payment_customer as customer, payment_subscription as ' +
    'subscription from workspaces where id = $1';
  const rows = () =>
    Promise.all(ids.map(async (id) => (await api.db.pool.query(select, [id])).rows[0]));
  const customers = (await rows()).map(({ customer }) => customer as string);
  const ownOf = (customer: string) =>
    [...stripe.subscriptions.values()].filter((one) => one.customer === customer);
  return {
    customers,
    play: ({ workspace, isNew, status, price }) => {
      const customer = customers[workspace]!;
      const subscription = isNew ? stripe.subscribe(customer) : ownOf(customer).at(-1)!;
      Object.assign(subscription, { status, price });
      const action = isNew ? 'created' : status === 'canceled' ? 'deleted' : 'updated';
      return stripe.eventOf(`customer.subscription.${action}`, {
        object: 'subscription',
        id: subscription.id,
        customer,
      });
    },
    outcome: async () =>
      (await rows()).map(({ status, plan, customer, subscription }) =>
        [status, plan, ownOf(customer).findIndex(({ id }) => id === subscription)].join(' '),
      ),
  };
}

async function deliver(payload: string, server: TestApi): Promise<void> {
  const headers = {
    'content-type': 'application/json',
    'stripe-signature': signEvent(payload, { at: server.clock.now() }),
  };
  const { status, text } = await server.raw('/billing/events', {
    method: 'POST',
    body: payload,
    headers,
  });
  if (status !== 200) throw new Error(`${status} ${text}`);
}

/** Twelve at a time, on both servers. */
async function deliverAll(payloads: string[]): Promise<void> {
  const left = [...payloads];
  const work = async (at: number) => {
    for (let payload = left.pop(); payload !== undefined; payload = left.pop())
      await deliver(payload, servers[at % 2]!);
  };
  await Promise.all(Array.from({ length: atOnce }, (_, at) => work(at)));
}

function shuffle<T>(items: readonly T[], random: (below: number) => number): T[] {
  const shuffled = [...items];
  for (let at = shuffled.length - 1; at > 0; at -= 1) {
    const other = random(at + 1);
    [shuffled[at], shuffled[other]] = [shuffled[other]!, shuffled[at]!];
  }
  return shuffled;
}

const thrice = (payloads: readonly string[]): string[] => [...payloads, ...payloads, ...payloads];
const count = workspaces * eventsEach;
const moves = inventMoves(createRandom(seed));
/** The outcome by workspace when each event arrives once and in order. */
let expected: string[];

test(`${count} shuffled and tripled payment events end in the same state as in order`, async () => {
  const ordered = await createStripeCustomers();
  for (const move of moves) await deliver(ordered.play(move), servers[0]!);
  expected = await ordered.outcome();
  // Without these states there would be nothing to get wrong.
  for (const word of ['live', 'lapsed', 'indie', 'ultimate'])
    expect(expected.join()).toContain(word);

  // After a day of downtime, everything has happened before the first event arrives.
  const random = createRandom(seed + 1);
  const late = await createStripeCustomers();
  await deliverAll(shuffle(thrice(moves.map((move) => late.play(move))), random));
  expect(await late.outcome()).toEqual(expected);

  const { rows } = await servers[0]!.db.pool.query(
    'select count(*)::int as events, count(distinct workspace_id)::int as workspaces from ' +
      'payment_events',
  );
  expect(rows).toEqual([{ events: 2 * count, workspaces: 2 * workspaces }]);
});

test('interleaved events and late Stripe responses end in the same state', async () => {
  const random = createRandom(seed + 2);
  const interleaved = await createStripeCustomers();
  const held: (() => void)[] = [];
  stripe.before = ({ path }) =>
    path === '/v1/subscriptions'
      ? new Promise((resolve) => void held.push(resolve))
      : Promise.resolve();
  const underWay = new Set<Promise<void>>();
  let waiting: string[] = [];
  const launch = async (payloads: string[]) => {
    for (const payload of payloads) {
      // Stripe resends events that were not accepted.
      const delivery = deliver(payload, servers[random(2)]!)
        .catch(() => void waiting.push(payload))
        .finally(() => underWay.delete(delivery));
      underWay.add(delivery);
    }
    await until(
      () => held.length >= underWay.size,
      60_000,
      'each delivery to be answered or to wait for Stripe',
    );
  };
  const releaseOne = () => held.splice(random(held.length), 1)[0]!();
  for (const move of moves.slice(0, overtaking * eventsEach)) {
    waiting = shuffle([...waiting, ...thrice([interleaved.play(move)])], random);
    await launch(waiting.splice(0, random(9)));
    while (held.length > maxHeld) releaseOne();
  }
  await launch(waiting.splice(0));
  const releaseAll = () => {
    if (held.length > 0) releaseOne();
    return underWay.size === 0;
  };
  await until(releaseAll, 60_000, 'the last deliveries');
  stripe.before = async () => undefined;
  await deliverAll(waiting);
  expect((await interleaved.outcome()).slice(0, overtaking)).toEqual(expected.slice(0, overtaking));
});
