import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { z } from 'zod';
import { errorEnvelope } from '#contract/errors.ts';
import { apiVersion, operationList, operations } from '#contract/index.ts';
import type { Operation } from '#contract/operation.ts';
import { openDatabase } from '#db/database.ts';
import { checkRoutes, routes } from '#api/routes/index.ts';
import { startApi, type Account, type Credential, type TestApi } from '../harness/api.ts';

const table = routes.map((route) => [route.key, route.operation] as const);
let api: TestApi;
let ann: Account;
beforeAll(async () => {
  // Hostile requests would use up the rate limits, so each has an address of its own.
  api = await startApi({ deps: { validateResponses: true } });
  ann = await api.signUp();
});
afterAll(() => api.close());

async function fingerprint(): Promise<Record<string, string>> {
  const { rows: tables } = await api.db.pool.query(
    "select relname as name from pg_class where relkind = 'r' and relnamespace = " +
      "'public'::regnamespace order by 1",
  );
  const ignored = new Set(['sessions', 'tokens']);
  const marks: Record<string, string> = {};
  for (const { name } of tables.filter((row) => !ignored.has(row.name))) {
    const { rows } = await api.db.pool.query(
      `select md5(coalesce(string_agg(t::text, '|' order by t::text), '')) as mark from ${name} t`,
    );
    marks[name] = rows[0].mark;
  }
  return marks;
}

describe('the route table', () => {
  const known = Object.fromEntries(table) as Record<string, Operation>;

  test('fails the start on a missing handler, contract or policy', () => {
    expect(() => checkRoutes(routes, known)).not.toThrow();
    expect(() => checkRoutes(routes.slice(1), known)).toThrow(`${routes[0]!.key} has no handler`);
    expect(() => checkRoutes([...routes, { ...routes[0]!, key: 'GET /more' }], known)).toThrow(
      'GET /more has a handler but no operation',
    );
    expect(() => checkRoutes([...routes, routes[0]!], known)).toThrow('or two');
    const [first, ...rest] = routes;
    const without = (part: Partial<Operation>) => [
      { ...first!, operation: { ...first!.operation, ...part } },
      ...rest,
    ];
    expect(() => checkRoutes(without({ rateClass: undefined as never }), known)).toThrow(
      'has no policy',
    );
    expect(() => checkRoutes(without({ readOnlyToken: undefined as never }), known)).toThrow(
      'has no policy',
    );
    expect(() => checkRoutes(without({ responses: {} }), known)).toThrow('documents no response');
  });

  test('contains every operation of the contract', () => {
    expect(routes.map((route) => route.key).toSorted()).toEqual(Object.keys(operations).toSorted());
  });
});

describe('errors take precedence in one order:', () => {
  const deadToken: Credential = { headers: { authorization: 'Bearer toprung_dead' } };
  let lapsed: TestApi;
  beforeAll(async () => {
    lapsed = await startApi({ settings: { billingEnabled: true } });
  });
  afterAll(() => lapsed.close());
  const bad = {
    method: 'PATCH',
    body: '{"nom":5',
    headers: { 'content-type': 'application/json' },
  };

  test('401 before 400, 413, 415 and 404 of a resource', async () => {
    expect((await api.raw('/workspace', bad)).status).toBe(401);
    expect(
      (await api.raw('/workspace', { ...bad, headers: { 'content-type': 'text/plain' } })).status,
    ).toBe(401);
    expect((await api.raw('/workspace', { ...bad, body: 'x'.repeat(300_000) })).status).toBe(401);
    expect((await api.raw('/tokens/999999', { method: 'DELETE' })).status).toBe(401);
  });

  test('402 before 403 and 400; 403 before 400; reading is still allowed', async () => {
    const person = await lapsed.signUp({ state: 'lapsed' });
    const reader = await lapsed.token(person, { readOnly: true });
    const write = await lapsed.raw('/workspace', bad, reader);
    expect([write.status, write.body.code, write.body.entitlement]).toEqual([
      402,
      'no_live_plan',
      { state: 'lapsed', plan: null, upgradePath: expect.any(String) },
    ]);
    expect((await lapsed.call('GET /workspace', null, reader)).status).toBe(200);
    expect((await lapsed.call('GET /auth/sessions', null, person)).status).toBe(200);
    const live = await lapsed.token(await lapsed.signUp(), { readOnly: true });
    expect((await lapsed.raw('/workspace', bad, live)).body.code).toBe('read_only_token');
  });

  test('revoking access is allowed in a lapsed workspace, for anybody’s access', async () => {
    const owner = await lapsed.signUp();
    const invited = await lapsed.ok(
      'POST /workspace/invites',
      { body: { email: 'guest@example.org' } },
      owner,
    );
    const join = () => lapsed.signUp({ workspaceId: owner.workspaceId, role: 'member' });
    const [member, leaver, leaked] = [await join(), await join(), await lapsed.token(owner)];
    const hook = await lapsed.ok(
      'POST /webhooks',
      { body: { url: 'https://example.org/hook', events: ['rank.dropped'] } },
      owner,
    );
    await lapsed.db.pool.query(
      `update workspaces set status = 'lapsed', plan = 'indie' where id = $1`,
      [owner.workspaceId],
    );
    const read = async (as: Credential) => (await lapsed.call('GET /apps', null, as)).status;
    expect([await read(leaked), await read(member), await read(leaver)]).toEqual([200, 200, 200]);
    const remove = (id: number, as: Credential) =>
      lapsed.call('DELETE /workspace/members/{id}', { params: { id } }, as);
    const responses = [
      await lapsed.call('DELETE /tokens/{id}', { params: { id: leaked.id } }, owner),
      await lapsed.call('DELETE /workspace/invites/{id}', { params: { id: invited.id } }, owner),
      await lapsed.call('DELETE /webhooks/{id}', { params: { id: hook.id } }, owner),
      await remove(owner.userId, member),
      await remove(member.userId, owner),
      await remove(leaver.userId, leaver),
    ];
    expect(responses.map(({ status }) => status)).toEqual([200, 200, 200, 403, 200, 200]);
    expect([await read(leaked), await read(member), await read(leaver), await read(owner)]).toEqual(
      [401, 401, 401, 200],
    );
    expect((await lapsed.ok('GET /workspace/invites', null, owner)).items).toEqual([]);
    // Operations that grant access are rejected as before.
    expect((await lapsed.call('POST /tokens', { body: { name: 'another' } }, owner)).status).toBe(
      402,
    );
  });

  test('a suspension before the role, and the role before 400', async () => {
    const owner = await api.signUp();
    const member = await api.signUp({ workspaceId: owner.workspaceId, role: 'member' });
    expect((await api.raw('/workspace', bad, member)).body.code).toBe('forbidden');
    await api.db.pool.query('update workspaces set suspended_at = now() where id = $1', [
      owner.workspaceId,
    ]);
    expect((await api.raw('/workspace', bad, member)).body.code).toBe('workspace_suspended');
  });

  test('400 before 404 of a resource; 429 of credentials before all but hidden paths', async () => {
    const renaming = (body: string) =>
      api.raw(
        '/tokens/999999',
        { method: 'PATCH', body, headers: { 'content-type': 'application/json' } },
        ann,
      );
    expect((await renaming('{}')).status).toBe(400);
    expect((await renaming('{"name":"x"}')).status).toBe(404);
    const throttled = await startApi({ db: api.db, deps: { authSecret: api.authSecret } });
    for (let index = 0; index < 120; index += 1) await throttled.raw('/errors', {}, deadToken);
    expect((await throttled.raw('/workspace', bad, ann)).status).toBe(429);
    expect((await throttled.raw('/docs', {}, ann)).status).toBe(404);
    await throttled.close();
  });

  test('managing sessions and passwords needs a session', async () => {
    const token = await api.token(ann);
    for (const [key, operation] of operationList.filter(([, one]) => one.sessionOnly)) {
      const [method, path] = key.split(' ') as [string, string];
      const response = await api.raw(path.replace('{id}', '999999'), { method }, token);
      expect([key, operation.rateClass, response.body.code]).toEqual([
        key,
        operation.rateClass,
        'forbidden',
      ]);
    }
  });
});

describe('hostile requests', () => {
  const values = [
    null,
    true,
    5,
    -1,
    0,
    1.5,
    1e308,
    '',
    '5',
    'x'.repeat(10_000),
    '\u0000',
    '\ud800',
    'é😀',
    [],
    {},
    [[]],
    { a: { b: {} } },
    '../../etc/passwd',
    "'; drop table apps; --",
    2 ** 53,
  ];
  const names = [
    'url',
    'store',
    'storeAppId',
    'name',
    'keywords',
    'phrases',
    'countries',
    'ids',
    'set',
    'tags',
    'archived',
    'add',
    'current',
    'email',
    'password',
    'readOnly',
    'displayName',
    'text',
  ];
  const documented = (operation: Operation, status: number) =>
    status in operation.responses ||
    [400, 401, 403, 404, 413, 415, 429, 503].includes(status) ||
    operation.rateClass === 'store';

  test('get documented errors in the envelope from every operation, writing nothing', async () => {
    // Bare POSTs without a body are well formed: accepted once a day, and their repeats change
    // nothing.
    await api.ok('POST /actions/run', null, ann);
    await api.ok('POST /briefing/visit', null, ann);
    const before = await fingerprint();
    const faults: string[] = [];
    let address = 0;
    for (const [position, [key, operation]] of table.entries()) {
      if (operation.raw || key === 'POST /auth/sign-out') continue;
      const [method, path] = key.split(' ') as [string, string];
      const ids = operation.params
        ? ['999999', '0', '-1', 'x', '%00', '1e3', '99999999999', '%ED%A0%80']
        : [''];
      const queries = [
        '',
        '?limit=x',
        '?nonsense=1',
        '?limit=1&limit=2',
        `?q=${'x'.repeat(5_000)}`,
        '?from=2026-02-30',
        '?%00=1',
        '?cursor=%F0%9F%98%80',
      ];
      const bodies =
        method === 'GET'
          ? [undefined]
          : [
              undefined,
              'null',
              '[]',
              '"x"',
              '5',
              '{',
              '['.repeat(5_000),
              ...values.map((value, index) =>
                JSON.stringify({ [names[index % names.length]!]: value }),
              ),
              ...(operation.body ? names.map((name) => JSON.stringify({ [name]: values })) : []),
            ];
      const attempts = [
        ...ids.map((id) => ({ id, query: '', body: bodies[0] })),
        ...queries.map((query) => ({ id: ids[0]!, query, body: bodies[0] })),
        ...bodies.map((body) => ({ id: ids[0]!, query: '', body })),
      ];
      // In the short form each operation gets some of the requests, and its neighbours get the
      // rest.
      for (const attempt of attempts.filter(
        (_, index) => process.env.TORTURE || (index + position) % 8 === 0,
      )) {
        address += 1;
        const bytes = [(address >> 16) & 255, (address >> 8) & 255, address & 255];
        const response = await api.raw(
          path.replace('{date}', '2026-01-01').replace(/\{\w+\}/g, attempt.id) + attempt.query,
          {
            method,
            ...(attempt.body !== undefined && { body: attempt.body }),
            headers: {
              'x-forwarded-for': `127.${bytes.join('.')}`,
              ...(attempt.body !== undefined && { 'content-type': 'application/json' }),
            },
          },
          // Ending a session or changing a password with bad input must not work, but these tests
          // need the session.
          ann,
        );
        const isError = response.status >= 400;
        const shaped =
          !isError || response.status === 503
            ? response.body !== undefined
            : errorEnvelope.safeParse(response.body).success;
        if (!documented(operation, response.status) || !shaped)
          faults.push(
            `${key} ${JSON.stringify(attempt).slice(0, 120)} → ${response.status} ` +
              `${response.text.slice(0, 200)}`,
          );
      }
    }
    expect(faults).toEqual([]);
    expect(await fingerprint()).toEqual(before);
  });
});

test('an Idempotency-Key replays a POST’s response for 24 hours, in its workspace', async () => {
  const person = await api.signUp();
  const other = await api.signUp();
  const make = (name: string, key: string, who: Account) =>
    api.raw(
      '/tokens',
      {
        method: 'POST',
        body: JSON.stringify({ name }),
        headers: { 'content-type': 'application/json', 'idempotency-key': key },
      },
      who,
    );
  const together = await Promise.all(Array.from({ length: 8 }, () => make('ci', 'key-1', person)));
  expect(together.map((response) => response.status)).toEqual(Array.from({ length: 8 }, () => 201));
  const [first, ...replays] = together.toSorted((a, b) => b.text.length - a.text.length);
  const { token, ...record } = first!.body;
  expect(token).toMatch(/^toprung_/);
  for (const replay of [...replays, await make('ci', 'key-1', person)])
    expect(replay.body).toEqual(record);
  expect((await api.ok('GET /tokens', null, person)).total).toBe(1);
  const mismatch = await make('other', 'key-1', person);
  expect([mismatch.status, mismatch.body.code]).toEqual([400, 'idempotency_mismatch']);
  expect((await make('ci', 'key-1', other)).body.id).not.toBe(together[0]!.body.id);
  expect((await make('ci', 'a b', person)).status).toBe(400);
  // A refusal is not stored: the corrected request succeeds.
  expect((await make('', 'key-2', person)).status).toBe(400);
  expect((await make('fine', 'key-2', person)).status).toBe(201);
  // What is stored does not hold the secret, and is encrypted.
  const { rows } = await api.db.pool.query('select response from idempotency');
  expect(rows.map((row) => row.response).join()).not.toContain('toprung_');
  api.clock.advance(24 * 3_600_000);
  const renewed = await make('ci', 'key-1', person);
  expect([renewed.status, renewed.body.id === record.id]).toEqual([201, false]);
});

test('the replay of an Idempotency-Key holds no secret that is shown once', async () => {
  const person = await api.signUp();
  const twice = async (path: string, body: object) => {
    const send = () =>
      api.raw(
        path,
        {
          method: 'POST',
          body: JSON.stringify(body),
          headers: { 'content-type': 'application/json', 'idempotency-key': 'once' },
        },
        person,
      );
    return [(await send()).body, (await send()).body];
  };
  const events = ['rank.dropped'];
  const [webhook, again] = await twice('/webhooks', { url: 'https://example.org/h', events });
  const pairs: [string, object, object][] = [
    ['secret', webhook, again],
    ['secret', ...(await twice(`/webhooks/${webhook.id}/secret`, {}))],
    ['acceptUrl', ...(await twice('/workspace/invites', { email: 'guest@example.org' }))],
  ] as never;
  for (const [secret, first, replay] of pairs) {
    expect(first).toHaveProperty(secret, expect.any(String));
    expect(replay).toEqual({ ...first, [secret]: undefined });
  }
});

test('a key left by a crash is free after three minutes, for the same request only', async () => {
  const person = await api.signUp();
  const make = (name: string) =>
    api.raw(
      '/tokens',
      {
        method: 'POST',
        body: JSON.stringify({ name }),
        headers: { 'content-type': 'application/json', 'idempotency-key': 'crashed' },
      },
      person,
    );
  await make('ci');
  await api.db.pool.query(
    'update idempotency set status = null, response = null, committed_at = null ' +
      'where workspace_id = $1',
    [person.workspaceId],
  );
  api.clock.advance(61_000);
  expect((await make('other')).body.code).toBe('idempotency_mismatch');
  api.clock.advance(120_000);
  expect((await make('other')).body.code).toBe('idempotency_mismatch');
  expect((await make('ci')).status).toBe(201);
});

describe('committed work with an Idempotency-Key whose response was lost is not repeated', () => {
  const makeToken = (person: Account, of = api) =>
    of.raw(
      '/tokens',
      {
        method: 'POST',
        body: JSON.stringify({ name: 'ci' }),
        headers: { 'content-type': 'application/json', 'idempotency-key': 'lost' },
      },
      person,
    );
  const outcomeOf = async (person: Account, of = api) => {
    const { status, body } = await makeToken(person, of);
    return [status, body.code, (await api.ok('GET /tokens', null, person)).total];
  };
  const lost = [409, 'idempotency_response_lost', 1];

  test('by a crash before it was stored', async () => {
    const person = await api.signUp();
    await makeToken(person);
    await api.db.pool.query(
      'update idempotency set status = null, response = null where workspace_id = $1',
      [person.workspaceId],
    );
    api.clock.advance(181_000);
    expect(await outcomeOf(person)).toEqual(lost);
    api.clock.advance(24 * 3_600_000);
    expect((await makeToken(person)).status).toBe(201);
  });

  test('because it could not be stored', async () => {
    const person = await api.signUp();
    await api.db.pool.query(
      "alter table idempotency add constraint full_disk check (response = '') not valid",
    );
    expect((await makeToken(person)).status).toBe(201);
    await api.db.pool.query('alter table idempotency drop constraint full_disk');
    expect(await outcomeOf(person)).toEqual(lost);
  });

  test.each([
    ['committed', lost],
    ['rolled back', [201, undefined, 1]],
  ])('by a connection that was lost with the commit, which was %s', async (outcome, repeated) => {
    const pool = {
      connect: async () => {
        const client = await api.db.pool.connect();
        return {
          release: (isBroken?: boolean) => client.release(isBroken),
          query: async (text: string, values?: unknown[]) => {
            if (text !== 'commit') return client.query(text, values);
            await client.query(outcome === 'committed' ? 'commit' : 'rollback');
            throw new Error('Connection terminated unexpectedly');
          },
        };
      },
    };
    const systemDb = openDatabase(pool as never);
    const faulty = await startApi({
      db: api.db,
      clock: api.clock,
      deps: { authSecret: api.authSecret },
      services: { systemDb },
    });
    const person = await api.signUp();
    expect((await makeToken(person, faulty)).status).toBe(503);
    expect(await outcomeOf(person)).toEqual(repeated);
    await faulty.close();
  });
});

test('health reports its checks, and 503 when the queue is full', async () => {
  // Counts over all workspaces are for operators.
  const own = await startApi({
    db: api.db,
    deps: { authSecret: api.authSecret },
    settings: { operatorEmails: [ann.email] },
  });
  const well = await own.call('GET /health', null, ann);
  expect(well.body).toMatchObject({
    status: 'ok',
    version: apiVersion,
    db: { ok: true, latencyMs: expect.any(Number) },
    queue: { ok: true, backend: 'postgres' },
    failedJobs: 0,
    lastRun: null,
  });
  await api.db.pool.query(
    "insert into runs (date, opened_at, state) values ('2026-11-20', now(), 'finished')",
  );
  await api.db.pool.query(
    "insert into dead_letters (queue, job_id, data) values ('checks', '1', '{}')",
  );
  expect(await own.ok('GET /health', null, ann)).toMatchObject({
    failedJobs: 1,
    lastRun: { date: '2026-11-20', state: 'finished' },
  });
  await own.close();
  const full = await startApi({
    db: api.db,
    deps: { authSecret: api.authSecret },
    services: { queueCapacity: { usedBytes: () => Promise.resolve(100), capBytes: 100 } },
  });
  expect(await full.call('GET /health', null, ann)).toMatchObject({
    status: 503,
    body: { status: 'degraded', queue: { ok: false } },
  });
  await full.close();
  const unread = await startApi({
    db: api.db,
    deps: { authSecret: api.authSecret },
    services: { queueCapacity: { usedBytes: () => Promise.resolve(null), capBytes: 100 } },
  });
  expect((await unread.call('GET /health', null, ann)).body.queue.usedBytes).toBeNull();
  await unread.close();
});

test('health counts the instance for operators, and the own workspace for others', async () => {
  const queue = {
    backend: 'postgres' as const,
    waiting: () => Promise.resolve(7),
    isWritable: () => Promise.resolve(null),
  };
  const shared = await startApi({
    deps: { queue },
    config: { signUp: 'invite' },
    settings: { operatorEmails: ['Boss@example.org'] },
  });
  const first = await shared.signUp();
  const read = async (who: Account) => {
    const { failedJobs, queue: state } = await shared.ok('GET /health', null, who);
    return [failedJobs, state.waiting, state.usedBytes];
  };
  const fail = (workspaceId: number) =>
    shared.db.pool.query(
      `insert into jobs (workspace_id, kind, state, queued_at)
       values ($1, 'actions', 'failed', now())`,
      [workspaceId],
    );
  await shared.db.pool.query(
    "insert into dead_letters (queue, job_id, data) values ('checks', '1', '{}')",
  );
  await fail(first.workspaceId);
  expect(await read(first)).toEqual([2, 7, 0]);
  const boss = await shared.signUp({ email: 'boss@example.org' });
  await fail(boss.workspaceId);
  expect([await read(first), await read(boss)]).toEqual([
    [1, null, null],
    [3, 7, 0],
  ]);
  await shared.close();
});

test('the contract’s schemas are strict: operations refuse unknown members', () => {
  const loose = operationList.flatMap(([key, operation]) =>
    [operation.query, operation.params]
      .filter(
        (part): part is z.ZodType =>
          part !== undefined && part.safeParse({ surely_unknown: '1' }).success,
      )
      .map(() => key),
  );
  expect(loose).toEqual([]);
});
