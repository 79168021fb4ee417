import { execFile } from 'node:child_process';
import { createServer, request as sendRequest } from 'node:http';
import { promisify } from 'node:util';
import { pino } from 'pino';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { errorEnvelope } from '#contract/errors.ts';
import { apiVersion } from '#contract/index.ts';
import type { Account } from '../harness/api.ts';
import { describeTables } from '../api/keywords.fixtures.ts';
import {
  call,
  eras,
  seedApp,
  startMcpTestApp,
  type Era,
  type SeededApp,
  type McpTestApp,
} from './mcp-test-app.ts';

let testApp: McpTestApp;
let ann: Account;
let bob: Account;
let app: SeededApp;
let full: string;
let reading: string;
const seen = ['sessions', 'tokens'];

beforeAll(async () => {
  testApp = await startMcpTestApp();
  [ann, bob] = [await testApp.api.signUp(), await testApp.api.signUp()];
  app = await seedApp(testApp.api, ann);
  full = (await testApp.api.token(ann)).secret;
  reading = (await testApp.api.token(ann, { readOnly: true })).secret;
});
afterAll(() => testApp.close());

const list = { jsonrpc: '2.0', id: 1, method: 'tools/list' };
const callOf = (name: string) => ({
  ...list,
  method: 'tools/call',
  params: { name, arguments: {} },
});
const post = (
  headers: Record<string, string>,
  body: string = JSON.stringify(list),
  url = testApp.url,
) =>
  fetch(`${url}/mcp`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      ...headers,
    },
    body,
  });

describe.each(Object.keys(eras) as Era[])('a client of the %s era', (era) => {
  test('reads the server’s description, lists tools and gets a response', async () => {
    const client = await testApp.connect(full, era);
    expect(client.getServerVersion()).toMatchObject({ name: 'toprung', version: apiVersion });
    expect(client.getInstructions()).toContain('not checked');
    const { tools } = await client.listTools();
    expect(tools.map((tool) => tool.name)).toContain('add_keywords');
    const response = await call(client, 'list_apps');
    expect(response.said).toMatch(/^1 apps/);
    expect(response.structuredContent).toMatchObject({
      apps: [{ appId: app.appId, storeAppId: '1500000001' }],
    });
  });

  test('with a read-only token sees read-only tools, and a write is refused', async () => {
    const client = await testApp.connect(reading, era);
    const { tools } = await client.listTools();
    expect(tools.length).toBeGreaterThan(9);
    expect(tools.filter((tool) => tool.annotations?.readOnlyHint !== true)).toEqual([]);
    const { messages } = await client.getPrompt({
      name: 'rewrite_keyword_field',
      arguments: { appId: '1' },
    });
    expect(JSON.stringify(messages)).not.toContain('set_keyword_field');
    const before = await describeTables(testApp.api, seen);
    const response = await call(client, 'remove_keywords', {
      appId: app.appId,
      keywordIds: [app.fallen.id],
    });
    expect([response.isError, response.said]).toEqual([
      true,
      expect.stringMatching(/read-only.*Use a token with write access/),
    ]);
    expect(await describeTables(testApp.api, seen)).toEqual(before);
  });

  test('finds prompts with their tools, and the guide', async () => {
    const client = await testApp.connect(full, era);
    const { prompts } = await client.listPrompts();
    expect(prompts.map((prompt) => prompt.name)).toEqual([
      'weekly_review',
      'why_did_we_drop',
      'rewrite_keyword_field',
      'launch_new_country',
    ]);
    const names = (await client.listTools()).tools.map((tool) => tool.name);
    for (const { name } of prompts) {
      const { messages } = await client.getPrompt({
        name,
        arguments: { appId: '1', country: 'de' },
      });
      const { content } = messages[0]!;
      const named =
        (content.type === 'text' ? content.text : '').match(
          /\b(get|list|check|set|add|compare|suggest)_\w+/g,
        ) ?? [];
      expect(named.length).toBeGreaterThan(2);
      expect(named.filter((tool) => !names.includes(tool))).toEqual([]);
    }
    const { contents } = await client.readResource({ uri: 'toprung://guide' });
    expect(JSON.stringify(contents)).toContain('not checked');
  });
});

describe('access', () => {
  test.each([
    ['nobody', {}],
    ['a session cookie', { cookie: 'ann' }],
    ['another scheme', { authorization: 'Basic YTpi' }],
    ['an empty token', { authorization: 'Bearer ' }],
  ])(
    '%s: 401 in our envelope, with the way to authenticate',
    async (_name, given: Record<string, string>) => {
      const headers = given.cookie === 'ann' ? { cookie: ann.headers.cookie! } : given;
      const response = await post(headers);
      expect([response.status, response.headers.get('www-authenticate')]).toEqual([401, 'Bearer']);
      expect(errorEnvelope.parse(await response.json())).toMatchObject({
        code: 'unauthenticated',
        path: '/mcp',
      });
    },
  );

  test('an unknown or revoked token gets the API’s 401 for any request', async () => {
    const { secret: revoked, id } = await testApp.api.token(ann);
    await testApp.api.ok('DELETE /tokens/{id}', { params: { id } }, ann);
    for (const secret of [`toprung_${'x'.repeat(40)}`, revoked]) {
      for (const body of [list, callOf('list_apps')]) {
        const response = await post({ authorization: `Bearer ${secret}` }, JSON.stringify(body));
        expect([response.status, response.headers.get('www-authenticate')]).toEqual([
          401,
          'Bearer error="invalid_token"',
        ]);
        expect(errorEnvelope.parse(await response.json())).toMatchObject({
          code: 'unauthenticated',
        });
      }
    }
  });

  test('a foreign origin and a rebound host name get 403 first', async () => {
    const authorization = `Bearer ${full}`;
    for (const origin of ['https://evil.example', 'null', 'https://127.0.0.1.evil.example']) {
      const response = await post({ authorization, origin });
      expect([origin, response.status]).toEqual([origin, 403]);
      expect(errorEnvelope.parse(await response.json())).toMatchObject({ code: 'forbidden' });
    }
    const statuses = await Promise.all(
      ['evil.example', '127.0.0.1.evil.example', 'localhost:3000', '192.168.1.7', '[::1]:3000'].map(
        (host) => postToHost(host),
      ),
    );
    expect(statuses).toEqual([403, 403, 200, 200, 200]);
    expect((await post({ authorization, origin: 'http://localhost:6274' })).status).toBe(200);
  });

  test('the public host name is that of PUBLIC_URL', async () => {
    const url = await testApp.startGateway({ publicUrl: 'https://aso.example.org' });
    expect(await postToHost('aso.example.org', url)).toBe(200);
    expect(await postToHost('other.example.org', url)).toBe(403);
    const response = await post(
      { authorization: `Bearer ${full}`, origin: 'https://aso.example.org' },
      undefined,
      url,
    );
    expect(response.status).toBe(200);
    const behind = await testApp.startGateway({
      publicUrl: 'https://aso.example.org',
      trustProxy: ['127.0.0.1'],
    });
    const through = (hosts: string) =>
      post({ authorization: `Bearer ${full}`, 'x-forwarded-host': hosts }, undefined, behind);
    expect((await through('aso.example.org, aso.example.org')).status).toBe(200);
    expect((await through('aso.example.org, evil.example')).status).toBe(403);
  });

  /** fetch sets the host itself. */
  function postToHost(host: string, url = testApp.url): Promise<number> {
    const headers = {
      host,
      authorization: `Bearer ${full}`,
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
    };
    return new Promise((resolve, reject) => {
      const request = sendRequest(`${url}/mcp`, { method: 'POST', headers }, (response) => {
        response.resume();
        resolve(response.statusCode!);
      });
      request.once('error', reject).end(JSON.stringify(list));
    });
  }
});

describe('requests', () => {
  const authorized = () => ({ authorization: `Bearer ${full}` });

  test('a body over 256 KiB is refused, announced or streamed', async () => {
    const big = JSON.stringify({ ...list, params: { x: 'x'.repeat(300_000) } });
    expect((await post(authorized(), big)).status).toBe(413);
    const stream = new ReadableStream({
      start: (controller) => {
        for (let part = 0; part < 10; part += 1)
          controller.enqueue(
            new TextEncoder().encode(big.slice(part * 30_000, (part + 1) * 30_000)),
          );
        controller.close();
      },
    });
    const headers = {
      ...authorized(),
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
    };
    const streamed = await fetch(`${testApp.url}/mcp`, {
      method: 'POST',
      headers,
      body: stream,
      duplex: 'half',
    } as RequestInit);
    expect(streamed.status).toBe(413);
  });

  test('invalid JSON, messages and methods get errors of the protocol', async () => {
    for (const body of ['{', '[]', '7', '{"jsonrpc":"2.0","id":1,"method":"nothing/there"}']) {
      const response = await post(authorized(), body);
      expect(await response.text()).toMatch(/"error":\{"code":-32\d{3}/);
    }
    expect((await post({ ...authorized(), 'content-type': 'text/plain' })).status).toBe(415);
    expect(
      (
        await fetch(`${testApp.url}/mcp`, {
          headers: { ...authorized(), accept: 'text/event-stream' },
        })
      ).status,
    ).toBe(405);
  });

  test('a subscription ends at once, since the server never sends notifications', async () => {
    const client = await testApp.connect(full, 'modern');
    const subscription = await client.listen({ toolsListChanged: true });
    expect([subscription.honoredFilter, await subscription.closed]).toEqual([{}, 'graceful']);
  });

  test('the API counts the caller’s address, not the web origin’s', async () => {
    const asked: Record<string, unknown>[] = [];
    testApp.api.app.server.on('request', (request) => asked.push(request.headers));
    const url = await testApp.startGateway({ trustProxy: ['127.0.0.1'] });
    await post(
      {
        ...authorized(),
        'x-forwarded-for': '6.6.6.6, 203.0.113.8',
        'x-forwarded-host': 'localhost',
        cookie: 'a=b',
      },
      undefined,
      url,
    );
    expect(asked).toEqual([
      expect.objectContaining({
        'x-forwarded-for': '203.0.113.8',
        'x-toprung-gateway': 'between-us',
        'x-toprung-direct': '0',
        ...authorized(),
      }),
    ]);
    expect(asked[0]).not.toHaveProperty('cookie');
  });

  test('a throttled caller gets Retry-After for any request', async () => {
    const from = { 'x-forwarded-for': '203.0.113.99', 'x-forwarded-host': 'localhost' };
    const reject = () =>
      testApp.api.raw('/workspace', {
        headers: { ...from, 'x-toprung-gateway': 'between-us', authorization: 'Bearer toprung_no' },
      });
    await Promise.all(Array.from({ length: 121 }, reject));
    const url = await testApp.startGateway({ trustProxy: ['127.0.0.1'] });
    for (const body of [list, callOf('list_apps')]) {
      const response = await post({ ...authorized(), ...from }, JSON.stringify(body), url);
      const { code, retryAfterSeconds } = errorEnvelope.parse(await response.json());
      expect([response.status, code, response.headers.get('retry-after')]).toEqual([
        429,
        'credential_throttled',
        String(retryAfterSeconds),
      ]);
    }
  });

  test('an unreachable API is 503 with Retry-After', async () => {
    const url = await testApp.startGateway({ apiUrl: 'http://127.0.0.1:1' });
    for (const body of [list, callOf('list_apps')]) {
      const response = await post(authorized(), JSON.stringify(body), url);
      expect([response.status, response.headers.get('retry-after')]).toEqual([503, '2']);
      expect(errorEnvelope.parse(await response.json())).toMatchObject({ code: 'unavailable' });
    }
  });

  test('a client that leaves early is logged at debug only', async () => {
    const logged: { level: number; msg: string }[] = [];
    const log = pino(
      { level: 'debug' },
      { write: (line: string) => void logged.push(JSON.parse(line)) },
    );
    const asked = Promise.withResolvers<void>();
    const silent = createServer((request) => {
      request.on('error', () => {}).resume();
      asked.resolve();
    });
    await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve));
    const url = await testApp.startGateway({
      apiUrl: `http://127.0.0.1:${(silent.address() as { port: number }).port}`,
      log,
    });
    const leaving = new AbortController();
    const headers = {
      ...authorized(),
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
    };
    const left = fetch(`${url}/mcp`, {
      method: 'POST',
      headers,
      body: JSON.stringify(list),
      signal: leaving.signal,
    }).catch(() => 'left');
    await asked.promise;
    leaving.abort();
    expect(await left).toBe('left');
    await expect
      .poll(() => logged.map(({ level, msg }) => [level, msg]))
      .toContainEqual([20, 'the client disconnected']);
    expect(logged.filter(({ level }) => level > 20)).toEqual([]);
    silent.close().closeAllConnections();
  });
});

test('the MCP code is loaded with the first request', async () => {
  const src = new URL('../../src/', import.meta.url).href;
  const script = `
    import { registerHooks } from 'node:module';
    const loaded = [];
    registerHooks({ load: (url, context, next) => (loaded.push(url), next(url, context)) });
    const [{ handleMcpLazily }] = await Promise.all(['cli/lazy-mcp.ts', 'cli/program.ts',
      'boot/start-web.ts'].map((path) => import('${src}' + path)));
    const report = () => console.log(loaded.filter((url) =>
      /modelcontextprotocol|node_modules\\/zod|src\\/mcp\\//.test(url)).length);
    report();
    await handleMcpLazily({}).catch(() => {});
    report();`;
  const { stdout } = await promisify(execFile)(process.execPath, [
    '--input-type=module',
    '-e',
    script,
  ]);
  const [before, after] = stdout.trim().split('\n').map(Number);
  expect(before).toBe(0);
  expect(after).toBeGreaterThan(20);
});

test('another workspace’s data is not found, and nothing is written', async () => {
  const client = await testApp.connect((await testApp.api.token(bob)).secret);
  const before = await describeTables(testApp.api, seen);
  const mine = {
    appId: app.appId,
    keywordId: app.fallen.id,
    keywordIds: [app.fallen.id],
    actionId: app.actionId,
    competitorId: app.competitorId,
    changeId: app.changeId,
  };
  const tries: [string, Record<string, unknown>][] = [
    ['get_app_overview', { appId: mine.appId }],
    ['list_keywords', { appId: mine.appId }],
    ['get_rankings', { appId: mine.appId, keywordIds: mine.keywordIds }],
    ['get_search_results', { keywordId: mine.keywordId }],
    ['compare_competitors', { appId: mine.appId }],
    ['list_reviews', { appId: mine.appId }],
    ['check_keyword_field', { appId: mine.appId }],
    ['add_keywords', { appId: mine.appId, phrases: ['mine'], countries: ['us'] }],
    ['remove_keywords', { appId: mine.appId, keywordIds: mine.keywordIds }],
    ['score_keywords', { keywordIds: mine.keywordIds }],
    ['set_keyword_field', { appId: mine.appId, text: 'mine' }],
    ['get_listing_draft', { appId: mine.appId }],
    [
      'save_listing_texts',
      { appId: mine.appId, locale: 'en-US', texts: [{ field: 'title', text: 'mine' }] },
    ],
    ['resolve_action', { actionId: mine.actionId }],
    ['get_visibility', { appId: mine.appId }],
    ['get_category_ranks', { appId: mine.appId }],
    ['get_ratings', { appId: mine.appId }],
    ['list_changes', { appId: mine.appId }],
    ['get_change_impact', { changeId: mine.changeId }],
    ['add_competitor', { appId: mine.appId, storeAppId: '1500000009' }],
    ['remove_competitor', { appId: mine.appId, competitorId: mine.competitorId }],
  ];
  for (const [name, args] of tries) {
    const response = await call(client, name, args);
    expect([name, response.isError, response.said]).toEqual([
      name,
      true,
      expect.stringMatching(
        / does not exist in this workspace\. list_\w+ (and \w+ )?lists? valid ids\./,
      ),
    ]);
  }
  const job = await call(client, 'get_job', { jobId: app.jobId });
  expect([job.isError, job.said]).toEqual([
    true,
    `jobId ${app.jobId} does not exist in this workspace. Nothing was written.`,
  ]);
  expect(await describeTables(testApp.api, seen)).toEqual(before);
});
