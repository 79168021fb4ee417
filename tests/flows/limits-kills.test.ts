import { request } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startSimulator, type Simulator } from '#simulator/server.ts';
import { planOf, type PlanName } from '#domain/base/plans/plans.ts';
import { systemClock } from '#lib/clock.ts';
import { utcDayOf } from '#lib/dates.ts';
import { startApi, type TestApi } from '../harness/api.ts';
import { seedHistory } from '../harness/history.ts';
import { keepOrder } from '../harness/keep-order.ts';
import { startToprung } from '../harness/process.ts';
import { createDataDir, productEnvironment, removeDataDir } from '../harness/product.ts';
import { redisProgram, startRedis, type TestRedis } from '../harness/redis.ts';
import { draw } from '../harness/short-form.ts';
import { startRole } from '../harness/start-role.ts';
import { reportFigures, trackProgress } from '../harness/progress.ts';

keepOrder('rejected credentials come last: they use up the attempts of the address');

const rounds = process.env.TORTURE ? 20 : 1;
const plansTried: PlanName[] = process.env.TORTURE ? ['indie', 'ultimate'] : ['indie'];
/** Eight for each process, whose writes of one row then wait for no connection. */
const clients = process.env.TORTURE ? 64 : 24;
const processes = 3;
/** The short form runs all but one in this process, with connections and counters of their own. */
const startedHere = process.env.TORTURE ? 0 : processes - 1;
/** The latest second of a minute in which its requests may still be sent. */
let lastStartMs = process.env.TORTURE ? 35_000 : 45_000;
/** For requests that a busy machine did not serve within their minute. */
const maxTries = 3;
/** The number that is left in a window too large to be used up by requests. */
const left = 40;

/** The short form draws one. */
const stores = draw('store of limits', 1, ['PostgreSQL', ...(redisProgram ? ['Redis'] : [])]);

/** A workspace with an app, four tokens and a plan. */
interface Tenant {
  workspaceId: number;
  appId: number;
  keywordIds: number[];
  tokens: string[];
}

describe.each(stores)(`three APIs that count in %s, with ${clients} clients`, (store) => {
  let here: TestApi;
  let simulator: Simulator;
  let redis: TestRedis | null = null;
  let dataDir: string;
  const apis: { url: string; stop(): Promise<void> }[] = [];

  // Exact as long as the counters respond, however slow the machine is: tests/counters covers
  // outages.
  const makeEnvironment = () => ({
    ...productEnvironment(dataDir, simulator),
    DATABASE_URL: here.db.url,
    BILLING_ENABLED: 'true',
    API_PROCESSES: String(processes),
    LIMITS_TIMEOUT_MS: '10000',
    ...(redis && { LIMITS_URL: redis.url }),
  });
  const startProcess = async () => {
    const child = startToprung(['start', '--role', 'api'], makeEnvironment());
    await child.waitFor(/ API: +(\S+)/);
    return {
      url: / API: +(\S+)/.exec(child.output())![1]!,
      stop: () => child.kill('SIGKILL'),
    };
  };

  beforeAll(async () => {
    // Prepares rows in the same database, and serves no request.
    here = await startApi({ clock: systemClock, settings: { billingEnabled: true } });
    simulator = await startSimulator({ compress: false });
    dataDir = await createDataDir();
    if (store === 'Redis') redis = await startRedis();
    apis.push(
      ...(await Promise.all(
        Array.from({ length: processes }, (_, index) =>
          index < startedHere ? startRole('api', makeEnvironment()) : startProcess(),
        ),
      )),
    );
  });
  afterAll(async () => {
    await Promise.all(apis.map((api) => api.stop()));
    await here.close();
    await simulator.close();
    await redis?.stop();
    await removeDataDir(dataDir);
  });

  async function makeTenant(plan: PlanName): Promise<Tenant> {
    const account = await here.signUp();
    const { workspaceId } = account;
    await here.db.pool.query(`update workspaces set status = 'live', plan = $2 where id = $1`, [
      workspaceId,
      plan,
    ]);
    const past = await seedHistory(here.db.pool, {
      workspaceId,
      apps: 1,
      markets: left + clients,
      days: 1,
      lastDay: utcDayOf(new Date()),
    });
    const tokens = await Promise.all(Array.from({ length: 4 }, () => here.token(account)));
    return {
      workspaceId,
      appId: past.appIds[0]!,
      keywordIds: past.keywords.map((keyword) => keyword.id),
      tokens: tokens.map(({ secret }) => secret),
    };
  }

  /**
   * Sends from all clients until each is refused for this window; returns how many were accepted.
   * Refusals for concurrency are retried. `prepare` runs before, in the same window.
   */
  async function countAccepted(
    { tokens }: Tenant,
    window: string,
    ask: (number: number) => { method: string; path: string; body?: object },
    prepare = async () => {},
  ) {
    let accepted = 0;
    let asked = 0;
    const strange: { statusCode?: number }[] = [];
    await inOneMinute(async () => {
      await prepare();
      await Promise.all(
        Array.from({ length: clients }, async (_, client) => {
          for (;;) {
            const { method, path, body } = ask(asked++);
            const headers = {
              authorization: `Bearer ${tokens[client % tokens.length]}`,
              ...(body && { 'content-type': 'application/json' }),
            };
            const response = await fetch(`${apis[client % processes]!.url}${path}`, {
              method,
              headers,
              ...(body && { body: JSON.stringify(body) }),
            });
            const json = (await response.json()) as {
              statusCode?: number;
              rateLimit?: { window: string };
            };
            if (response.status < 300) accepted += 1;
            else if (response.status !== 429) strange.push(json);
            else if (json.rateLimit!.window === 'concurrent') await sleep(5);
            else {
              if (json.rateLimit!.window !== window) strange.push(json);
              return;
            }
            if (strange.length > 0) return;
          }
        }),
      );
    });
    // A request may have been counted that the database then did not serve in time.
    if (strange.some(({ statusCode }) => statusCode === 503)) throw new TooSlowError(strange[0]);
    expect(strange.slice(0, 2)).toEqual([]);
    return accepted;
  }

  /** This much of a window is used up already. */
  async function exhaustQuota(
    { workspaceId }: Tenant,
    name: string,
    seconds: number,
    used: number,
  ) {
    const index = Math.floor(Date.now() / 1_000 / seconds);
    if (redis) await redis.set(`toprung:limits:{${workspaceId}}:${name}:${index}`, String(used));
    else
      await here.db.pool.query(`insert into rate_limit_windows values ($1, $2, $3, $4)`, [
        workspaceId,
        name,
        new Date(index * seconds * 1_000),
        used,
      ]);
  }

  const day = 86_400;
  const rows: [
    name: string,
    limit: (plan: PlanName) => number,
    accepted: (plan: PlanName, tenant: Tenant) => Promise<number>,
  ][] = [
    [
      'reads a minute',
      (plan) => planOf(plan).readsPerMinute,
      (_, tenant) => countAccepted(tenant, 'minute', () => ({ method: 'GET', path: '/errors' })),
    ],
    [
      'writes a minute',
      (plan) => planOf(plan).writesPerMinute,
      (_, tenant) =>
        countAccepted(tenant, 'minute', (number) => ({
          method: 'PATCH',
          path: '/workspace',
          body: { name: `Northlight ${number}` },
        })),
    ],
    [
      'requests a day',
      () => left,
      (plan, tenant) =>
        countAccepted(
          tenant,
          'day',
          () => ({ method: 'GET', path: '/errors' }),
          () => exhaustQuota(tenant, 'day', day, planOf(plan).requestsPerDay - left),
        ),
    ],
    [
      'refreshes a day',
      () => left,
      async (plan, tenant) => {
        const app = await simulatedApp(tenant);
        return countAccepted(
          tenant,
          'day',
          () => ({ method: 'POST', path: `/apps/${app}/refresh` }),
          () => exhaustQuota(tenant, 'refresh', day, planOf(plan).onDemand.refresh - left),
        );
      },
    ],
    [
      'daily runs a day',
      (plan) => planOf(plan).onDemand['run-daily'],
      (_, tenant) =>
        countAccepted(tenant, 'day', () => ({
          method: 'POST',
          path: `/apps/${tenant.appId}/run-daily`,
        })),
    ],
    [
      'scores a day',
      () => left,
      (plan, tenant) => {
        const { keywordIds } = tenant;
        return countAccepted(
          tenant,
          'day',
          (number) => ({
            method: 'POST',
            path: `/keywords/${keywordIds[number % keywordIds.length]}/score`,
          }),
          () => exhaustQuota(tenant, 'score', day, planOf(plan).onDemand.score - left),
        );
      },
    ],
    [
      'suggestions an hour',
      () => left,
      (plan, tenant) => {
        // What was requested before is free.
        const path = `/apps/${tenant.appId}/keyword-suggestions?refresh=true&phrase=habit`;
        const used = planOf(plan).onDemand.suggestions - left;
        return countAccepted(
          tenant,
          'minute',
          () => ({ method: 'GET', path }),
          () => exhaustQuota(tenant, 'suggestions', 3_600, used),
        );
      },
    ],
  ];

  /** An app that the simulated store has, instead of an invented one. */
  async function simulatedApp({ workspaceId }: Tenant): Promise<number> {
    const { rows: made } = await here.db.pool.query(
      `with l as (insert into listings (store, store_app_id, name)
         values ('ios', '1500000001', 'Daybook')
         on conflict (store, store_app_id) do update set name = excluded.name returning id)
       insert into apps (workspace_id, listing_id, primary_country, created_at)
         select $1, id, 'us', now() from l returning id`,
      [workspaceId],
    );
    return made[0].id as number;
  }

  describe.each(plansTried)('on %s', (plan) => {
    // In the short form each store counts every other row; a single store counts all.
    const counted = rows.filter(
      (_, at) =>
        process.env.TORTURE || stores.length === 1 || (at + stores.indexOf(store)) % 2 === 0,
    );
    test.each(counted)(
      '%s: exactly the limit is accepted',
      async (name, limit, countFor) => {
        const part = {
          name: `${name} on ${plan}`,
          total: rounds,
          limitMs: maxTries * 120_000 + rounds * 65_000,
        };
        await trackProgress(part, async ({ add }) => {
          for (let round = 0; round < rounds; round += 1) {
            const count = async () => countFor(plan, await makeTenant(plan));
            expect({ round, accepted: await repeatWhenTooSlow(count) }).toEqual({
              round,
              accepted: limit(plan),
            });
            add();
          }
        });
        reportFigures(7, { [`exact rounds of ${name} on ${plan}, ${store}:`]: rounds });
      },
      60_000 + maxTries * 120_000 + rounds * 65_000,
    );

    test('concurrent requests: exactly the limit is open, freed soon after a kill', async () => {
      const { parallel } = planOf(plan);
      const tooMany = clients - parallel;
      for (let round = 0; round < rounds; round += 1) {
        const tenant = await makeTenant(plan);
        const hanging = await hangAll(tenant, apis, tooMany);
        expect({ round, open: hanging.open.length, refused: hanging.refused }).toEqual({
          round,
          open: parallel,
          refused: tooMany,
        });
        hanging.leave();
        const again = await eventually(
          () => hangAll(tenant, apis, tooMany),
          (next) => next.open.length === parallel,
          60_000,
        );
        again.leave();
      }
      const tenant = await makeTenant(plan);
      const extra = await startProcess();
      const held = await hangAll(tenant, [extra], tooMany);
      expect(held.open).toHaveLength(parallel);
      await extra.stop();
      const refused = await hangAll(tenant, apis, clients);
      expect(refused.open).toEqual([]);
      // The short form does not wait for the minute, and checks when it would end.
      if (!process.env.TORTURE) await shorten(tenant);
      const freed = await eventually(
        () => hangAll(tenant, apis, tooMany),
        (next) => next.open.length === parallel,
        62_000,
      );
      freed.leave();
    });
  });

  // Runs last: all later requests from this machine are refused.
  test('rejected credentials: exactly 120, then every process refuses a valid one', async () => {
    const { tokens } = await makeTenant('indie');
    const ask = (client: number, token: string) =>
      fetch(`${apis[client % processes]!.url}/errors`, {
        headers: { authorization: `Bearer ${token}` },
      }).then(({ status }) => status);
    const statuses = (
      await Promise.all(
        Array.from({ length: clients }, (_, client) => eightTimes(() => ask(client, 'x'))),
      )
    ).flat();
    expect(statuses.filter((status) => status === 401)).toHaveLength(120);
    expect(statuses.filter((status) => status === 429)).toHaveLength(statuses.length - 120);
    // The others learn of it half a second later; a busy machine needs more.
    for (let client = 0; client < processes; client += 1)
      await expect.poll(() => ask(client, tokens[0]!)).toBe(429);
  });

  async function shorten({ workspaceId }: Tenant) {
    if (redis) await redis.addToScores(`toprung:limits:{${workspaceId}}:leases`, -58_000);
    else
      await here.db.pool.query(
        `update rate_limit_leases set ends_at = ends_at - interval '58 seconds' where ` +
          'workspace_id = $1',
        [workspaceId],
      );
  }

  /**
   * Requests that never send their body: accepted ones stay open, refused ones get a response. It
   * waits for `expected` refusals as long as a busy machine needs, and a little for any others.
   */
  async function hangAll({ tokens }: Tenant, at: { url: string }[], expected: number) {
    let refused = 0;
    const sent = Array.from({ length: clients }, (_, client) => {
      const headers = {
        authorization: `Bearer ${tokens[client % tokens.length]}`,
        'content-type': 'application/json',
        'content-length': '40',
      };
      const asked = request(`${at[client % at.length]!.url}/workspace`, {
        method: 'PATCH',
        headers,
        agent: false,
      });
      asked.on('error', () => undefined);
      asked.once('response', (response) => {
        refused += response.statusCode === 429 ? 1 : 0;
        response.resume();
        asked.destroy();
      });
      asked.flushHeaders();
      return asked;
    });
    const began = performance.now();
    const waitedMs = () => performance.now() - began;
    const isOver = () => refused === clients || waitedMs() > (refused < expected ? 30_000 : 1_500);
    while (!isOver()) await sleep(25);
    const open = sent.filter(({ destroyed }) => !destroyed);
    return { open, refused, leave: () => open.forEach((each) => each.destroy()) };
  }
});

async function eightTimes<T>(work: () => Promise<T>): Promise<T[]> {
  const done: T[] = [];
  while (done.length < 8) done.push(await work());
  return done;
}

/**
 * A window that ends in between accepts twice as many: near the end of a minute the next one is
 * awaited.
 */
async function inOneMinute(work: () => Promise<void>): Promise<void> {
  const intoMs = Date.now() % 60_000;
  if (intoMs > lastStartMs) await sleep(60_050 - intoMs);
  const began = Math.floor(Date.now() / 60_000);
  await work();
  if (Math.floor(Date.now() / 60_000) !== began) throw new TooSlowError();
}

class TooSlowError extends Error {
  constructor(seen: object = {}) {
    super(`the machine was too slow for one minute: ${JSON.stringify(seen)}`);
  }
}

/** With a whole minute for the requests from the second time on. */
async function repeatWhenTooSlow<T>(work: () => Promise<T>, tries = maxTries): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof TooSlowError) || tries === 1) throw error;
    lastStartMs = 1_000;
    return repeatWhenTooSlow(work, tries - 1);
  }
}

async function eventually<T extends { leave(): void }>(
  look: () => Promise<T>,
  isThere: (seen: T) => boolean,
  withinMs: number,
): Promise<T> {
  const end = performance.now() + withinMs;
  for (;;) {
    const seen = await look();
    if (isThere(seen)) return seen;
    seen.leave();
    if (performance.now() > end) throw new Error('it did not come true in time');
    await sleep(300);
  }
}
