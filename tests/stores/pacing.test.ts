import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { Queryable } from '#db/queries/pacing/pacing.ts';
import { mapStores, type StoreError } from '#domain/base/ports.ts';
import { TestClock } from '#lib/clock.ts';
import {
  createEgressPool,
  createHealthWriter,
  createPacer,
  createSearchDelay,
  type EgressPool,
  type RunningPacer,
} from '#stores/index.ts';
import { createTestDatabase, type TestDatabase } from '../harness/database.ts';

let database: TestDatabase;
const opened: (() => Promise<unknown>)[] = [];
const clock = new TestClock('2026-07-15T23:59:59.900Z');

beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());
beforeEach(() => database.pool.query('truncate pacing, store_requests'));
afterEach(async () => {
  await Promise.all(opened.splice(0).map((close) => close()));
});

interface Setup {
  rpm?: number;
  proxies?: string[];
  egress?: EgressPool;
  maxInteractiveWaitMs?: number;
  onSetBack?: (seconds: number) => void;
  db?: Queryable;
}

/** Each call is a process of its own to the database. */
function openPacer({
  rpm = 6_000,
  proxies = [],
  egress = createEgressPool({ proxies }),
  maxInteractiveWaitMs = 25_000,
  onSetBack,
  db = database.pool,
}: Setup = {}): RunningPacer {
  const pacer = createPacer({
    db,
    egress,
    clock,
    rpm: mapStores(() => rpm),
    maxInteractiveWaitMs,
    ...(onSetBack && { onSetBack }),
  });
  opened.push(
    () => pacer.close(),
    () => egress.close(),
  );
  return pacer;
}

const never = new AbortController().signal;
const take = (pacer: RunningPacer, lane: 'run' | 'interactive' = 'run') =>
  pacer.acquire('ios', { signal: never, lane });
const row = async (store = 'ios', endpoint = 'direct', host = '') =>
  (
    await database.pool.query(
      'select * from pacing where store = $1 and endpoint = $2 and host = $3',
      [store, endpoint, host],
    )
  ).rows[0];
const updatePacing = (set: string) => database.pool.query(`update pacing set ${set}`);
/** A machine with stolen time is slower at random: the best of a few rounds counts. */
async function bestOf(
  rounds: number,
  isEnough: (figure: number) => boolean,
  round: () => Promise<number>,
): Promise<number> {
  let best = -Infinity;
  for (let index = 0; index < rounds && !isEnough(best); index++)
    best = Math.max(best, await round());
  return best;
}
const databaseNowUs = async () =>
  Number(
    (
      await database.pool.query(
        'select (extract(epoch from clock_timestamp()) * 1000000)::bigint as us',
      )
    ).rows[0].us,
  );

describe('speed', () => {
  test('a minute at the allowed interval, minus the tolerance, is at least a minute', () => {
    for (const rpm of [1, 2, 15, 20, 59, 60, 61, 120, 599, 600, 3_000, 12_000, 60_000]) {
      const intervalMs = Math.ceil((60_000_000 / rpm) * 1.005) / 1000;
      expect(rpm * intervalMs - 250).toBeGreaterThan(60_000);
      expect(60_000 / intervalMs).toBeGreaterThan(rpm * 0.99);
    }
  });

  test('two processes keep the interval, with senders on time and little time lost', async () => {
    const rpm = 1_500;
    const pacers = [openPacer({ rpm }), openPacer({ rpm })];
    const offsetMs = (await databaseNowUs()) / 1000 - performance.now();
    const intervalUs = Math.ceil((60_000_000 / rpm) * 1.005);
    const used = await bestOf(
      8,
      (share) => share > 0.98,
      async () => {
        const sent: { atUs: number; lateMs: number }[] = [];
        const until = performance.now() + 2_500;
        const sender = async (pacer: RunningPacer) => {
          while (performance.now() < until) {
            const grant = await take(pacer);
            sent.push({
              atUs: grant.atUs,
              lateMs: performance.now() + offsetMs - grant.atUs / 1000,
            });
          }
        };
        await Promise.all(pacers.flatMap((pacer) => [1, 2, 3, 4].map(() => sender(pacer))));
        const times = sent.map(({ atUs }) => atUs).sort((a, b) => a - b);
        const gaps = times.slice(1).map((time, index) => time - times[index]!);
        expect(Math.min(...gaps)).toBeGreaterThanOrEqual(intervalUs);
        // The pacer tolerates 250 ms; the rest is for a machine that stops this process just then.
        expect(Math.max(...sent.map(({ lateMs }) => lateMs))).toBeLessThan(400);
        return ((times.length - 1) * intervalUs) / (times.at(-1)! - times[0]!);
      },
    );
    expect(used).toBeGreaterThan(0.98);
  });

  test('unused time is not saved up', async () => {
    const pacer = openPacer({ rpm: 600 });
    await take(pacer);
    await updatePacing("next_at = clock_timestamp() - interval '1 hour'");
    const [first, second, third] = await Promise.all([take(pacer), take(pacer), take(pacer)]);
    expect(Math.min(second.atUs - first.atUs, third.atUs - second.atUs)).toBeGreaterThanOrEqual(
      100_500,
    );
  });

  test('at 60,000 a minute, a process with 32 senders gets 400 grants a second', async () => {
    const pacer = openPacer({ rpm: 60_000 });
    await take(pacer);
    let granted = 0;
    const perSecond = await bestOf(
      8,
      (rate) => rate > 400,
      async () => {
        const started = performance.now();
        const before = granted;
        const sender = async () => {
          for (; performance.now() - started < 1_000; granted++) await take(pacer);
        };
        await Promise.all(Array.from({ length: 32 }, sender));
        return (granted - before) / ((performance.now() - started) / 1000);
      },
    );
    expect(perSecond).toBeGreaterThan(400);
    const { granted: inDatabase } = await row();
    expect(Number(inDatabase)).toBeGreaterThanOrEqual(granted);
  });

  test('a sender that wakes late takes a new slot instead of sending in a burst', async () => {
    const pacer = openPacer({ rpm: 120 });
    const first = await take(pacer);
    const second = take(pacer);
    const offsetMs = (await databaseNowUs()) / 1000 - performance.now();
    // The process is busy beyond the second slot, by more than the tolerance.
    const busyUntil = first.atUs / 1000 - offsetMs + 502.5 + 300;
    while (performance.now() < busyUntil);
    const { atUs } = await second;
    expect(atUs - first.atUs).toBeGreaterThan(502_500);
    expect(performance.now() + offsetMs - atUs / 1000).toBeLessThan(295);
  });

  test.each([20, 60])('a clock set back by %i minutes stops no work', async (minutes) => {
    const steps: number[] = [];
    const pacer = openPacer({ rpm: 600, onSetBack: (seconds) => steps.push(seconds) });
    await take(pacer);
    // The database's clock cannot be set here; everything it has written can be moved ahead.
    await updatePacing(
      `next_at = next_at + interval '${minutes} minutes',
       granted_at = granted_at + interval '${minutes} minutes'`,
    );
    const startedMs = performance.now();
    await take(pacer);
    await take(pacer);
    expect(performance.now() - startedMs).toBeLessThan(10_000);
    expect(steps).toHaveLength(1);
    expect(Math.round(steps[0]! / 60)).toBe(minutes);
  });

  test('a cooldown from before the clock was set back lasts as long as it should', async () => {
    const pacer = openPacer({ rpm: 6_000 });
    await take(pacer);
    const ahead = `interval '30 minutes'`;
    await updatePacing(
      `granted_at = granted_at + ${ahead}, next_at = next_at + ${ahead},
       cooldown_until = clock_timestamp() + ${ahead} + interval '1 minute'`,
    );
    await expect(take(pacer)).rejects.toMatchObject({ marker: 'cooling' });
    await updatePacing(`cooldown_until = clock_timestamp() + ${ahead} - interval '1 minute'`);
    await take(pacer);
    expect((await row()).cooldown_until.getTime()).toBeLessThan(Date.now());
  });

  test('after a failure of the database grants are left unused', async () => {
    let isDown = false;
    const failing: Queryable = {
      query: (...parameters) =>
        isDown
          ? Promise.reject(new Error('down'))
          : database.pool.query(...(parameters as [string])),
    };
    const pacer = openPacer({ rpm: 600, db: failing });
    await take(pacer);
    isDown = true;
    await expect(take(pacer)).rejects.toThrow('down');
    isDown = false;
    const before = Number((await row()).granted);
    await take(pacer);
    // A busy machine may be late for the grant that follows, and take another one.
    expect(Number((await row()).granted)).toBeGreaterThanOrEqual(before + 4);
  });

  test('a slot an hour ahead, from a clock set back, does not stop the work', async () => {
    await take(openPacer());
    await updatePacing("next_at = clock_timestamp() + interval '3 days'");
    await expect(take(openPacer())).resolves.toMatchObject({ endpoint: 'direct' });
  });
});

describe('refusals', () => {
  /**
   * The row of the endpoint that cools longest, with the seconds from its refusal to its end,
   * independent of time that has passed since.
   */
  const cool = async () =>
    (
      await database.pool.query(
        'select *, round(extract(epoch from cooldown_until - last_refusal_at))::int as cools ' +
          'from pacing order by cooldown_until desc nulls last limit 1',
      )
    ).rows[0];
  /** Lets the cooling end, as another process would see it. */
  const thaw = () => updatePacing("cooldown_until = clock_timestamp() - interval '1 second'");

  test.each([
    ['ios', [60, 300, 1800, 1800]],
    ['android', [60, 300, 900, 900]],
  ] as const)('%s cools longer each time in a row: %j seconds', async (store, ladder) => {
    for (const seconds of ladder) {
      const pacer = openPacer();
      const grant = await pacer.acquire(store, { signal: never, lane: 'run' });
      await pacer.refused(grant, { marker: '403-empty', retryAfterMs: null });
      expect((await cool()).cools).toBe(seconds);
      const error = await pacer
        .acquire(store, { signal: never, lane: 'run' })
        .catch((reason: unknown) => reason);
      expect(error).toMatchObject({ failure: 'refused', marker: 'cooling', store });
      // The rest of it.
      const { retryAfterMs } = error as { retryAfterMs: number };
      expect(retryAfterMs).toBeLessThanOrEqual(seconds * 1000);
      expect(retryAfterMs).toBeGreaterThan((seconds - 30) * 1000);
      await thaw();
    }
  });

  test.each(['503', 'sorry', 'captcha'])(
    'a lasting refusal of Google (%s) cools for 15 minutes at once, also during a shorter cooldown',
    async (marker) => {
      const pacer = openPacer();
      const grants = [1, 2].map(() => pacer.acquire('android', { signal: never, lane: 'run' }));
      const [first, second] = await Promise.all(grants);
      await pacer.refused(first!, { marker: '429', retryAfterMs: null });
      expect((await cool()).cools).toBe(60);
      await pacer.refused(second!, { marker, retryAfterMs: null });
      expect(await cool()).toMatchObject({ cools: 900, strikes: 1 });
      await thaw();
      const later = openPacer();
      const grant = await later.acquire('android', { signal: never, lane: 'run' });
      await later.refused(grant, { marker, retryAfterMs: 120_000 });
      expect((await cool()).cools).toBe(120);
    },
  );

  test('both lanes learn at once that everything cools', async () => {
    const pacer = openPacer();
    await pacer.refused(await take(pacer), { marker: '429', retryAfterMs: null });
    for (const lane of ['run', 'interactive'] as const)
      await expect(take(pacer, lane)).rejects.toMatchObject({ marker: 'cooling' });
  });

  test.each([
    [120_000, 120],
    [100_000_000, 3_600],
    [0, 10],
  ])('Retry-After of %d ms cools for %d seconds', async (retryAfterMs, seconds) => {
    const pacer = openPacer();
    await pacer.refused(await take(pacer), { marker: '429', retryAfterMs });
    expect((await cool()).cools).toBe(seconds);
  });

  test('parallel requests count each, and cool as one refusal', async () => {
    const pacer = openPacer();
    const grants = await Promise.all(Array.from({ length: 5 }, () => take(pacer)));
    await Promise.all(
      grants.map((grant) => pacer.refused(grant, { marker: '429', retryAfterMs: null })),
    );
    const cooled = await cool();
    expect(cooled).toMatchObject({ strikes: 1, slow_factor: 2, refused: 5n, last_marker: '429' });
    // From the first refusal on, however late the last one came.
    expect(cooled.cools).toBeLessThanOrEqual(60);
    expect(cooled.cools).toBeGreaterThan(30);
  });

  test('a refusal halves the speed, which recovers a fifth every ten quiet minutes', async () => {
    const pacer = openPacer();
    await pacer.refused(await take(pacer), { marker: '429', retryAfterMs: null });
    await thaw();
    const next = openPacer();
    await take(next);
    expect(await row()).toMatchObject({ slow_factor: 2, interval_us: 20_100n });
    await updatePacing("recovered_at = clock_timestamp() - interval '11 minutes'");
    await take(next);
    expect((await row()).slow_factor).toBeCloseTo(1.6);
    await updatePacing("recovered_at = clock_timestamp() - interval '2 hours'");
    await take(next);
    expect(await row()).toMatchObject({ slow_factor: 1, interval_us: 10_050n });
  });

  test('the speed is never cut to less than a sixteenth', async () => {
    await take(openPacer());
    for (let index = 0; index < 6; index++) {
      await thaw();
      const pacer = openPacer();
      await pacer.refused(await take(pacer), { marker: '429', retryAfterMs: null });
    }
    expect((await row()).slow_factor).toBe(16);
  });

  test('a success resets the count, unless its request was sent before the refusal', async () => {
    const pacer = openPacer();
    const early = await take(pacer);
    await pacer.refused(await take(pacer), { marker: '429', retryAfterMs: null });
    pacer.succeeded({ ...early, strikes: 1 });
    await pacer.close();
    expect((await row()).strikes).toBe(1);
    await thaw();
    const next = openPacer();
    next.succeeded(await take(next));
    await next.close();
    expect((await row()).strikes).toBe(0);
  });

  test('a slot taken before another process was refused is not used', async () => {
    const pacer = openPacer({ rpm: 20 });
    await take(pacer);
    const waiting = take(pacer);
    await expect.poll(async () => Number((await row()).granted)).toBe(2);
    await updatePacing("cooldown_until = clock_timestamp() + interval '1 minute'");
    await expect(waiting).rejects.toMatchObject({ marker: 'cooling' });
  });
});

describe('endpoints', () => {
  const proxies = [
    'http://user:secret@127.0.0.1:7001',
    'http://127.0.0.1:7002',
    'http://u2:p2@127.0.0.1:7002',
  ];

  test('each endpoint is paced separately, and the first free one is taken', async () => {
    const pacer = openPacer({ rpm: 4, proxies });
    const grants = await Promise.all([take(pacer), take(pacer), take(pacer)]);
    const times = grants.map((grant) => grant.atUs);
    expect(Math.max(...times) - Math.min(...times)).toBeLessThan(15_000_000);
    expect(grants.map((grant) => grant.endpoint).sort()).toEqual([
      '127.0.0.1:7001',
      '127.0.0.1:7002',
      '127.0.0.1:7002#2',
    ]);
  });

  test('user and password of a proxy are never stored or shown', async () => {
    const pacer = openPacer({ proxies });
    await take(pacer);
    const { rows } = await database.pool.query('select * from pacing');
    expect(
      JSON.stringify(rows, (_key, value: unknown) =>
        typeof value === 'bigint' ? String(value) : value,
      ),
    ).not.toMatch(/secret|user|p2/);
    expect(() => createEgressPool({ proxies: ['socks5://user:secret@h:1'] })).toThrow(
      /^egress proxy number 1 is not an http/,
    );
  });

  test('a refused endpoint cools while the others continue', async () => {
    const pacer = openPacer({ proxies });
    const refusedGrant = await take(pacer);
    await pacer.refused(refusedGrant, { marker: '429', retryAfterMs: null });
    const others = await Promise.all(Array.from({ length: 10 }, () => take(pacer)));
    expect(others.map((grant) => grant.endpoint)).not.toContain(refusedGrant.endpoint);
  });

  test('work waits for endpoints that rest, not for the longer pause of another', async () => {
    const egress = createEgressPool({ proxies });
    const pacer = openPacer({ egress });
    const refusedGrant = await take(pacer);
    await pacer.refused(refusedGrant, { marker: '429', retryAfterMs: 3_600_000 });
    const others = egress.endpoints.filter(({ name }) => name !== refusedGrant.endpoint);
    for (const { name } of others) for (const _ of [1, 2, 3]) egress.failed(name);
    const error = await take(pacer).catch((failure: StoreError) => failure);
    expect(error).toMatchObject({ marker: 'cooling' });
    expect((error as StoreError).retryAfterMs).toBeLessThanOrEqual(60_000);
    // One of them cools down for longer than it rests.
    await database.pool.query(
      `update pacing set cooldown_until = clock_timestamp() + interval '10 minutes'
       where endpoint <> $1`,
      [refusedGrant.endpoint],
    );
    const later = await take(pacer).catch((failure: StoreError) => failure);
    expect((later as StoreError).retryAfterMs).toBeGreaterThan(590_000);
    expect((later as StoreError).retryAfterMs).toBeLessThanOrEqual(600_000);
  });

  test('a failing endpoint pauses after three failures; if all do, all are tried', () => {
    let nowMs = 0;
    const pool = createEgressPool({ proxies: proxies.slice(0, 2), nowMs: () => nowMs });
    opened.push(() => pool.close());
    const [first, second] = ['127.0.0.1:7001', '127.0.0.1:7002'] as const;
    for (let index = 0; index < 3; index++) pool.failed(first);
    expect(pool.usable()).toEqual([second]);
    expect(pool.health()).toEqual([
      { name: first, consecutiveFailures: 3, unavailableForMs: 60_000 },
      { name: second, consecutiveFailures: 0, unavailableForMs: 0 },
    ]);
    expect(pool.healthyCount()).toBe(1);
    for (let index = 0; index < 3; index++) pool.failed(second);
    expect([pool.usable(), pool.healthyCount()]).toEqual([[first, second], 0]);
    pool.worked(second);
    expect(pool.usable()).toEqual([second]);
    nowMs = 60_001;
    expect(pool.usable()).toEqual([first, second]);
  });

  test('the health of an endpoint is written for other processes when it changes', async () => {
    const [failing, other] = ['127.0.0.1:7001', '127.0.0.1:7002'];
    await take(openPacer({ proxies }));
    let writes = 0;
    const db: Queryable = {
      query: (...given) => {
        writes += 1;
        return database.pool.query(...(given as [string])) as never;
      },
    };
    const writer = createHealthWriter({ db, onError: () => expect.unreachable() });
    const pool = createEgressPool({ proxies, onHealth: writer.note });
    opened.push(() => pool.close());
    const known = async (endpoint: string) => {
      await writer.close();
      const { rows } = await database.pool.query(
        `select distinct connection_failures as failures,
           round(extract(epoch from unavailable_until - now()) / 60)::int as minutes
         from pacing where endpoint = $1`,
        [endpoint],
      );
      return rows;
    };
    for (let index = 0; index < 3; index++) pool.failed(failing);
    expect(await known(failing)).toEqual([{ failures: 3, minutes: 1 }]);
    expect(await known(other)).toEqual([{ failures: 0, minutes: null }]);
    for (let index = 0; index < 100; index++) pool.worked(failing);
    expect(await known(failing)).toEqual([{ failures: 0, minutes: null }]);
    // Changes during a write are written together.
    expect(writes).toBeLessThanOrEqual(3);
    // A process that is new does not know that the one before it had failures.
    await updatePacing("connection_failures = 2 where endpoint = '127.0.0.1:7002'");
    pool.worked(other);
    expect(await known(other)).toEqual([{ failures: 0, minutes: null }]);
  });
});

describe('lanes', () => {
  test('interactive work is served before the run, whichever came first', async () => {
    const pacer = openPacer({ rpm: 600 });
    await take(pacer);
    const order: string[] = [];
    const run = [1, 2, 3].map((index) => take(pacer).then(() => order.push(`run ${index}`)));
    const interactive = take(pacer, 'interactive').then(() => order.push('interactive'));
    await Promise.all([...run, interactive]);
    expect(order).toEqual(['interactive', 'run 1', 'run 2', 'run 3']);
  });

  test('interactive work times out as busy, and the run continues to wait', async () => {
    const pacer = openPacer({ rpm: 30, maxInteractiveWaitMs: 100 });
    await take(pacer);
    const run = take(pacer);
    await expect(take(pacer, 'interactive')).rejects.toMatchObject({
      failure: 'unavailable',
      marker: 'busy',
    });
    await run;
  });

  test('a waiter that aborts gets its reason and takes no slot', async () => {
    const pacer = openPacer({ rpm: 300 });
    await take(pacer);
    let leaving = new AbortController();
    // A busy machine may be late for the slot of the one that stays, and take another one.
    const used = await bestOf(
      5,
      (share) => share === 1,
      async () => {
        leaving = new AbortController();
        const before = Number((await row()).granted);
        const left = pacer.acquire('ios', { signal: leaving.signal, lane: 'run' });
        const stays = take(pacer);
        leaving.abort(new Error('gone'));
        await expect(left).rejects.toThrow('gone');
        await stays;
        return 1 / (Number((await row()).granted) - before);
      },
    );
    expect(used).toBe(1);
    await expect(pacer.acquire('ios', { signal: leaving.signal, lane: 'run' })).rejects.toThrow(
      'gone',
    );
  });

  test('stores do not wait for one another, and closing ends all waits', async () => {
    const pacer = openPacer({ rpm: 1 });
    await take(pacer);
    const waiting = take(pacer);
    await pacer.acquire('android', { signal: never, lane: 'run' });
    const closed = pacer.close();
    await expect(waiting).rejects.toThrow('closing');
    await closed;
    await expect(take(pacer)).rejects.toThrow('closing');
  });

  describe('a host that throttles by itself', () => {
    const host = 'apps.apple.com';
    const ask = (pacer: RunningPacer, at?: string) =>
      pacer.acquire('ios', { signal: never, lane: 'run', host: at });

    test('has its own pace, which other hosts share with the store', async () => {
      const egress = createEgressPool({ proxies: [] });
      const rpm = mapStores(() => 1);
      const pacer = createPacer({
        db: database.pool,
        egress,
        clock,
        rpm,
        hostRpm: { [host]: 600 },
      });
      opened.push(
        () => pacer.close(),
        () => egress.close(),
      );
      await ask(pacer);
      const stuck = expect(ask(pacer, 'itunes.apple.com')).rejects.toThrow('closing');
      const grants = [await ask(pacer, host), await ask(pacer, host), await ask(pacer, host)];
      const gapsMs = grants.slice(1).map(({ atUs }, at) => (atUs - grants[at]!.atUs) / 1_000);
      // 600 a minute, half a percent slower.
      expect(gapsMs.every((ms) => ms >= 100.5)).toBe(true);
      expect(grants.map((grant) => grant.host)).toEqual([host, host, host]);
      expect(await row('ios', 'direct', host)).toMatchObject({
        granted: 3n,
        interval_us: 100_500n,
      });
      expect(await row()).toMatchObject({ interval_us: 60_300_000n });
      await pacer.close();
      await stuck;
    });

    test('cools down by itself', async () => {
      const pacer = openPacer();
      const grant = await ask(pacer, host);
      await pacer.refused(grant, { marker: '429', retryAfterMs: null });
      await expect(ask(pacer, host)).rejects.toMatchObject({ marker: 'cooling' });
      await expect(ask(pacer)).resolves.toMatchObject({ host: '' });
      expect(await row()).toMatchObject({ strikes: 0, last_marker: null });
      expect(await row('ios', 'direct', host)).toMatchObject({ strikes: 1, last_marker: '429' });
    });
  });

  test('a delay without a request takes the grants and the time of a search', async () => {
    const pacer = openPacer();
    const searchDelay = createSearchDelay(pacer);
    for (const store of ['ios', 'android'] as const)
      searchDelay.observe({ store, kind: 'search', outcome: 'ok', ms: 30 });
    const began = performance.now();
    const options = { signal: never, lane: 'run' } as const;
    await Promise.all([
      searchDelay.wait({ store: 'ios', provider: 'web', requests: 3 }, options),
      searchDelay.wait({ store: 'ios', provider: 'itunes', requests: 2 }, options),
    ]);
    expect(performance.now() - began).toBeGreaterThan(90);
    expect(Number((await row('ios', 'direct', 'apps.apple.com')).granted)).toBeGreaterThanOrEqual(
      3,
    );
    expect(Number((await row()).granted)).toBeGreaterThanOrEqual(2);
  });

  test('a database that is down is an error of its own, and recovers', async () => {
    let isAway = true;
    const egress = createEgressPool({ proxies: [] });
    const db = {
      query: async (text: string, values?: unknown[]) =>
        isAway ? Promise.reject(new Error('database away')) : database.pool.query(text, values),
    };
    const pacer = createPacer({ db, egress, clock, rpm: mapStores(() => 600) });
    opened.push(
      () => pacer.close(),
      () => egress.close(),
    );
    await expect(take(pacer)).rejects.toThrow('database away');
    isAway = false;
    await expect(take(pacer)).resolves.toMatchObject({ endpoint: 'direct' });
  });
});

describe('counters', () => {
  const counted = async () =>
    (await database.pool.query('select * from store_requests order by store, on_date, kind')).rows;

  test('count every request on its UTC day, written soon or on closing at last', async () => {
    const pacer = openPacer();
    clock.set('2026-07-15T23:59:59.900Z');
    for (let index = 0; index < 100; index++)
      pacer.counted('ios', 'search', {
        requests: 1,
        bytes: 1_000,
        refused: index % 50 === 0 ? 1 : 0,
      });
    await expect.poll(counted).toMatchObject([
      {
        store: 'ios',
        on_date: '2026-07-15',
        kind: 'search',
        requests: 100n,
        bytes: 100_000n,
        refused: 2n,
      },
    ]);
    clock.advance(100);
    pacer.counted('ios', 'search', { requests: 1, bytes: 5, refused: 0 });
    pacer.counted('android', 'listing', { requests: 2, bytes: 7, refused: 0 });
    await pacer.close();
    expect(await counted()).toMatchObject([
      { store: 'android', on_date: '2026-07-16', kind: 'listing', requests: 2n },
      { store: 'ios', on_date: '2026-07-15', requests: 100n },
      { store: 'ios', on_date: '2026-07-16', requests: 1n },
    ]);
  });

  test('that could not be written are written later, once', async () => {
    let failures = 1;
    const errors: unknown[] = [];
    const egress = createEgressPool({ proxies: [] });
    const db = {
      query: (text: string, values?: unknown[]) =>
        failures-- > 0 ? Promise.reject(new Error('away')) : database.pool.query(text, values),
    };
    const pacer = createPacer({
      db,
      egress,
      clock,
      rpm: mapStores(() => 60),
      onError: (error) => errors.push(error),
    });
    opened.push(() => egress.close());
    pacer.counted('ios', 'search', { requests: 3, bytes: 0, refused: 0 });
    await expect.poll(() => errors.length).toBe(1);
    pacer.counted('ios', 'search', { requests: 4, bytes: 0, refused: 0 });
    await pacer.close();
    expect(await counted()).toMatchObject([{ requests: 7n }]);
  });
});
