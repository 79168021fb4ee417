import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { UsageCounter } from '#api/limits/usage-counter.ts';
import { operations } from '#contract/index.ts';
import { openSession } from '#domain/accounts/auth/open-session.ts';
import { purgeDeleted } from '#domain/accounts/auth/purge-deleted.ts';
import { purgeWorkspace } from '#domain/accounts/workspaces/purge-workspace.ts';
import { inSystem } from '#domain/base/context.ts';
import { recordUsage } from '#domain/accounts/workspaces/workspace-usage.ts';
import { startApi, type Account, type TestApi } from '../harness/api.ts';
import { cpuMsOf } from '../harness/cpu-time.ts';
import { keepOrder } from '../harness/keep-order.ts';
import { describeTables, insertApp } from './keywords.fixtures.ts';

keepOrder('the test of a deletion lists all markets, to which later tests add');

let api: TestApi;
beforeAll(async () => {
  api = await startApi();
});
afterAll(() => api.close());

/** A current session: the clock is far ahead of the first one's. */
async function signInAgain(account: Account): Promise<Account> {
  const visitor = {
    authSecret: api.authSecret,
    address: '127.0.0.1',
    userAgent: 'test',
    presentedHash: null,
  };
  const { cookie } = await inSystem(api.services, (tx) =>
    openSession(tx, api.services, account, visitor),
  );
  return { ...account, headers: { ...account.headers, cookie: `toprung_session=${cookie}` } };
}

const nameOf = async (account: Account) => (await api.ok('GET /workspace', null, account)).name;

describe('deleting a workspace', () => {
  test('stops store requests, keeps it readable for 14 days, then removes its data', async () => {
    const ann = await api.signUp();
    const member = await api.signUp({ workspaceId: ann.workspaceId, role: 'member' });
    const bob = await api.signUp();
    await api.db.pool.query(
      "insert into memberships (workspace_id, user_id, role) values ($1, $2, 'member')",
      [bob.workspaceId, member.userId],
    );
    const token = await api.token(ann);
    for (const [person, phrases] of [
      [ann, ['shared words', 'only ann']],
      [bob, ['shared words']],
    ] as const) {
      const app = await insertApp(api, person, { storeAppId: '4711' });
      await api.ok(
        'POST /apps/{id}/keywords',
        { params: { id: app.id }, body: { phrases: [...phrases], countries: ['us'] } },
        person,
      );
    }
    await api.ok('PATCH /settings', { body: { digestHour: 4 } }, ann);
    await api.ok('POST /workspace/invites', { body: { email: 'late@example.org' } }, ann);
    const started = api.clock.now();
    const purgeAt = '2026-12-05T12:00:00.000Z';
    const response = await api.call(
      'DELETE /workspace',
      { body: { confirmName: await nameOf(ann) } },
      ann,
    );
    expect([response.status, response.body]).toEqual([
      200,
      { id: ann.workspaceId, deleted: true, purgeAt },
    ]);
    // Like a suspension: no store requests, no tokens, and people can read until the date that they
    // see.
    const markets = async () =>
      (
        await api.db.pool.query(
          'select m.phrase, s.depth > 0 as requested from markets m join market_schedule s on ' +
            's.market_id = m.id order by 1',
        )
      ).rows;
    const afterwards = [
      { phrase: 'only ann', requested: false },
      { phrase: 'shared words', requested: true },
    ];
    expect(await markets()).toEqual(afterwards);
    expect((await api.call('GET /workspace', null, token)).status).toBe(401);
    for (const person of [ann, member]) {
      expect((await api.call('GET /workspace', null, person)).body).toMatchObject({
        state: 'suspended',
        suspension: null,
        deleteAt: purgeAt,
      });
      const refused = await api.call('POST /tokens', { body: { name: 'x' } }, person);
      expect([refused.body.code, refused.body.message]).toEqual([
        'workspace_suspended',
        expect.stringMatching(`${purgeAt}.*An owner can restore it`),
      ]);
    }
    expect(
      (await api.ok('GET /workspace/audit', { query: { action: 'workspace.deleted' } }, ann)).items,
    ).toMatchObject([{ actor: ann.email, detail: { purgeAt } }]);

    api.clock.set(new Date(Date.parse(purgeAt) - 1));
    expect(await purgeDeleted(api.services)).toBe(0);
    api.clock.set(new Date(purgeAt));
    // It may be purged at any moment.
    expect((await api.call('POST /workspace/restore', null, await signInAgain(ann))).status).toBe(
      404,
    );
    const gone = await Promise.all([purgeDeleted(api.services), purgeDeleted(api.services)]);
    expect(gone.toSorted()).toEqual([0, 1]);
    api.clock.set(started);
    for (const credential of [ann, token, member])
      expect((await api.call('GET /workspace', null, credential)).status).toBe(401);
    const { rows: tables } = await api.db.pool.query(
      `select c.relname as name from pg_class c join pg_attribute a on a.attrelid = c.oid
         and a.attname = 'workspace_id'
       where c.relkind = 'r' and c.relnamespace = 'public'::regnamespace`,
    );
    for (const { name } of tables) {
      const { rows } = await api.db.pool.query(
        `select count(*)::int as left from ${name} where workspace_id = $1`,
        [ann.workspaceId],
      );
      expect([name, rows[0].left]).toEqual([name, 0]);
    }
    expect(await markets()).toEqual(afterwards);
    const { rows: people } = await api.db.pool.query(
      'select id from users where id = any($1) order by 1',
      [[ann.userId, member.userId, bob.userId]],
    );
    expect(people.map((row) => row.id)).toEqual([member.userId, bob.userId]);
  });

  test('is undone by an owner in a browser within 14 days, with tokens and runs', async () => {
    const ann = await api.signUp();
    const member = await api.signUp({ workspaceId: ann.workspaceId, role: 'member' });
    const token = await api.token(ann);
    const { id } = await insertApp(api, ann, { storeAppId: '4712' });
    await api.ok(
      'POST /apps/{id}/keywords',
      { params: { id }, body: { phrases: ['kept words'], countries: ['us'] } },
      ann,
    );
    const isRequested = async () =>
      (
        await api.db.pool.query(
          'select s.depth > 0 as requested from markets m join market_schedule s on s.market_id ' +
            "= m.id where m.phrase = 'kept words'",
        )
      ).rows[0].requested;
    const listed = async () =>
      (
        await api.db.pool.query('select in_daily_run from workspaces where id = $1', [
          ann.workspaceId,
        ])
      ).rows[0].in_daily_run;
    await api.ok('DELETE /workspace', { body: { confirmName: await nameOf(ann) } }, ann);
    expect([await isRequested(), await listed()]).toEqual([false, false]);
    const before = await describeTables(api);
    expect((await api.call('POST /workspace/restore', null, member)).body.code).toBe('forbidden');
    expect([
      (await api.call('POST /workspace/restore', null, token)).status,
      (await api.call('POST /workspace/restore')).status,
    ]).toEqual([401, 401]);
    // Deleting it again is refused like every write.
    expect(
      (await api.call('DELETE /workspace', { body: { confirmName: await nameOf(ann) } }, ann))
        .status,
    ).toBe(403);
    expect(await describeTables(api)).toEqual(before);
    expect(await api.ok('POST /workspace/restore', null, ann)).toMatchObject({
      id: ann.workspaceId,
      state: 'live',
      deleteAt: null,
    });
    expect([
      await isRequested(),
      await listed(),
      (await api.call('GET /workspace', null, token)).status,
    ]).toEqual([true, true, 200]);
    const after = await describeTables(api, ['tokens']);
    expect((await api.call('POST /workspace/restore', null, ann)).status).toBe(200);
    expect((await api.call('POST /workspace/restore', null, token)).body.code).toBe('forbidden');
    expect(await describeTables(api, ['tokens'])).toEqual(after);
    api.clock.advance(15 * 86_400_000);
    expect(await purgeDeleted(api.services)).toBe(0);
    api.clock.advance(-15 * 86_400_000);
  });

  test('retries a failed purge later as a whole, without delaying others', async () => {
    const [ann, bob] = [await api.signUp(), await api.signUp()];
    const { id } = await insertApp(api, ann, { storeAppId: '4713' });
    await api.ok(
      'POST /apps/{id}/keywords',
      { params: { id }, body: { phrases: ['whole words'], countries: ['us'] } },
      ann,
    );
    const own = () =>
      api.db.pool.query('select from keywords where workspace_id = $1', [ann.workspaceId]);
    for (const person of [ann, bob])
      await api.ok('DELETE /workspace', { body: { confirmName: await nameOf(person) } }, person);
    await api.db.pool.query(
      'create table guard (workspace_id int references workspaces); insert into guard values ' +
        `(${ann.workspaceId})`,
    );
    api.clock.advance(14 * 86_400_000);
    expect([await purgeDeleted(api.services), (await own()).rowCount]).toEqual([1, 1]);
    await api.db.pool.query('drop table guard');
    expect(await purgeDeleted(api.services)).toBe(1);
    api.clock.advance(-14 * 86_400_000);
    const { rows } = await api.db.pool.query('select id from workspaces where id = any($1)', [
      [ann.workspaceId, bob.workspaceId],
    ]);
    expect(rows).toEqual([]);
  });

  test('of a large one is final from its first step, which the next ones continue', async () => {
    const started = api.clock.now();
    onTestFinished(() => api.clock.set(started));
    const ann = await api.signUp();
    const { id } = await insertApp(api, ann, { storeAppId: '4714' });
    const { added } = await api.ok(
      'POST /apps/{id}/keywords',
      { params: { id }, body: { phrases: ['many days'], countries: ['us'] } },
      ann,
    );
    await api.db.pool.query(
      `insert into imported_daily_ranks (workspace_id, keyword_id, listing_id, on_date, depth)
       select a.workspace_id, $2, a.listing_id, date '2026-01-01' - n, 200
       from apps a, generate_series(1, 12000) n where a.id = $1`,
      [id, added[0]!.id],
    );
    await api.ok('DELETE /workspace', { body: { confirmName: await nameOf(ann) } }, ann);
    const purge = (isTimeOver: boolean) =>
      purgeWorkspace(api.services, ann.workspaceId, () => isTimeOver);
    const countRanks = async () => {
      const { rows } = await api.db.pool.query(
        'select count(*)::int as count from imported_daily_ranks where workspace_id = $1',
        [ann.workspaceId],
      );
      return rows[0].count;
    };
    expect([await purge(true), await countRanks()]).toEqual([false, 12_000]);
    api.clock.advance(14 * 86_400_000);
    expect([await purge(true), await countRanks()]).toEqual([false, 7_000]);
    // A clock that was ahead: nobody gets back a workspace without some of its rows.
    api.clock.advance(-86_400_000);
    expect((await api.call('POST /workspace/restore', null, await signInAgain(ann))).status).toBe(
      404,
    );
    expect([await purge(true), await countRanks()]).toEqual([false, 2_000]);
    expect([await purge(false), await countRanks()]).toEqual([true, 0]);
    api.clock.set(started);
    expect((await api.call('GET /workspace', null, ann)).status).toBe(401);
  });

  test('of many takes a second at a time, and the next call continues', async () => {
    const { rows } = await api.db.pool.query(
      `insert into workspaces (name, status, delete_at)
       select 'many', 'live', $1 from generate_series(1, 5) returning id`,
      [api.clock.now()],
    );
    let nowMs = api.clock.now().getTime();
    const clock = { now: () => new Date((nowMs += 300)), sleep: () => Promise.resolve() };
    const services = { ...api.services, clock };
    const gone = [await purgeDeleted(services), await purgeDeleted(services)];
    expect(gone.every((count) => count > 0 && count < 5)).toBe(true);
    while ((await purgeDeleted(services)) > 0);
    const left = await api.db.pool.query('select from workspaces where id = any($1)', [
      rows.map((row) => row.id),
    ]);
    expect(left.rowCount).toBe(0);
  });

  test('needs its exact name, an owner and a session, and otherwise writes nothing', async () => {
    const ann = await api.signUp();
    const member = await api.signUp({ workspaceId: ann.workspaceId, role: 'member' });
    const token = await api.token(ann);
    const body = { confirmName: await nameOf(ann) };
    await api.call('GET /workspace', null, token);
    const before = await describeTables(api, ['tokens']);
    const wrong = await api.call(
      'DELETE /workspace',
      { body: { confirmName: body.confirmName.toUpperCase() } },
      ann,
    );
    expect([wrong.status, wrong.body.issues[0].path]).toEqual([400, 'confirmName']);
    expect((await api.raw('/workspace', { method: 'DELETE' }, ann)).status).toBe(400);
    for (const credential of [member, token])
      expect((await api.call('DELETE /workspace', { body }, credential)).body.code).toBe(
        'forbidden',
      );
    expect(await describeTables(api, ['tokens'])).toEqual(before);
  });

  test('of the last workspace leaves the instance as new', async () => {
    const alone = await startApi({ config: { signUp: 'invite' } });
    const ann = await alone.signUp();
    expect((await alone.ok('GET /auth/state')).needsFirstUser).toBe(false);
    await alone.ok(
      'DELETE /workspace',
      { body: { confirmName: (await alone.ok('GET /workspace', null, ann)).name } },
      ann,
    );
    alone.clock.advance(14 * 86_400_000);
    expect(await purgeDeleted(alone.services)).toBe(1);
    expect((await alone.ok('GET /auth/state')).needsFirstUser).toBe(true);
    await alone.close();
  });
});

describe('use of the API', () => {
  const flush = (on: TestApi) =>
    on.app.api.limits.usage.flush((counts) => recordUsage(on.services, counts));

  test('is counted by day, class and token, without requests over the limit', async () => {
    const ann = await api.signUp();
    const token = await api.token(ann);
    await api.ok('PATCH /settings', { body: { digestHour: 4 } }, ann);
    for (let count = 0; count < 3; count += 1) await api.ok('GET /settings', null, token);
    expect((await api.call('PATCH /settings', { body: { digestHour: 99 } }, token)).status).toBe(
      400,
    );
    const read = () => api.ok('GET /workspace/usage', { query: { from: '2026-11-20' } }, ann);
    const fresh = await read();
    expect([fresh.from, fresh.to, fresh.days.length]).toEqual(['2026-11-20', '2026-11-21', 2]);
    expect(fresh.days).toEqual([
      { date: '2026-11-20', read: 0, write: 0, store: 0, total: 0 },
      { date: '2026-11-21', read: 3, write: 2, store: 0, total: 5 },
    ]);
    expect(fresh.tokens).toEqual([
      { tokenId: token.id, name: 'test', read: 3, write: 1, store: 0, total: 4 },
      { tokenId: null, name: null, read: 0, write: 1, store: 0, total: 1 },
    ]);
    await flush(api);
    // The earlier read has been counted by now.
    expect((await read()).days[1]).toEqual({
      date: '2026-11-21',
      read: 4,
      write: 2,
      store: 0,
      total: 6,
    });
    const ofToken = await api.ok(
      'GET /workspace/usage',
      { query: { from: '2026-11-21', tokenId: token.id } },
      ann,
    );
    expect(ofToken.days[0]!.total).toBe(4);
  });

  test('on demand shows what was used in the window and when it resets', async () => {
    const metered = await startApi({ settings: { billingEnabled: true } });
    const ann = await metered.signUp();
    const other = await metered.signUp();
    const { id } = await insertApp(metered, ann);
    await metered.ok('POST /apps/{id}/run-daily', { params: { id } }, ann);
    await flush(metered);
    await metered.ok('POST /apps/{id}/run-daily', { params: { id } }, ann);
    expect(
      (await metered.call('POST /apps/{id}/run-daily', { params: { id: 999_999 } }, ann)).status,
    ).toBe(404);
    const used = async (account: Account) =>
      (await metered.ok('GET /workspace/usage', null, account)).onDemand;
    expect(await used(ann)).toEqual([
      { kind: 'refresh', window: 'day', used: 0, limit: 50, resetAt: '2026-11-22T00:00:00.000Z' },
      {
        kind: 'run-daily',
        window: 'day',
        used: 2,
        limit: 5,
        resetAt: '2026-11-22T00:00:00.000Z',
      },
      { kind: 'score', window: 'day', used: 0, limit: 100, resetAt: '2026-11-22T00:00:00.000Z' },
      {
        kind: 'suggestions',
        window: 'hour',
        used: 0,
        limit: 60,
        resetAt: '2026-11-21T13:00:00.000Z',
      },
    ]);
    expect((await used(other)).map((row) => row.used)).toEqual([0, 0, 0, 0]);
    metered.clock.advance(86_400_000);
    expect((await used(ann)).map((row) => row.used)).toEqual([0, 0, 0, 0]);
    await metered.close();
  });

  test('hides token names from members, and everything from other workspaces', async () => {
    const ann = await api.signUp();
    const member = await api.signUp({ workspaceId: ann.workspaceId, role: 'member' });
    const token = await api.token(ann);
    await api.ok('GET /settings', null, token);
    await flush(api);
    const seen = await api.ok('GET /workspace/usage', null, member);
    expect(seen.tokens.find((row) => row.tokenId === token.id)).toMatchObject({
      name: null,
      total: 1,
    });
    const stranger = await api.signUp();
    expect(
      (await api.ok('GET /workspace/usage', { query: { tokenId: token.id } }, stranger)).tokens,
    ).toEqual([]);
  });

  test('is counted later if it cannot be stored, and never twice', async () => {
    const ann = await api.signUp();
    await api.ok('GET /settings', null, ann);
    const { usage } = api.app.api.limits;
    await expect(
      usage.flush(() => Promise.reject(new Error('the database is away'))),
    ).rejects.toThrow('away');
    await api.ok('GET /settings', null, ann);
    await Promise.all([flush(api), flush(api)]);
    await flush(api);
    expect((await api.ok('GET /workspace/usage', null, ann)).days.at(-1)).toMatchObject({
      read: 2,
      total: 2,
    });
  });

  test('adds up over two processes, and deleted workspaces do not block others', async () => {
    const second = await startApi({ db: api.db, deps: { authSecret: api.authSecret } });
    const [ann, gone] = [await api.signUp(), await api.signUp()];
    await api.ok('GET /settings', null, gone);
    await api.db.pool.query('delete from workspaces where id = $1', [gone.workspaceId]);
    await api.ok('GET /settings', null, ann);
    await second.ok('GET /settings', null, ann);
    await Promise.all([flush(api), flush(second)]);
    expect((await second.ok('GET /workspace/usage', null, ann)).days.at(-1)!.total).toBe(2);
    await second.close();
  });

  test('counting costs less than 0.05 ms a request', () => {
    const counter = new UsageCounter();
    const now = new Date('2026-11-21T12:00:00Z');
    const identities = Array.from({ length: 1_000 }, (_, index) => ({
      workspaceId: index % 100,
      workspaceState: 'live' as const,
      plan: null,
      expiresAt: null,
      actor: {
        kind: 'token' as const,
        userId: 1,
        tokenId: index,
        role: 'owner' as const,
        email: 'a@b.c',
        operator: false,
        readOnly: false,
      },
    }));
    const cpuMs = cpuMsOf(() => {
      for (let count = 0; count < 20_000; count += 1)
        counter.count(identities[count % 1_000]!, operations['GET /settings'], true, now);
    });
    expect(cpuMs / 20_000).toBeLessThan(0.05);
    expect(counter.pending().requests).toHaveLength(1_000);
  });

  test('refuses ranges over 400 days, invalid token ids and unknown members', async () => {
    const ann = await api.signUp();
    for (const query of [
      'from=2020-01-01',
      'tokenId=0',
      'tokenId=x',
      'more=1',
      'from=2026-11-22&to=2026-11-21',
    ]) {
      expect([query, (await api.raw(`/workspace/usage?${query}`, {}, ann)).status]).toEqual([
        query,
        400,
      ]);
    }
  });
});
