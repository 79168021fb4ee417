import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { operations } from '#contract/index.ts';
import type { Operation } from '#contract/operation.ts';
import {
  startApi,
  testPassword,
  type Account,
  type Credential,
  type RawResponse,
  type TestApi,
} from '../harness/api.ts';
import { describeTables } from './keywords.fixtures.ts';

const absent = 2_147_483_000;
const day = 86_400_000;
const sessionOverlapMs = 5_000;
let api: TestApi;
let caller = 0;
beforeAll(async () => {
  api = await startApi();
});
afterAll(() => api.close());

const send = (
  path: string,
  method: string,
  body: unknown,
  credential: Credential | null,
  headers: Record<string, string> = {},
) =>
  api.raw(
    path,
    {
      method,
      body: JSON.stringify(body),
      headers: { 'content-type': 'application/json', ...headers },
    },
    credential,
  );
const choose = (workspaceId: unknown, who: Credential) =>
  send('/auth/session/workspace', 'PUT', { workspaceId }, who);
const cookieOf = (response: RawResponse): Credential => ({
  headers: {
    cookie: response.headers.get('set-cookie')!.split(';')[0]!,
    'sec-fetch-site': 'same-origin',
  },
});
// Each from an address of its own: throttling is tested elsewhere.
const signIn = (email: string) =>
  send('/auth/sign-in', 'POST', { email, password: testPassword }, null, {
    'x-forwarded-for': `127.30.0.${(caller += 1)}`,
    'sec-fetch-site': 'same-origin',
  });

/** A person with a workspace of their own who joined another one too. */
async function joinAnother(
  role: 'owner' | 'member' = 'member',
  on = api,
): Promise<{ ann: Account; host: Account }> {
  const host = await on.signUp();
  const ann = await on.signUp();
  await join(ann, host.workspaceId, role);
  return { ann, host };
}

async function join(person: Account, workspaceId: number, role: 'owner' | 'member'): Promise<void> {
  await api.db.pool.query(
    `insert into memberships (workspace_id, user_id, role, created_at) values ($1, $2, $3, $4)`,
    [workspaceId, person.userId, role, new Date(api.clock.now().getTime() + 1_000)],
  );
}
const idOf = async (who: Credential, on = api) =>
  (await on.ok('GET /auth/session', null, who)).workspace.id;
const change = (text: string, workspaceId: number) =>
  api.db.pool.query(`update workspaces set ${text} where id = $1`, [workspaceId]);

describe('the workspaces of a person', () => {
  test('are listed with role and state in the order joined, and which is current', async () => {
    const { ann, host } = await joinAnother();
    await change(`delete_at = '2026-12-05T00:00:00Z'`, host.workspaceId);
    const listed = await api.ok('GET /auth/workspaces', null, ann);
    expect(listed).toMatchObject({ nextCursor: null, total: 2 });
    expect(listed.items.map(({ name: _, ...row }) => row)).toEqual([
      { id: ann.workspaceId, role: 'owner', state: 'live', deleteAt: null, current: true },
      {
        id: host.workspaceId,
        role: 'member',
        state: 'suspended',
        deleteAt: '2026-12-05T00:00:00.000Z',
        current: false,
      },
    ]);
    expect((await api.ok('GET /auth/workspaces', null, host)).items.map(({ id }) => id)).toEqual([
      host.workspaceId,
    ]);
  });

  test('are not available to tokens', async () => {
    const { ann, host } = await joinAnother();
    for (const token of [await api.token(ann), await api.token(ann, { readOnly: true })]) {
      const responses = [
        await api.call('GET /auth/workspaces', null, token),
        await choose(host.workspaceId, token),
      ];
      expect(responses.map(({ status }) => status)).toEqual([403, 403]);
    }
    expect(await idOf(ann)).toBe(ann.workspaceId);
  });
});

describe('switching workspace', () => {
  test('creates a session with the role there and the old one’s age and expiry', async () => {
    const { ann, host } = await joinAnother();
    const [before] = (await api.ok('GET /auth/sessions', null, ann)).items;
    api.clock.advance(3 * day);
    const response = await choose(host.workspaceId, ann);
    expect([response.status, response.body]).toEqual([
      200,
      {
        id: host.workspaceId,
        name: expect.any(String),
        role: 'member',
        state: 'live',
        deleteAt: null,
        current: true,
      },
    ]);
    const moved = cookieOf(response);
    expect(moved.headers['cookie']).not.toBe(ann.headers['cookie']);
    expect(response.headers.get('set-cookie')).toMatch(
      /; Path=\/; Max-Age=2332800; HttpOnly; SameSite=Lax$/,
    );
    expect(await api.ok('GET /auth/session', null, moved)).toMatchObject({
      role: 'member',
      workspace: { id: host.workspaceId },
    });
    const { items } = await api.ok('GET /auth/sessions', null, moved);
    expect(items).toEqual([
      {
        ...before!,
        id: items[0]!.id,
        lastSeenAt: api.clock.now().toISOString(),
        expiresAt: expect.any(String),
        address: '127.0.0.1',
        userAgent: 'node',
      },
    ]);
    const { rows } = await api.db.pool.query(
      'select expires_at - created_at = $2 as same from sessions where id = $1',
      [items[0]!.id, '30 days'],
    );
    expect(rows).toEqual([{ same: true }]);
    expect(await idOf(cookieOf(await choose(ann.workspaceId, moved)))).toBe(ann.workspaceId);
  });

  test('ends the old session, whose running requests still finish', async () => {
    const { ann, host } = await joinAnother();
    const moved = cookieOf(await choose(host.workspaceId, ann));
    expect([await idOf(ann), await idOf(moved)]).toEqual([ann.workspaceId, host.workspaceId]);
    const again = await choose(host.workspaceId, ann);
    expect([again.status, again.headers.get('set-cookie')]).toEqual([401, null]);
    api.clock.advance(sessionOverlapMs);
    expect((await api.call('GET /auth/session', null, ann)).status).toBe(401);
    expect(await idOf(moved)).toBe(host.workspaceId);
    // No session lasts for ever.
    await choose(ann.workspaceId, moved);
    const { rows } = await api.db.pool.query(
      'select count(*)::int as count from sessions where user_id = $1',
      [ann.userId],
    );
    expect(rows).toEqual([{ count: 2 }]);
  });

  test('takes effect at once in every process, despite caches', async () => {
    const start = () =>
      startApi({
        db: api.db,
        clock: api.clock,
        deps: { authSecret: api.authSecret, credentialCacheMs: 60_000 },
      });
    const [one, other] = [await start(), await start()];
    const { ann, host } = await joinAnother('member', one);
    expect([await idOf(ann, one), await idOf(ann, other)]).toEqual([
      ann.workspaceId,
      ann.workspaceId,
    ]);
    const moved = cookieOf(
      await one.raw(
        '/auth/session/workspace',
        {
          method: 'PUT',
          body: JSON.stringify({ workspaceId: host.workspaceId }),
          headers: { 'content-type': 'application/json' },
        },
        ann,
      ),
    );
    expect([await idOf(moved, one), await idOf(moved, other)]).toEqual([
      host.workspaceId,
      host.workspaceId,
    ]);
    await Promise.all([one.close(), other.close()]);
  });

  test('succeeds once of twenty at once, and the others leave nothing', async () => {
    const { ann, host } = await joinAnother();
    const responses = await Promise.all(
      Array.from({ length: 20 }, () => choose(host.workspaceId, ann)),
    );
    expect(responses.map(({ status }) => status).toSorted()).toEqual([
      200,
      ...Array.from({ length: 19 }, () => 401),
    ]);
    const { rows } = await api.db.pool.query(
      'select count(*)::int as count from sessions where user_id = $1',
      [ann.userId],
    );
    expect(rows).toEqual([{ count: 2 }]);
  });

  test('to the current one changes nothing', async () => {
    const { ann } = await joinAnother();
    const before = await describeTables(api);
    const response = await choose(ann.workspaceId, ann);
    expect([response.status, response.body.current, response.headers.get('set-cookie')]).toEqual([
      200,
      true,
      null,
    ]);
    expect(await describeTables(api)).toEqual(before);
  });

  test('returns the same 404 for others’, former and deleted ones as for unknown ids', async () => {
    const { ann, host } = await joinAnother();
    const stranger = await api.signUp();
    await api.ok('DELETE /workspace/members/{id}', { params: { id: ann.userId } }, host);
    const { ann: guest, host: gone } = await joinAnother();
    await api.db.pool.query('delete from workspaces where id = $1', [gone.workspaceId]);
    const before = await describeTables(api);
    const bare = ({ status, body, headers }: RawResponse) => [
      status,
      { ...body, timestamp: null },
      headers.get('set-cookie'),
    ];
    const nobodys = bare(await choose(absent, ann));
    expect(nobodys).toEqual([404, expect.objectContaining({ code: 'not_found' }), null]);
    for (const id of [host.workspaceId, stranger.workspaceId])
      expect(bare(await choose(id, ann))).toEqual(nobodys);
    expect(bare(await choose(gone.workspaceId, guest))).toEqual(nobodys);
    expect(await describeTables(api)).toEqual(before);
  });

  test('refuses an invalid id, a foreign origin and anonymous requests', async () => {
    const { ann, host } = await joinAnother();
    const before = await describeTables(api);
    const deep = Array.from({ length: 100 }).reduce<unknown>((inner) => ({ a: inner }), 1);
    for (const id of [null, '5', 0, -1, 1.5, 2 ** 53, true, [], {}, deep, undefined])
      expect([id, (await choose(id, ann)).status]).toEqual([id, 400]);
    const more = await send(
      '/auth/session/workspace',
      'PUT',
      { workspaceId: host.workspaceId, role: 'owner' },
      ann,
    );
    const elsewhere = await choose(host.workspaceId, {
      headers: { ...ann.headers, 'sec-fetch-site': 'cross-site' },
    });
    const nobody = await choose(host.workspaceId, { headers: {} });
    expect([more.status, elsewhere.status, nobody.status]).toEqual([400, 403, 401]);
    expect(await describeTables(api)).toEqual(before);
  });

  test('leaves a suspended workspace, and enters a deleted one to restore it', async () => {
    const { ann, host } = await joinAnother('owner');
    await change('suspended_at = now()', ann.workspaceId);
    await change(`delete_at = '2026-12-20T00:00:00Z'`, host.workspaceId);
    const moved = cookieOf(await choose(host.workspaceId, ann));
    expect((await api.call('PATCH /workspace', { body: { name: 'kept' } }, moved)).status).toBe(
      403,
    );
    expect(await api.ok('POST /workspace/restore', null, moved)).toMatchObject({
      id: host.workspaceId,
      state: 'live',
      deleteAt: null,
    });
    expect((await api.call('PATCH /workspace', { body: { name: 'kept' } }, moved)).status).toBe(
      200,
    );
  });

  test('does not work for a removed member', async () => {
    const { ann, host } = await joinAnother();
    const moved = cookieOf(await choose(host.workspaceId, ann));
    await api.ok('DELETE /workspace/members/{id}', { params: { id: ann.userId } }, host);
    expect((await api.call('GET /auth/session', null, moved)).status).toBe(401);
    expect(await idOf(cookieOf(await signIn(ann.email)))).toBe(ann.workspaceId);
  });
});

describe('a page that shows another workspace than the session’s', () => {
  const header = 'x-toprung-workspace';
  /** Ann’s session in another workspace, and a request of a page that shows her own. */
  async function openBeside() {
    const { ann, host } = await joinAnother('owner');
    const moved = cookieOf(await choose(host.workspaceId, ann));
    const sendAs = (who: Credential, path: string, value: string, init: RequestInit = {}) =>
      api.raw(path, { ...init, headers: { ...init.headers, [header]: value } }, who);
    return { ann, host, moved, sendAs };
  }

  test('reads and writes nothing there', async () => {
    const { ann, host, moved, sendAs } = await openBeside();
    const before = await describeTables(api);
    const headers = { 'content-type': 'application/json' };
    const requests: [string, RequestInit?][] = [
      ['/settings'],
      ['/settings', { method: 'PATCH', headers, body: '{"defaultDepth":50}' }],
      ['/alerts/rules', { method: 'PUT', headers, body: '{"rules":[]}' }],
      ['/tokens', { method: 'POST', headers, body: '{"name":"one"}' }],
      ['/workspace', { method: 'DELETE' }],
    ];
    for (const [path, init] of requests) {
      const refused = await sendAs(moved, path, String(ann.workspaceId), init);
      expect([path, refused.status, refused.body.code]).toEqual([path, 409, 'workspace_switched']);
    }
    expect(await describeTables(api)).toEqual(before);
    expect((await sendAs(moved, '/settings', String(host.workspaceId))).status).toBe(200);
    // The old session, which still finishes its requests, is in the workspace of the page.
    expect((await sendAs(ann, '/settings', String(ann.workspaceId))).status).toBe(200);
  });

  test('is refused by every operation but those of session and account', async () => {
    const { ann, moved, sendAs } = await openBeside();
    const all = Object.entries<Operation>(operations);
    const own = all.filter(([, { inAnyWorkspace }]) => inAnyWorkspace).map(([key]) => key);
    const ofSession = all.filter(([key, { rateClass }]) => {
      return key.includes(' /auth/') && rateClass !== 'auth';
    });
    expect(own).toEqual(ofSession.map(([key]) => key));
    for (const path of ['/auth/session', '/auth/sessions', '/auth/workspaces', '/auth/state'])
      expect([path, (await sendAs(moved, path, String(ann.workspaceId))).status]).toEqual([
        path,
        200,
      ]);
    const others = all.filter(
      ([key, { rateClass, hidden, metered }]) =>
        !own.includes(key) && rateClass !== 'auth' && !hidden && !metered,
    );
    expect(others.length).toBeGreaterThan(200);
    for (const [key] of others) {
      const [method, path] = key.split(' ') as [string, string];
      const filled = path.replace(/\{\w+\}/g, '1');
      const { status } = await sendAs(moved, filled, String(ann.workspaceId), { method });
      expect([key, status]).toEqual([key, 409]);
    }
    const back = await sendAs(moved, '/auth/session/workspace', String(ann.workspaceId), {
      method: 'PUT',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ workspaceId: ann.workspaceId }),
    });
    expect(await idOf(cookieOf(back))).toBe(ann.workspaceId);
  });

  test('sends a header that is refused when it is no id', async () => {
    const { moved, sendAs } = await openBeside();
    for (const value of ['', '0', '-1', '1.5', '1e3', 'x', '1, 2', '01', '9'.repeat(17), '\u00b2'])
      expect([value, await sendAs(moved, '/settings', value)]).toMatchObject([
        value,
        { status: 400, body: { issues: [{ path: `headers.${header}`, code: 'wrong_form' }] } },
      ]);
    expect((await sendAs(moved, '/settings', '9'.repeat(16))).status).toBe(409);
    expect((await api.raw('/settings', { headers: { [header]: 'x' } })).status).toBe(401);
  });

  test('concerns sessions only: a token belongs to one workspace', async () => {
    const { ann, host, sendAs } = await openBeside();
    const token = await api.token(ann);
    for (const value of [String(host.workspaceId), 'x'])
      expect((await sendAs(token, '/settings', value)).status).toBe(200);
  });
});

describe('signing in', () => {
  const opened = async (person: Account) => idOf(cookieOf(await signIn(person.email)));

  test('opens the workspace joined first, unless it is suspended or deleted', async () => {
    const { ann, host } = await joinAnother();
    await api.db.pool.query('delete from sessions where user_id = $1', [ann.userId]);
    expect(await opened(ann)).toBe(ann.workspaceId);
    await change('suspended_at = now()', ann.workspaceId);
    expect(await opened(ann)).toBe(host.workspaceId);
    await change('delete_at = now()', host.workspaceId);
    expect(await opened(ann)).toBe(ann.workspaceId);
    await change('suspended_at = null', ann.workspaceId);
    await change('delete_at = null', host.workspaceId);
    await change('delete_at = now()', ann.workspaceId);
    expect(await opened(ann)).toBe(host.workspaceId);
  });

  test('opens the workspace used last, as far as sessions show', async () => {
    const { ann, host } = await joinAnother();
    api.clock.advance(60_000);
    await choose(host.workspaceId, ann);
    api.clock.advance(60_000);
    expect(await opened(ann)).toBe(host.workspaceId);
    await change('suspended_at = now()', host.workspaceId);
    expect(await opened(ann)).toBe(ann.workspaceId);
  });
});

test('sessions of all workspaces of the person are listed and can be ended', async () => {
  const { ann, host } = await joinAnother();
  const there = cookieOf(await choose(host.workspaceId, ann));
  api.clock.advance(sessionOverlapMs);
  await api.db.pool.query(`update workspaces set suspended_at = now() where id = $1`, [
    host.workspaceId,
  ]);
  const here = cookieOf(await signIn(ann.email));
  const ids = async (who: Credential) =>
    (await api.ok('GET /auth/sessions', null, who)).items.map(({ id }) => id);
  const ownOf = async (who: Credential) =>
    (await api.ok('GET /auth/sessions', null, who)).items.find(({ current }) => current)!.id;
  const [hereId, thereId] = [await ownOf(here), await ownOf(there)];
  expect((await ids(here)).toSorted()).toEqual([hereId, thereId].toSorted());
  expect(await ids(there)).toEqual(await ids(here));
  for (const id of await ids(host))
    expect((await api.call('DELETE /auth/sessions/{id}', { params: { id } }, here)).status).toBe(
      404,
    );
  expect(await api.ok('DELETE /auth/sessions/{id}', { params: { id: thereId } }, here)).toEqual({
    id: thereId,
    deleted: true,
  });
  expect((await api.call('GET /auth/session', null, there)).status).toBe(401);
  expect(await ids(here)).toEqual([hereId]);
  expect(await ids(host)).toEqual([host.sessionId]);
});

describe('a switch that is under way', () => {
  /** How many connections of this database wait for a row. */
  const waiting = async () =>
    (
      await api.db.pool.query(
        `select count(*)::int as count from pg_stat_activity
         where datname = current_database() and wait_event_type = 'Lock'`,
      )
    ).rows[0].count as number;
  /** Locks a session until the returned function is called. */
  async function hold(sessionId: number): Promise<() => Promise<void>> {
    const client = await api.db.pool.connect();
    await client.query('begin');
    await client.query('select from sessions where id = $1 for update', [sessionId]);
    let isHeld = true;
    const release = async () => {
      if (!isHeld) return;
      isHeld = false;
      await client.query('rollback');
      client.release();
    };
    onTestFinished(release);
    return release;
  }
  const ownId = async (who: Credential) =>
    (await api.ok('GET /auth/sessions', null, who)).items.find(({ current }) => current)!.id;
  /** Ann with two browsers; the second one’s switch waits before it commits. */
  async function start() {
    const { ann, host } = await joinAnother();
    const second = cookieOf(await signIn(ann.email));
    const secondId = await ownId(second);
    const { rows } = await api.db.pool.query(
      `insert into sessions (id_hash, user_id, workspace_id, created_at, last_seen_at, expires_at)
       values (decode(md5(random()::text), 'hex'), $1, $2, $3, $3, $3) returning id`,
      [ann.userId, ann.workspaceId, api.clock.now()],
    );
    const release = await hold(rows[0].id);
    const switching = choose(host.workspaceId, second);
    await expect.poll(waiting).toBe(1);
    return { ann, secondId, switching, release };
  }

  test('does not save its session from the end of all others', async () => {
    const { ann, switching, release } = await start();
    const ending = api.call('DELETE /auth/sessions', null, ann);
    await expect.poll(waiting).toBe(2);
    await release();
    const moved = cookieOf(await switching);
    expect((await ending).status).toBe(200);
    expect((await api.call('GET /auth/session', null, moved)).status).toBe(401);
    expect((await api.ok('GET /auth/sessions', null, ann)).total).toBe(1);
  });

  test('is not hidden from the person who ends that session', async () => {
    const { ann, secondId, switching, release } = await start();
    const end = (id: number) => api.call('DELETE /auth/sessions/{id}', { params: { id } }, ann);
    const ending = end(secondId);
    await expect.poll(waiting).toBe(2);
    await release();
    const moved = cookieOf(await switching);
    // The list has the session that replaced it.
    expect((await ending).status).toBe(404);
    const movedId = await ownId(moved);
    const ids = (await api.ok('GET /auth/sessions', null, ann)).items.map(({ id }) => id);
    expect(ids.toSorted()).toEqual([ann.sessionId, movedId].toSorted());
    expect((await end(secondId)).status).toBe(404);
    api.clock.advance(3_600_000);
    expect((await end(secondId)).status).toBe(404);
    expect((await end(movedId)).status).toBe(200);
    expect((await api.call('GET /auth/session', null, moved)).status).toBe(401);
  });

  test('waits for a new password, which ends it', async () => {
    const { ann, host } = await joinAnother();
    const [changer, mover] = [await signIn(ann.email), await signIn(ann.email)].map(cookieOf);
    const release = await hold(ann.sessionId);
    const changing = send(
      '/auth/password',
      'POST',
      { current: testPassword, next: 'lantern-quilt-harbour-7' },
      changer!,
    );
    await expect.poll(waiting).toBe(1);
    const switching = choose(host.workspaceId, mover!);
    await expect.poll(waiting).toBe(2);
    await release();
    expect([(await changing).status, (await switching).status]).toEqual([200, 401]);
    expect((await api.ok('GET /auth/sessions', null, changer)).total).toBe(1);
  });
});
