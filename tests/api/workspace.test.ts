import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { UsageCounter } from '../../src/api/limits/usage.ts';
import { operations } from '../../src/contract/index.ts';
import { recordUsage } from '../../src/domain/workspaces/usage.ts';
import { startApi, type Account, type TestApi } from '../harness/api.ts';
import { cpuMsOf } from '../harness/cpu-time.ts';
import { describeTables, insertApp } from './keywords-arrange.ts';

let api: TestApi;
beforeAll(async () => {
  api = await startApi();
});
afterAll(() => api.close());

const nameOf = async (account: Account) => (await api.ok('GET /workspace', null, account)).name;

describe('deleting a workspace', () => {
  test('takes everything of its own with it, ends its credentials at once and asks the stores for nothing more', async () => {
    const ann = await api.signUp();
    const member = await api.signUp({ workspaceId: ann.workspaceId, role: 'member' });
    const bob = await api.signUp();
    await api.db.pool.query("insert into memberships (workspace_id, user_id, role) values ($1, $2, 'member')", [bob.workspaceId, member.userId]);
    const token = await api.token(ann);
    for (const [person, phrases] of [
      [ann, ['shared words', 'only ann']],
      [bob, ['shared words']],
    ] as const) {
      const app = await insertApp(api, person, { storeAppId: '4711' });
      await api.ok('POST /apps/{id}/keywords', { params: { id: app.id }, body: { phrases: [...phrases], countries: ['us'] } }, person);
    }
    await api.ok('PATCH /settings', { body: { digestHour: 4 } }, ann);
    await api.ok('POST /workspace/invites', { body: { email: 'late@example.org' } }, ann);
    const answer = await api.call('DELETE /workspace', { body: { confirmName: await nameOf(ann) } }, ann);
    expect([answer.status, answer.body]).toEqual([200, { id: ann.workspaceId, deleted: true }]);
    for (const credential of [ann, token, member]) expect((await api.call('GET /workspace', null, credential)).status).toBe(401);
    const { rows: tables } = await api.db.pool.query(
      `select c.relname as name from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attname = 'workspace_id'
       where c.relkind = 'r' and c.relnamespace = 'public'::regnamespace`,
    );
    for (const { name } of tables) {
      const { rows } = await api.db.pool.query(`select count(*)::int as left from ${name} where workspace_id = $1`, [ann.workspaceId]);
      expect([name, rows[0].left]).toEqual([name, 0]);
    }
    const { rows: demand } = await api.db.pool.query(
      'select m.phrase, s.depth > 0 as wanted from markets m join market_schedule s on s.market_id = m.id order by 1',
    );
    expect(demand).toEqual([
      { phrase: 'only ann', wanted: false },
      { phrase: 'shared words', wanted: true },
    ]);
    const { rows: people } = await api.db.pool.query('select id from users where id = any($1) order by 1', [[ann.userId, member.userId, bob.userId]]);
    expect(people.map((row) => row.id)).toEqual([member.userId, bob.userId]);
  });

  test('needs its exact name, its owner and a session; else nothing is written', async () => {
    const ann = await api.signUp();
    const member = await api.signUp({ workspaceId: ann.workspaceId, role: 'member' });
    const token = await api.token(ann);
    const body = { confirmName: await nameOf(ann) };
    await api.call('GET /workspace', null, token);
    const before = await describeTables(api, ['tokens']);
    const wrong = await api.call('DELETE /workspace', { body: { confirmName: body.confirmName.toUpperCase() } }, ann);
    expect([wrong.status, wrong.body.issues[0].path]).toEqual([400, 'confirmName']);
    expect((await api.raw('/workspace', { method: 'DELETE' }, ann)).status).toBe(400);
    for (const credential of [member, token]) expect((await api.call('DELETE /workspace', { body }, credential)).body.code).toBe('forbidden');
    expect(await describeTables(api, ['tokens'])).toEqual(before);
  });

  test('the last workspace of an instance leaves it as new', async () => {
    const alone = await startApi({ config: { signUp: 'invite' } });
    const ann = await alone.signUp();
    expect((await alone.ok('GET /auth/state')).needsFirstUser).toBe(false);
    await alone.ok('DELETE /workspace', { body: { confirmName: (await alone.ok('GET /workspace', null, ann)).name } }, ann);
    expect((await alone.ok('GET /auth/state')).needsFirstUser).toBe(true);
    await alone.close();
  });
});

describe('use of the API', () => {
  const flush = (on: TestApi) => on.app.api.limits.usage.flush((counts) => recordUsage(on.services, counts));

  test('is counted by day, class and token, stored or not, and a refusal of too many counts for nothing', async () => {
    const ann = await api.signUp();
    const token = await api.token(ann);
    await api.ok('PATCH /settings', { body: { digestHour: 4 } }, ann);
    for (let count = 0; count < 3; count += 1) await api.ok('GET /settings', null, token);
    expect((await api.call('PATCH /settings', { body: { digestHour: 99 } }, token)).status).toBe(400);
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
    // The read before has been counted by now.
    expect((await read()).days[1]).toEqual({ date: '2026-11-21', read: 4, write: 2, store: 0, total: 6 });
    const ofToken = await api.ok('GET /workspace/usage', { query: { from: '2026-11-21', tokenId: token.id } }, ann);
    expect(ofToken.days[0]!.total).toBe(4);
  });

  test('on demand tells what was used in the window that is open, and when it opens again', async () => {
    const metered = await startApi({ settings: { billingEnabled: true } });
    const ann = await metered.signUp();
    const other = await metered.signUp();
    const { id } = await insertApp(metered, ann);
    await metered.ok('POST /apps/{id}/run-daily', { params: { id } }, ann);
    await flush(metered);
    await metered.ok('POST /apps/{id}/run-daily', { params: { id } }, ann);
    expect((await metered.call('POST /apps/{id}/run-daily', { params: { id: 999_999 } }, ann)).status).toBe(404);
    const used = async (account: Account) => (await metered.ok('GET /workspace/usage', null, account)).onDemand;
    expect(await used(ann)).toEqual([
      { kind: 'refresh', window: 'day', used: 0, limit: 50, resetAt: '2026-11-22T00:00:00.000Z' },
      { kind: 'run-daily', window: 'day', used: 2, limit: 5, resetAt: '2026-11-22T00:00:00.000Z' },
      { kind: 'score', window: 'day', used: 0, limit: 100, resetAt: '2026-11-22T00:00:00.000Z' },
      { kind: 'suggestions', window: 'hour', used: 0, limit: 60, resetAt: '2026-11-21T13:00:00.000Z' },
    ]);
    expect((await used(other)).map((row) => row.used)).toEqual([0, 0, 0, 0]);
    metered.clock.advance(86_400_000);
    expect((await used(ann)).map((row) => row.used)).toEqual([0, 0, 0, 0]);
    await metered.close();
  });

  test('members see no names of others’ tokens, and nobody sees another workspace', async () => {
    const ann = await api.signUp();
    const member = await api.signUp({ workspaceId: ann.workspaceId, role: 'member' });
    const token = await api.token(ann);
    await api.ok('GET /settings', null, token);
    await flush(api);
    const seen = await api.ok('GET /workspace/usage', null, member);
    expect(seen.tokens.find((row) => row.tokenId === token.id)).toMatchObject({ name: null, total: 1 });
    const stranger = await api.signUp();
    expect((await api.ok('GET /workspace/usage', { query: { tokenId: token.id } }, stranger)).tokens).toEqual([]);
  });

  test('what cannot be stored is counted on, and nothing is counted twice', async () => {
    const ann = await api.signUp();
    await api.ok('GET /settings', null, ann);
    const { usage } = api.app.api.limits;
    await expect(usage.flush(() => Promise.reject(new Error('the database is away')))).rejects.toThrow('away');
    await api.ok('GET /settings', null, ann);
    await Promise.all([flush(api), flush(api)]);
    await flush(api);
    expect((await api.ok('GET /workspace/usage', null, ann)).days.at(-1)).toMatchObject({ read: 2, total: 2 });
  });

  test('two processes add up, and the counts of a deleted workspace stop nobody’s', async () => {
    const second = await startApi({ db: api.db, deps: { authSecret: api.authSecret } });
    const [ann, gone] = [await api.signUp(), await api.signUp()];
    await api.ok('GET /settings', null, gone);
    await api.ok('DELETE /workspace', { body: { confirmName: await nameOf(gone) } }, gone);
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
      actor: { kind: 'token' as const, userId: 1, tokenId: index, role: 'owner' as const, email: 'a@b.c', operator: false, readOnly: false },
    }));
    const cpuMs = cpuMsOf(() => {
      for (let count = 0; count < 20_000; count += 1) counter.count(identities[count % 1_000]!, operations['GET /settings'], 200, now);
    });
    expect(cpuMs / 20_000).toBeLessThan(0.05);
    expect(counter.pending().requests).toHaveLength(1_000);
  });

  test('a range of over 400 days, a token that is no id and unknown members are refused', async () => {
    const ann = await api.signUp();
    for (const query of ['from=2020-01-01', 'tokenId=0', 'tokenId=x', 'more=1', 'from=2026-11-22&to=2026-11-21']) {
      expect([query, (await api.raw(`/workspace/usage?${query}`, {}, ann)).status]).toEqual([query, 400]);
    }
  });
});
