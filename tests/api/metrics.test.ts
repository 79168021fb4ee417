import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { apiVersion } from '#contract/index.ts';
import { openDatabase } from '#db/database.ts';
import { openPool } from '#db/pool.ts';
import { insertRun } from '#db/queries/runs/runs.ts';
import { checkCapacity } from '#domain/scheduling/health/check-capacity.ts';
import { silentLogger } from '#lib/logger.ts';
import { startApi, type TestApi } from '../harness/api.ts';
import { seedHistory } from '../harness/history.ts';

let api: TestApi;
beforeAll(async () => {
  api = await startApi({ settings: { operatorEmails: ['me@example.org'] } });
});
afterAll(() => api.close());

const seriesOf = (text: string) =>
  [...text.matchAll(/^(toprung_\w+)(\{[^}]*\})? (\S+)$/gm)].map(
    ([, name, labels = '', value]) => `${name}${labels} ${value}`,
  );

describe('Prometheus metrics', () => {
  it('are text with help, and include the day’s run', async () => {
    const me = await api.signUp({ email: 'me@example.org' });
    await seedHistory(api.db.pool, {
      workspaceId: me.workspaceId,
      apps: 1,
      markets: 12,
      days: 2,
      lastDay: '2026-11-20',
    });
    await api.db.pool.query(
      'insert into field_drifts (store, source, field, began_at, ended_at) values ' +
        `('ios', 'page', 'subtitle', '2026-11-20T02:00:00Z', null), ` +
        `('ios', 'page', 'rating', '2026-11-20T02:00:00Z', '2026-11-20T03:00:00Z')`,
    );
    const response = await api.raw('/metrics', {}, me);
    expect([response.status, response.headers.get('content-type')]).toEqual([
      200,
      expect.stringMatching(/^text\/plain/),
    ]);
    const series = seriesOf(response.text);
    expect(series).toContain('toprung_database_up 1');
    expect(series).toContain(`toprung_info{version="${apiVersion}"} 1`);
    expect(series.find((line) => line.startsWith('toprung_markets_due{store="ios"}'))).toBe(
      'toprung_markets_due{store="ios"} 12',
    );
    expect(series.filter((line) => line.includes('drifting'))).toEqual([
      'toprung_field_drifting{store="ios",source="page",field="subtitle"} 1',
    ]);
    for (const line of series) expect(response.text).toContain(`# HELP ${line.split(/[ {]/)[0]} `);
  });

  it('report a run that was not opened, and none before the first run', async () => {
    const own = await startApi({ settings: { operatorEmails: ['me@example.org'] } });
    const operator = await own.signUp({ email: 'me@example.org' });
    const find = async (name: string) =>
      seriesOf((await own.raw('/metrics', {}, operator)).text).find((line) =>
        line.startsWith(`toprung_${name} `),
      );
    const missed = () => find('run_missed');
    const open = (date: string) => insertRun(own.db.systemDb, { ...none, date });
    const none = { openedAt: own.clock.now(), pressure: {}, shed: {} };
    expect(await missed()).toBeUndefined();
    await open('2026-11-23');
    own.clock.set('2026-11-24T02:59:00Z');
    expect(await missed()).toBe('toprung_run_missed 0');
    own.clock.set('2026-11-24T03:00:00Z');
    expect(await missed()).toBe('toprung_run_missed 1');
    await open('2026-11-24');
    expect(await missed()).toBe('toprung_run_missed 0');
    // It stays missed over midnight.
    own.clock.set('2026-11-26T00:00:00Z');
    expect(await missed()).toBe('toprung_run_missed 1');
    // A run of a later day, from a clock that was ahead, is not one of today.
    await open('2027-03-01');
    expect(await missed()).toBe('toprung_run_missed 1');
    expect(await find('run_opened')).toBe('toprung_run_opened 0');
    await open('2026-11-26');
    expect(await missed()).toBe('toprung_run_missed 0');
    expect(await find('run_opened')).toBe('toprung_run_opened 1');
    await own.close();
  });

  it('report a missed run whose hour ends after midnight', async () => {
    const own = await startApi({
      settings: { operatorEmails: ['me@example.org'], dailyRunAtMinutes: 23 * 60 + 30 },
    });
    const operator = await own.signUp({ email: 'me@example.org' });
    const missedAt = async (at: string) => {
      own.clock.set(at);
      return seriesOf((await own.raw('/metrics', {}, operator)).text).find((line) =>
        line.startsWith('toprung_run_missed'),
      );
    };
    const opened = { openedAt: own.clock.now(), pressure: {}, shed: {} };
    await insertRun(own.db.systemDb, { ...opened, date: '2026-11-23' });
    expect(await missedAt('2026-11-24T23:59:00Z')).toBe('toprung_run_missed 0');
    expect(await missedAt('2026-11-25T00:00:00Z')).toBe('toprung_run_missed 1');
    expect(await missedAt('2026-11-25T22:00:00Z')).toBe('toprung_run_missed 1');
    await own.close();
  });

  it('show the pace of the endpoints in use as it is now, without that of pictures', async () => {
    const endpoint = (name: string) => ({ name, consecutiveFailures: 0, unavailableUntil: null });
    const settings = {
      operatorEmails: ['pace@example.org'],
      egress: () => [endpoint('a:1'), endpoint('b:1')],
    };
    const paced = await startApi({ db: api.db, settings });
    const operator = await paced.signUp({ email: 'pace@example.org' });
    await api.db.pool.query(`
      insert into pacing (store, host, endpoint, interval_us, next_at, slow_factor, recovered_at)
      values ('ios', '', 'a:1', 4000000, now(), 4, now() - interval '11 minutes'),
        ('ios', '', 'b:1', 4000000, now(), 16, now() - interval '1 day'),
        ('ios', '', 'given-up:1', 4000000, now(), 16, now()),
        ('ios', 'is1-ssl.mzstatic.com', 'a:1', 4000000, now(), 16, now()),
        ('android', '', 'a:1', 4000000, now(), 16, now() - interval '1 day')`);
    const { text } = await paced.raw('/metrics', {}, operator);
    expect(seriesOf(text).filter((line) => line.includes('_pace_'))).toEqual([
      'toprung_store_pace_factor{store="ios"} 3.2',
      'toprung_store_pace_factor{store="android"} 1',
    ]);
    await api.db.pool.query('delete from pacing');
    await paced.close();
  });

  it('say that the database is down to whoever may be allowed, and nothing else', async () => {
    const pool = openPool({
      url: 'postgres://x:y@127.0.0.1:1/none',
      role: 'system',
      max: 2,
      statementTimeoutMs: 1_000,
      log: silentLogger,
    });
    const cut = await startApi({ db: api.db, services: { systemDb: openDatabase(pool) } });
    const token = await api.token(await api.signUp(), { readOnly: true });
    const response = await cut.raw('/metrics', {}, token);
    expect([response.status, seriesOf(response.text)]).toEqual([200, ['toprung_database_up 0']]);
    expect((await cut.raw('/admin/queues', {}, token)).status).toBe(503);
    const forged = { headers: { authorization: 'Bearer toprung_dead' } };
    expect((await cut.raw('/metrics', {}, forged)).status).toBe(404);
    expect((await cut.raw('/metrics')).status).toBe(404);
    await cut.close();
    await pool.end();
  });

  it('leave out what cannot be read', async () => {
    const broken = await startApi({
      db: api.db,
      config: { signUp: 'invite' },
      services: {
        queueCapacity: { usedBytes: () => Promise.reject(new Error('away')), capBytes: 7 },
      },
    });
    const me = await broken.signUp();
    await broken.db.pool.query('delete from workspaces where id <> $1', [me.workspaceId]);
    const names = seriesOf((await broken.raw('/metrics', {}, me)).text).map(
      (line) => line.split(/[ {]/)[0],
    );
    expect(names).toContain('toprung_queue_capacity_bytes');
    expect(names).not.toContain('toprung_queue_used_bytes');
    expect(names).not.toContain('toprung_queue_waiting');
    await broken.close();
  });

  it('say that a queue does not respond, and nothing then about its writes', async () => {
    const read = async (
      backend: 'redis' | 'postgres',
      isWritable: () => Promise<boolean | null>,
    ) => {
      const queue = { backend, waiting: () => Promise.resolve(null), isWritable };
      const shown = await startApi({
        db: api.db,
        deps: { queue, authSecret: api.authSecret },
        settings: { operatorEmails: ['me@example.org'] },
      });
      const series = seriesOf((await shown.raw('/metrics', {}, operator)).text);
      await shown.close();
      return series.filter((line) => /_queue_(up|writable)/.test(line));
    };
    const operator = await api.signUp({ email: 'queue@example.org' });
    await api.db.pool.query('update users set operator = true where id = $1', [operator.userId]);
    const of = (up: number, writable?: number, backend = 'redis') => [
      `toprung_queue_up{backend="${backend}"} ${up}`,
      ...(writable === undefined
        ? []
        : [`toprung_queue_writable{backend="${backend}"} ${writable}`]),
    ];
    expect(await read('redis', () => Promise.resolve(true))).toEqual(of(1, 1));
    expect(await read('redis', () => Promise.resolve(false))).toEqual(of(1, 0));
    expect(await read('redis', () => Promise.resolve(null))).toEqual(of(0));
    expect(await read('redis', () => Promise.reject(new Error('away')))).toEqual(of(0));
    expect(await read('postgres', () => Promise.resolve(null))).toEqual(of(1, 1, 'postgres'));
  });

  it('include the size of the database, and its budget if set', async () => {
    const read = async (diskBudgetBytes: number) => {
      const email = `budget-${diskBudgetBytes}@example.org`;
      const metered = await startApi({
        db: api.db,
        settings: { operatorEmails: [email], diskBudgetBytes },
      });
      const me = await metered.signUp({ email });
      const series = seriesOf((await metered.raw('/metrics', {}, me)).text).filter((line) =>
        line.includes('_storage_'),
      );
      await metered.close();
      return series;
    };
    expect(await read(0)).toEqual([
      expect.stringMatching(/^toprung_storage_used_bytes [1-9]\d{6,}$/),
    ]);
    expect(await read(5_000_000_000)).toContain('toprung_storage_budget_bytes 5000000000');
  });

  it('are hidden from members, anonymous users, and owners where operators exist', async () => {
    const shared = await startApi({
      db: api.db,
      settings: { operatorEmails: ['op@example.org', 'guest@example.org'] },
    });
    const [owner, member, operator] = [
      await shared.signUp(),
      await shared.signUp({ role: 'member' }),
      await shared.signUp({ email: 'op@example.org' }),
    ];
    const absent = await shared.raw('/no-such-route', {}, owner);
    for (const credential of [owner, member, null]) {
      const response = await shared.raw('/metrics', {}, credential);
      expect([response.status, response.body.code, response.body.message]).toEqual([
        404,
        absent.body.code,
        absent.body.message,
      ]);
    }
    const workspace = { workspaceId: owner.workspaceId, role: 'member' } as const;
    const guest = await shared.signUp({ email: 'guest@example.org', ...workspace });
    for (const credential of [operator, guest])
      expect((await shared.raw('/metrics', {}, credential)).status).toBe(200);
    await shared.close();
  });
});

describe('capacity that runs out', () => {
  const alertsWith = async (limits: {
    diskBudgetBytes?: number;
    queue?: number | null;
    systemDb?: typeof api.services.systemDb;
  }) => {
    const said: unknown[][] = [];
    const say = (level: string) => (facts: { alert: string; percent: number }) =>
      said.push([level, facts.alert, facts.percent]);
    await checkCapacity({
      systemDb: limits.systemDb ?? api.db.systemDb,
      settings: { ...api.services.settings, diskBudgetBytes: limits.diskBudgetBytes ?? 0 },
      queueCapacity: { usedBytes: async () => limits.queue ?? null, capBytes: 100 },
      log: { ...silentLogger, warn: say('warn'), error: say('error') },
    });
    return said;
  };

  it('of the disk is a warning at 80 % of DISK_BUDGET_BYTES, an error at 90 %', async () => {
    const { rows } = await api.db.pool.query(
      'select pg_database_size(current_database()) as bytes',
    );
    const budgetAt = (share: number) => Math.round(Number(rows[0].bytes) / share);
    expect(await alertsWith({ diskBudgetBytes: budgetAt(0.75) })).toEqual([]);
    expect(await alertsWith({ diskBudgetBytes: budgetAt(0.855) })).toEqual([
      ['warn', 'storage.headroom.low', 85],
    ]);
    expect(await alertsWith({ diskBudgetBytes: budgetAt(0.955) })).toEqual([
      ['error', 'storage.headroom.low', 95],
    ]);
    expect(await alertsWith({})).toEqual([]);
  });

  it('of the queue store is reported alike', async () => {
    expect([
      await alertsWith({ queue: 79 }),
      await alertsWith({ queue: 80 }),
      await alertsWith({ queue: 90 }),
    ]).toEqual([[], [['warn', 'queue.memory.high', 80]], [['error', 'queue.memory.high', 90]]]);
  });

  it('is not reported where it cannot be read', async () => {
    const away = openPool({
      url: 'postgres://127.0.0.1:1/none',
      role: 'system',
      max: 1,
      statementTimeoutMs: 1_000,
      log: silentLogger,
    });
    expect(
      await alertsWith({ diskBudgetBytes: 1, queue: null, systemDb: openDatabase(away) }),
    ).toEqual([]);
    await away.end();
  });
});
