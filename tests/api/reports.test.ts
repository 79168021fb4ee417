import { pino } from 'pino';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { startApi, type Account, type Credential, type TestApi } from '../harness/api.ts';
import { describeTables, insertApp } from './keywords.fixtures.ts';
import { openReport, secretOf } from './reports.fixtures.ts';

const now = '2026-11-21T12:00:00.000Z';
const password = 'lantern-quilt-harbour-7';
let logged = '';
let api: TestApi;
let me: Account;
let appId: number;

beforeAll(async () => {
  const log = pino({ level: 'trace' }, { write: (line: string) => (logged += line) });
  api = await startApi({ services: { log } });
});
afterAll(() => api.close());
beforeEach(async () => {
  api.clock.set(now);
  me = await api.signUp();
  appId = (await insertApp(api, me)).id;
});

const share = (body: object = {}, who: Credential = me) =>
  api.ok('POST /reports', { body: { appId, name: 'November', ...body } }, who);
const tryToShare = (body: object, who: Credential = me, headers: Record<string, string> = {}) =>
  api.raw(
    '/reports',
    {
      method: 'POST',
      body: JSON.stringify({ appId, name: 'November', ...body }),
      headers: { 'content-type': 'application/json', ...headers },
    },
    who,
  );
const list = async (query: { appId?: number } = {}, who: Credential = me) =>
  api.ok('GET /reports', { query }, who);
const remove = (id: number, who: Credential = me) =>
  api.call('DELETE /reports/{id}', { params: { id } }, who);
const open = (url: string | undefined, opening = {}) => openReport(api, secretOf(url), opening);
const statusOf = async (url: string | undefined, opening = {}) => (await open(url, opening)).status;
const errorOf = async (url: string | undefined, opening = {}) => {
  const { status, body } = await open(url, opening);
  return [status, body.code, body.message];
};
const notFound = [404, 'not_found', 'The resource does not exist.'];

describe('a shared report', () => {
  test('is created with a link, and listed without it, the newest first', async () => {
    const { id: otherAppId } = await insertApp(api, me);
    const { url, ...first } = await share({ name: ' November ' });
    expect(first).toEqual({
      id: expect.any(Number),
      appId,
      name: 'November',
      country: null,
      device: null,
      days: 30,
      hasPassword: false,
      createdBy: me.email,
      createdAt: now,
      expiresAt: null,
      lastOpenedAt: null,
    });
    expect(url).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/report#[\w-]{43}$/);
    const all = { country: 'de', device: 'ipad', days: 365, expiresAt: '2026-12-01T00:00:00Z' };
    const { url: _, ...second } = await share({ ...all, password });
    expect(second).toMatchObject({ ...all, hasPassword: true, expiresAt: expect.any(String) });
    const { url: __, ...third } = await share({ appId: otherAppId });
    expect(await list()).toEqual({ items: [third, second, first], nextCursor: null, total: 3 });
    expect((await list({ appId })).items).toEqual([second, first]);
    expect((await list({}, await api.signUp())).items).toEqual([]);
    const member = await api.signUp({ workspaceId: me.workspaceId, role: 'member' });
    expect((await list({}, member)).total).toBe(3);
    expect((await share({}, member)).createdBy).toBe(member.email);
    // Somebody who leaves, and keeps an account in another workspace.
    await api.db.pool.query("insert into memberships values ($1, $2, 'member', now())", [
      (await api.signUp()).workspaceId,
      member.userId,
    ]);
    const params = { id: member.userId };
    await api.ok('DELETE /workspace/members/{id}', { params }, me);
    const authors = (await list()).items.map(({ createdBy }) => createdBy);
    expect(authors).toEqual([null, me.email, me.email, me.email]);
  });

  test('has its secret behind the # of the link and nowhere else', async () => {
    const made = await tryToShare({ password });
    expect(made.headers.get('cache-control')).toBe('no-store');
    const secret = secretOf(made.body.url);
    expect(made.text.split(secret)).toHaveLength(2);
    expect(new URL(made.body.url).hash).toBe(`#${secret}`);
    expect((await open(made.body.url, { password })).status).toBe(200);
    const { text } = await api.raw('/reports', {}, me);
    expect(text).not.toMatch(/url|hash|secret/i);
    const stored = await everyRow();
    for (const word of [secret, Buffer.from(secret).toString('hex'), password])
      expect(stored).not.toContain(word);
    const { rows } = await api.db.pool.query(
      'select length(secret_hash) as length from reports where workspace_id = $1',
      [me.workspaceId],
    );
    expect(rows).toEqual([{ length: 32 }]);
  });

  test('is neither logged with its secret nor with its password', async () => {
    const { url } = await share({ password });
    logged = '';
    await open(url, { password });
    await open(url, { password: 'a wrong guess of it' });
    await openReport(api, `${secretOf(url)}x`);
    expect(logged).toContain('POST /reports/open');
    for (const text of [secretOf(url), password, 'a wrong guess'])
      expect(logged).not.toContain(text);
  });

  test('is created once with an Idempotency-Key, whose replay has no link', async () => {
    const send = () => tryToShare({}, me, { 'idempotency-key': 'once' });
    const [first, again] = [await send(), await send()];
    expect([first.status, again.status]).toEqual([201, 201]);
    expect(first.body.url).toEqual(expect.any(String));
    expect(again.body).toEqual({ ...first.body, url: undefined });
    expect((await list()).total).toBe(1);
    expect(await everyRow()).not.toContain(secretOf(first.body.url));
  });

  test('stops to be readable at once when it is deleted', async () => {
    const [kept, deleted] = [await share(), await share()];
    expect([await statusOf(kept.url), await statusOf(deleted.url)]).toEqual([200, 200]);
    expect((await remove(deleted.id)).body).toEqual({ id: deleted.id, deleted: true });
    expect(await errorOf(deleted.url)).toEqual(notFound);
    expect(await statusOf(kept.url)).toBe(200);
    expect((await remove(deleted.id)).status).toBe(404);
    expect((await list()).items.map(({ id }) => id)).toEqual([kept.id]);
  });

  test('is recorded in the audit log when it is created and deleted', async () => {
    const { id, url } = await share({ password });
    await remove(id);
    const { items } = await api.ok('GET /workspace/audit', null, me);
    expect(items).toMatchObject([
      { action: 'report.deleted', subject: `report ${id}`, detail: { name: 'November' } },
      { action: 'report.created', subject: `report ${id}`, detail: { name: 'November', appId } },
    ]);
    expect(JSON.stringify(items)).not.toContain(secretOf(url));
  });

  test('is not created for bad input, and nothing is written', async () => {
    const foreign = await insertApp(api, await api.signUp());
    const archived = await insertApp(api, me);
    await api.ok('DELETE /apps/{id}', { params: { id: archived.id } }, me);
    const before = await describeTables(api);
    const cases: [object, number, string?][] = [
      [{ appId: foreign.id }, 404],
      [{ appId: 2_147_483_000 }, 404],
      [{ appId: archived.id }, 400, 'appId'],
      [{ expiresAt: now }, 400, 'expiresAt'],
      [{ expiresAt: '2020-01-01T00:00:00Z' }, 400, 'expiresAt'],
      [{ expiresAt: 'tomorrow' }, 400, 'expiresAt'],
      [{ device: 'phone' }, 400, 'device'],
      [{ device: 'fridge' }, 400, 'device'],
      [{ country: 'Germany' }, 400, 'country'],
      [{ days: 6 }, 400, 'days'],
      [{ days: 366 }, 400, 'days'],
      [{ name: ' ' }, 400, 'name'],
      [{ name: 'a\0b' }, 400, 'body'],
      [{ name: 'x'.repeat(81) }, 400, 'name'],
      [{ password: 'short' }, 400, 'password'],
    ];
    for (const [body, status, path] of cases) {
      const refused = await tryToShare(body);
      expect([body, refused.status, refused.body.issues?.[0].path]).toEqual([body, status, path]);
    }
    expect(await describeTables(api)).toEqual(before);
  });

  test('needs a session, but a token lists and deletes it', async () => {
    const { id } = await share();
    const [token, reader] = [await api.token(me), await api.token(me, { readOnly: true })];
    expect((await tryToShare({}, token)).status).toBe(403);
    expect((await list({}, reader)).total).toBe(1);
    expect((await remove(id, reader)).body.code).toBe('read_only_token');
    expect((await remove(id, token)).status).toBe(200);
  });

  test('of another workspace is 404 like an unknown one', async () => {
    const { id } = await share();
    const stranger = await api.signUp();
    expect((await remove(id, stranger)).status).toBe(404);
    expect((await list({ appId }, stranger)).items).toEqual([]);
    expect((await list()).total).toBe(1);
  });
});

describe('100 reports are the limit of a workspace', () => {
  const fill = (count: number, expiresAt: string | null) =>
    api.db.pool.query(
      `insert into reports (workspace_id, app_id, name, days, secret_hash, created_at, expires_at)
       select $1, $2, 'report', 30, sha256(random()::text::bytea), now(), $4
       from generate_series(1, $3::int) n`,
      [me.workspaceId, appId, count, expiresAt],
    );

  test('also when two people create the last one at once', async () => {
    await fill(99, null);
    const made = await Promise.all(['a', 'b', 'c'].map((name) => tryToShare({ name })));
    expect(made.map(({ status }) => status).toSorted()).toEqual([201, 400, 400]);
    expect(made.find(({ status }) => status === 400)!.body.issues).toMatchObject([
      { path: 'name', message: 'at most 100 reports; delete one first', actual: 101, limit: 100 },
    ]);
    expect((await list()).total).toBe(100);
  });

  test('of which expired ones are none: the next report deletes them', async () => {
    await fill(60, '2026-11-21T11:59:59Z');
    await fill(60, '2026-11-21T12:00:01Z');
    expect((await list()).total).toBe(60);
    await share();
    const { rows } = await api.db.pool.query(
      'select count(*)::int as count from reports where workspace_id = $1',
      [me.workspaceId],
    );
    expect([rows[0].count, (await list()).total]).toEqual([61, 61]);
  });
});

describe('a link', () => {
  test('that is unknown or almost right is refused, and nothing is written', async () => {
    const { url } = await share();
    const secret = secretOf(url);
    const before = await describeTables(api);
    const almost = [
      secret.slice(1),
      `${secret}A`,
      ` ${secret}`,
      `${secret}\n`,
      `#${secret}`,
      secret.slice(0, -1) + (secret.endsWith('A') ? 'B' : 'A'),
      secret.toUpperCase(),
      'A'.repeat(43),
      '../../reports',
      "' or true --",
      'é'.repeat(43),
    ];
    for (const token of almost) {
      const { status, body } = await openReport(api, token);
      expect([token, status, body.code, body.message]).toEqual([token, ...notFound]);
    }
    for (const token of [null, undefined, 1, true, '', [secret], { secret }, 'A'.repeat(10_000)]) {
      const { status, body } = await openReport(api, token);
      expect([token, status, body.issues[0].path]).toEqual([token, 400, 'token']);
    }
    for (const token of [`${secret.slice(0, -1)}\0`, `${secret}\ud800`])
      expect((await openReport(api, token)).body.issues[0].path).toBe('body');
    for (const word of [null, 1, '', ['x'], 'x'.repeat(513)])
      expect((await open(url, { password: word })).status).toBe(400);
    expect(await describeTables(api)).toEqual(before);
  });

  test('works until it expires, and then responds like an unknown one', async () => {
    const { url } = await share({ expiresAt: '2026-11-22T00:00:00.000Z' });
    const opened = await open(url);
    expect([opened.status, opened.body.expiresAt]).toEqual([200, '2026-11-22T00:00:00.000Z']);
    api.clock.set('2026-11-21T23:59:59.999Z');
    expect(await statusOf(url)).toBe(200);
    api.clock.set('2026-11-22T00:00:00.000Z');
    expect(await errorOf(url)).toEqual(notFound);
    expect((await list()).items).toEqual([]);
  });

  test('needs no account, and responds with what no cache stores', async () => {
    const { url } = await share();
    const { status, headers } = await open(url);
    expect([status, headers.get('cache-control')]).toEqual([200, 'no-store']);
    expect([headers.get('etag'), headers.get('set-cookie')]).toEqual([null, null]);
    const guest = await api.signUp();
    expect((await api.call('POST /reports/open', openingOf(url), guest)).status).toBe(200);
    const other = { headers: { origin: 'https://evil.example.org' } };
    expect((await api.call('POST /reports/open', openingOf(url), other)).status).toBe(403);
  });

  const openingOf = (url: string | undefined) => ({ body: { token: secretOf(url) } });

  test('is 404 while the app is archived, and for good once it is deleted', async () => {
    const { url } = await share();
    const params = { id: appId };
    await api.ok('DELETE /apps/{id}', { params }, me);
    expect(await errorOf(url)).toEqual(notFound);
    await api.ok('POST /apps/{id}/restore', { params }, me);
    expect(await statusOf(url)).toBe(200);
    await api.ok('DELETE /apps/{id}', { params, query: { purge: 'true' } }, me);
    expect(await errorOf(url)).toEqual(notFound);
    expect((await list()).items).toEqual([]);
  });

  test('into a suspended or deleted workspace is refused without its reason', async () => {
    const { url } = await share();
    const update = 'update workspaces set suspended_at = $2, suspended_reason = $3 where id = $1';
    await api.db.pool.query(update, [me.workspaceId, api.clock.now(), 'unpaid bills']);
    const refused = await open(url);
    expect([refused.status, refused.body.code, refused.body.message]).toEqual([
      403,
      'workspace_suspended',
      'This report is not available at the moment.',
    ]);
    expect(refused.text).not.toContain('unpaid');
    await api.db.pool.query(update, [me.workspaceId, null, null]);
    const confirmName = `${me.email.split('@')[0]}’s workspace`;
    await api.ok('DELETE /workspace', { body: { confirmName } }, me);
    expect((await open(url)).body.code).toBe('workspace_suspended');
    await api.ok('POST /workspace/restore', null, me);
    expect(await statusOf(url)).toBe(200);
  });

  test('notes when it was opened, at most once a minute', async () => {
    const { url } = await share({ password });
    const lastOpenedAt = async () => (await list()).items[0]!.lastOpenedAt;
    await open(url);
    await open(url, { password: 'a wrong guess' });
    expect(await lastOpenedAt()).toBeNull();
    await open(url, { password });
    expect(await lastOpenedAt()).toBe(now);
    api.clock.advance(60_000);
    await open(url, { password });
    expect(await lastOpenedAt()).toBe(now);
    api.clock.advance(1);
    await open(url, { password });
    expect(await lastOpenedAt()).toBe('2026-11-21T12:01:00.001Z');
  });
});

describe('a password', () => {
  test('is needed to read the report, and a missing one has another message', async () => {
    const { url } = await share({ password });
    const missing = [401, 'unauthenticated', 'This report has a password. Enter it to read on.'];
    const wrong = [401, 'unauthenticated', 'This is not the password of the report.'];
    expect(await errorOf(url)).toEqual(missing);
    expect(await errorOf(url, { password: `${password} ` })).toEqual(wrong);
    expect(await errorOf(url, { password: me.password })).toEqual(wrong);
    const refused = await open(url, { password: 'a guess' });
    expect(Object.keys(refused.body).toSorted()).toEqual(
      ['code', 'error', 'message', 'path', 'statusCode', 'timestamp'].toSorted(),
    );
    expect(await statusOf(url, { password })).toBe(200);
    expect(await statusOf((await share()).url, { password })).toBe(200);
  });

  test('is guessed ten times in a quarter of an hour from an address, not more', async () => {
    const [{ url }, { url: other }] = [await share({ password }), await share({ password })];
    const address = '127.31.0.1';
    const guesses = await Promise.all(
      Array.from({ length: 14 }, (_, index) => open(url, { password: `guess ${index}`, address })),
    );
    const codes = guesses.map(({ body }) => body.code).toSorted();
    expect(codes).toEqual([
      ...Array<string>(4).fill('auth_throttled'),
      ...Array<string>(10).fill('unauthenticated'),
    ]);
    // The right one too; without a password there is nothing to guess.
    expect(await statusOf(url, { password, address })).toBe(429);
    expect(await statusOf(url, { address })).toBe(401);
    expect(await statusOf(other, { password, address })).toBe(200);
    expect(await statusOf(url, { password, address: '127.31.0.2' })).toBe(200);
    api.clock.advance(15 * 60_000);
    expect(await statusOf(url, { password, address })).toBe(200);
  });

  test('that is right uses up no guess', async () => {
    const { url } = await share({ password });
    for (let times = 0; times < 12; times += 1)
      expect(await statusOf(url, { password, address: '127.31.1.1' })).toBe(200);
  });
});

test('an address opens reports 30 times a minute, whether or not they exist', async () => {
  const { url } = await share();
  const address = '127.32.0.1';
  const half = Array.from({ length: 20 }, (_, index) => index);
  const statuses = await Promise.all([
    ...half.map(() => statusOf(url, { address })),
    ...half.map(async () => (await openReport(api, 'A'.repeat(43), { address })).status),
  ]);
  expect(statuses.filter((status) => status === 429)).toHaveLength(10);
  const refused = await open(url, { address });
  expect(refused.body).toMatchObject({ code: 'auth_throttled', retryAfterSeconds: 60 });
  expect(await statusOf(url, { address: '127.32.0.2' })).toBe(200);
  api.clock.advance(60_000);
  expect(await statusOf(url, { address })).toBe(200);
});

test('a lapsed workspace keeps its reports and deletes them, and creates none', async () => {
  const { url } = await share();
  const billed = await startApi({
    db: api.db,
    deps: { authSecret: api.authSecret },
    settings: { billingEnabled: true },
  });
  try {
    await api.db.pool.query(
      "update workspaces set status = 'lapsed', plan = 'indie' where id = $1",
      [me.workspaceId],
    );
    const refused = await billed.call('POST /reports', { body: { appId, name: 'one more' } }, me);
    expect([refused.status, refused.body.code]).toEqual([402, 'no_live_plan']);
    expect((await openReport(billed, secretOf(url))).status).toBe(200);
    const { items } = await billed.ok('GET /reports', null, me);
    expect(items).toHaveLength(1);
    await billed.ok('DELETE /reports/{id}', { params: { id: items[0]!.id } }, me);
    expect((await openReport(billed, secretOf(url))).status).toBe(404);
  } finally {
    await billed.close();
  }
});

/** All rows of the database, as text. */
async function everyRow(): Promise<string> {
  const { rows } = await api.db.pool.query(
    `select tablename as name from pg_tables where schemaname = 'public'`,
  );
  const texts = rows.map(
    ({ name }) => `select coalesce(string_agg(t::text, ' '), '') as text from "${name}" t`,
  );
  const found = await api.db.pool.query(texts.join(' union all '));
  return found.rows.map(({ text }) => text as string).join('\n');
}
