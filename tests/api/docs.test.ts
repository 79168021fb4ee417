import { createHash } from 'node:crypto';
import type { FastifyPluginAsync } from 'fastify';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import packageJson from '../../package.json' with { type: 'json' };
import { buildOpenApi } from '#api/openapi.ts';
import { operationList } from '#contract/index.ts';
import { createBoard } from '#queue/board.ts';
import { startApi, type Account, type Credential, type TestApi } from '../harness/api.ts';
import { keepOrder } from '../harness/keep-order.ts';

keepOrder('the last test of the first group uses up the rejected credentials of the address');

let api: TestApi;
let owner: Account;
let member: Account;
const board: FastifyPluginAsync = async (app) => {
  app.get('/', async (_request, reply) => reply.type('text/html').send('the queues'));
  app.get('/static/app.js', async () => 'x');
  app.put('/api/queues/checks/retry', async () => ({ done: true }));
};

beforeAll(async () => {
  api = await startApi({
    deps: { board: async () => ({ plugin: board }) },
    config: { signUp: 'invite' },
    settings: { operatorEmails: ['boss@example.org'] },
  });
  owner = await api.signUp();
  member = await api.signUp({ workspaceId: owner.workspaceId, role: 'member' });
});
afterAll(() => api.close());

interface DescribedParameter {
  name: string;
  in: string;
  schema: object;
}

interface Described {
  openapi: string;
  info: { version: string };
  servers: [{ url: string }];
  paths: Record<
    string,
    Record<
      string,
      {
        'x-rate-class': string;
        operationId: string;
        responses: object;
        parameters?: DescribedParameter[];
      }
    >
  >;
  components: Record<'schemas' | 'responses' | 'headers', Record<string, object>>;
}

const hidden = [
  '/docs',
  '/docs-json',
  '/docs/js/scalar.js',
  '/admin/queues',
  '/admin/queues/',
  '/admin/queues/static/app.js',
];

describe('hidden pages', () => {
  test('return the 404 of an unknown path to anonymous users, bad tokens and members', async () => {
    const strangers: [string, Credential | null][] = [
      ['nobody', null],
      ['a bad token', { headers: { authorization: 'Bearer x' } }],
      ['a member', member],
    ];
    for (const [name, credential] of strangers) {
      for (const path of hidden) {
        const absent = path.replace(/[a-z]/g, 'q');
        const [there, gone] = [
          await api.raw(path, {}, credential),
          await api.raw(absent, {}, credential),
        ];
        const shape = (response: typeof there) => ({
          status: response.status,
          text: response.text.replace(response.body.path, '').replace(response.body.timestamp, ''),
          headers: Object.fromEntries(
            [...response.headers].filter(([header]) => header !== 'date'),
          ),
        });
        expect([name, path, shape(there)]).toEqual([name, path, shape(gone)]);
        expect(there.status).toBe(404);
      }
    }
  });

  test('return 404 for other methods; queue buttons are for operators', async () => {
    expect((await api.raw('/docs', { method: 'POST' }, owner)).status).toBe(404);
    expect(
      (await api.raw('/admin/queues/api/queues/checks/retry', { method: 'PUT' }, member)).status,
    ).toBe(404);
    expect(
      (await api.raw('/admin/queues/api/queues/checks/retry', { method: 'PUT' }, owner)).status,
    ).toBe(403);
    const boss = await api.signUp({ email: 'boss@example.org' });
    expect(
      (await api.raw('/admin/queues/api/queues/checks/retry', { method: 'PUT' }, boss)).status,
    ).toBe(200);
    const fromElsewhere = { headers: { ...boss.headers, 'sec-fetch-site': 'cross-site' } };
    expect(
      (await api.raw('/admin/queues/api/queues/checks/retry', { method: 'PUT' }, fromElsewhere))
        .status,
    ).toBe(403);
  });

  test('are shown to owners, by session and by token', async () => {
    const alone = await startApi({
      deps: { board: async () => ({ plugin: board }) },
      config: { signUp: 'invite' },
      settings: { operatorEmails: ['boss@example.org'] },
    });
    const first = await alone.signUp();
    for (const credential of [first, await alone.token(first, { readOnly: true })])
      for (const path of hidden)
        expect([path, (await alone.raw(path, {}, credential)).status]).toEqual([path, 200]);
    await alone.close();
  });

  test('of the instance are for operators as soon as there can be a second workspace', async () => {
    const operator = await api.signUp({ email: 'chief@example.org' });
    const named = await startApi({
      db: api.db,
      deps: { authSecret: api.authSecret, board: async () => ({ plugin: board }) },
      settings: { operatorEmails: [operator.email] },
    });
    expect((await named.raw('/admin/queues', {}, owner)).status).toBe(404);
    expect((await named.raw('/docs', {}, owner)).status).toBe(200);
    expect((await named.raw('/admin/queues', {}, operator)).status).toBe(200);
    await named.close();
    const unnamed = await startApi({
      db: api.db,
      config: { signUp: 'invite' },
      deps: { authSecret: api.authSecret, board: async () => ({ plugin: board }) },
    });
    const read = async (on: TestApi, who: Account) => [
      (await on.raw('/admin/queues', {}, who)).status,
      (await on.raw('/metrics', {}, who)).status,
      (await on.raw('/docs', {}, who)).status,
    ];
    expect(await read(unnamed, owner)).toEqual([404, 404, 200]);
    await api.db.pool.query('delete from workspaces where id <> $1', [owner.workspaceId]);
    expect(await read(unnamed, owner)).toEqual([200, 200, 200]);
    expect(await read(unnamed, member)).toEqual([404, 404, 404]);
    // Where anybody may sign up, the only owner may be a stranger.
    const open = await startApi({
      db: api.db,
      config: { signUp: 'open' },
      deps: { authSecret: api.authSecret, board: async () => ({ plugin: board }) },
    });
    expect(await read(open, owner)).toEqual([404, 404, 200]);
    await open.close();
    expect((await api.ok('GET /auth/session', null, owner)).docs).toBe(true);
    expect((await api.ok('GET /auth/session', null, member)).docs).toBe(false);
    await unnamed.close();
  });

  test('have no files outside of their folder', async () => {
    const boss = await api.signUp({ email: 'manager@example.org' });
    const shown = await startApi({
      db: api.db,
      deps: { authSecret: api.authSecret, board: () => createBoard({ bullQueues: () => [] }) },
      settings: { operatorEmails: [boss.email] },
    });
    for (const file of ['..%5c..%5cpackage.json', '%00', 'nothing.js'])
      expect([file, (await shown.raw(`/admin/queues/static/${file}`, {}, boss)).body.code]).toEqual(
        [file, 'not_found'],
      );
    await shown.close();
  });

  test('are open to members or to nobody as API_DOCS says', async () => {
    const open = await startApi({
      db: api.db,
      config: { apiDocs: 'member' },
      deps: { authSecret: api.authSecret },
    });
    expect((await open.raw('/docs-json', {}, member)).status).toBe(200);
    expect((await open.raw('/docs-json')).status).toBe(404);
    await open.close();
    const off = await startApi({
      db: api.db,
      config: { apiDocs: 'off' },
      deps: { authSecret: api.authSecret },
    });
    expect((await off.raw('/docs-json', {}, owner)).status).toBe(404);
    expect((await off.raw('/admin/queues', {}, owner)).status).toBe(404);
    await off.close();
  });

  test('count rejected credentials', async () => {
    const counting = await startApi({ db: api.db });
    for (let index = 0; index < 60; index += 1) {
      await counting.raw('/docs', {}, { headers: { authorization: 'Bearer x' } });
      await counting.raw('/qqqq', {}, { headers: { authorization: 'Bearer x' } });
    }
    expect(
      (await counting.raw('/workspace', {}, { headers: { authorization: 'Bearer x' } })).status,
    ).toBe(429);
    expect(
      (await counting.raw('/docs', {}, { headers: { authorization: 'Bearer x' } })).status,
    ).toBe(404);
    await counting.close();
  });
});

test('the reference page has hashes for inline scripts and no foreign host', async () => {
  const page = await api.raw('/docs', {}, owner);
  const policy = page.headers.get('content-security-policy')!;
  expect(policy).not.toMatch(/https?:|script-src[^;]*unsafe/);
  const inline = [...page.text.matchAll(/<script(?![^>]*\bsrc=)[^>]*>([\s\S]*?)<\/script>/g)].map(
    (match) => createHash('sha256').update(match[1]!).digest('base64'),
  );
  expect(inline.length).toBeGreaterThan(0);
  for (const hash of inline) expect(policy).toContain(`'sha256-${hash}'`);
  expect(page.text).toContain('docs/js/scalar.js');
  expect(page.text.match(/(src|href)="https?:/g)).toBeNull();
});

describe('the OpenAPI description', () => {
  const document = buildOpenApi() as unknown as Described;

  test('is OpenAPI 3.1 with the package’s version and every operation and error', async () => {
    const served = (await api.raw('/docs-json', {}, owner)).body;
    expect(served).toEqual({ ...JSON.parse(JSON.stringify(document)), servers: [{ url: '/' }] });
    expect([document.openapi, document.info.version, document.servers[0].url]).toEqual([
      '3.1.0',
      packageJson.version,
      '/api/backend',
    ]);
    const ids = new Set<string>();
    for (const [key, operation] of operationList) {
      const [method, path] = key.split(' ') as [string, string];
      const described = document.paths[path]![method.toLowerCase()]!;
      expect(described['x-rate-class']).toBe(operation.rateClass);
      expect(Object.keys(described.responses)).toEqual(
        expect.arrayContaining([
          ...Object.keys(operation.responses),
          '400',
          '401',
          '404',
          '429',
          '500',
          '503',
        ]),
      );
      expect([key, '413' in described.responses && '415' in described.responses]).toEqual([
        key,
        method !== 'GET',
      ]);
      const inPath =
        described.parameters
          ?.filter((parameter) => parameter.in === 'path')
          .map((parameter) => `{${parameter.name}}`) ?? [];
      expect([key, inPath]).toEqual([key, path.match(/\{\w+\}/g) ?? []]);
      ids.add(described.operationId);
    }
    expect(ids.size).toBe(operationList.length);
  });

  test('names the server as the client reaches it', async () => {
    for (const [prefix, url] of [
      ['', '/'],
      ['/api/backend', '/api/backend'],
      ['/aso/api/backend', '/aso/api/backend'],
    ] as const) {
      const headers = { 'x-forwarded-prefix': prefix };
      const { servers } = (await api.raw('/docs-json', { headers }, owner)).body;
      expect([prefix, servers]).toEqual([prefix, [{ url }]]);
    }
  });

  test('has no dangling reference, and describes every number', () => {
    const names = new Set(
      Object.keys(document.components.schemas)
        .map((name) => `#/components/schemas/${name}`)
        .concat(
          ...Object.keys(document.components.responses).map(
            (name) => `#/components/responses/${name}`,
          ),
          ...Object.keys(document.components.headers).map((name) => `#/components/headers/${name}`),
        ),
    );
    const seen: string[] = [];
    const walk = (value: unknown): void => {
      if (typeof value !== 'object' || value === null) return;
      if ('$ref' in value) seen.push(value.$ref as string);
      Object.values(value).forEach(walk);
    };
    walk(document);
    expect(seen.filter((reference) => !names.has(reference))).toEqual([]);
    expect(document.components.schemas.BigInteger).toEqual({
      type: 'integer',
      description: expect.any(String),
    });
    const limit = document.paths['/apps']!.get!.parameters!.find(
      (parameter) => parameter.name === 'limit',
    );
    expect(limit?.schema).toEqual({ type: 'integer', minimum: 1, maximum: 500, default: 100 });
    expect(JSON.stringify(document.components.schemas.Position)).toContain('null');
  });
});
