import { spawn } from 'node:child_process';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { refusal } from '#gateway/envelope.ts';
import { silentLogger } from '#lib/logger.ts';
import { readToolsets, serveMcpOnStdio } from '#mcp/stdio.ts';
import { call, eras, seedApp, startMcpTestApp, type Era, type McpTestApp } from './mcp-test-app.ts';

const main = fileURLToPath(new URL('../../src/cli/main.js', import.meta.url));
let testApp: McpTestApp;
let token: string;

beforeAll(async () => {
  testApp = await startMcpTestApp();
  const ann = await testApp.api.signUp();
  await seedApp(testApp.api, ann);
  token = (await testApp.api.token(ann)).secret;
});
afterAll(() => testApp.close());

async function connect(
  era: Era,
  flags: string[],
  url = testApp.url,
): Promise<{ client: Client; noise: () => string }> {
  const client = new Client(
    { name: 'test', version: '1' },
    { versionNegotiation: { mode: eras[era] } },
  );
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [main, 'mcp', ...flags],
    stderr: 'pipe',
    env: {
      PATH: process.env.PATH ?? '',
      HOME: process.env.HOME ?? '/tmp',
      // Settings of other programs.
      DATABASE_URL: 'mysql://app@db/app',
      LOG_LEVEL: 'verbose',
      TOPRUNG_URL: url,
      TOPRUNG_TOKEN: token,
    },
  });
  let noise = '';
  transport.stderr?.on('data', (text: Buffer) => (noise += text.toString()));
  await client.connect(transport);
  return { client, noise: () => noise };
}

/** The output and exit code of the command line; its stdin stays open. */
function runMcp(
  environment: Record<string, string>,
  flags: string[] = [],
): Promise<{ code: number | null; out: string; said: string }> {
  const env = { PATH: process.env.PATH ?? '', HOME: process.env.HOME ?? '/tmp', ...environment };
  const child = spawn(process.execPath, [main, 'mcp', ...flags], {
    env,
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  const output = { out: '', said: '' };
  child.stdout.on('data', (text: Buffer) => (output.out += text.toString()));
  child.stderr.on('data', (text: Buffer) => (output.said += text.toString()));
  return new Promise((resolve) => child.once('close', (code) => resolve({ code, ...output })));
}

test('a started command offers the requested tools in both eras, and only that', async () => {
  const [reading, ranking] = await Promise.all([
    connect('legacy', ['--read-only']),
    connect('modern', ['--toolsets', 'apps,rankings'], `${testApp.url}/mcp`),
  ]);
  const listed = async (client: Client) => (await client.listTools()).tools;
  expect((await listed(reading.client)).filter((tool) => !tool.annotations?.readOnlyHint)).toEqual(
    [],
  );
  expect((await listed(ranking.client)).map((tool) => tool.name)).toEqual([
    'list_apps',
    'get_app_overview',
    'find_app',
    'add_app',
    'get_rankings',
    'compare_periods',
    'get_search_results',
    'get_visibility',
    'get_category_ranks',
  ]);
  expect((await ranking.client.listPrompts()).prompts).toEqual([]);
  for (const { client, noise } of [reading, ranking]) {
    expect((await call(client, 'list_apps')).said).toMatch(/^1 apps/);
    await client.close();
    expect(noise()).toBe('');
  }
});

test('invalid settings are reported on stderr with a remedy and exit code 78', async () => {
  const ends = await Promise.all([
    runMcp({ TOPRUNG_TOKEN: token }),
    runMcp({ TOPRUNG_URL: testApp.url }),
    runMcp({ TOPRUNG_URL: testApp.url, TOPRUNG_TOKEN: 'toprung_nobody' }, ['--toolsets', 'apps']),
  ]);
  const expected = [
    /Set TOPRUNG_URL \(or --url\)/,
    /Set TOPRUNG_TOKEN.*Settings, API tokens/,
    /rejected this token\. Create one/,
  ];
  for (const [at, { code, out, said }] of ends.entries())
    expect([at, code, out, said]).toEqual([at, 78, '', expect.stringMatching(expected[at]!)]);
});

test('an unknown toolset is reported with exit code 2, as every wrong option', async () => {
  const { code, out, said } = await runMcp({}, ['--toolsets', 'apps,nonsense']);
  expect([code, out]).toEqual([2, '']);
  expect(said).toBe(
    'toprung: --toolsets apps,nonsense: one of these does not exist. See toprung mcp --help.\n',
  );
});

test('invalid tokens and addresses are reported without secrets', async () => {
  const ends = await Promise.all([
    runMcp({ TOPRUNG_URL: testApp.url, TOPRUNG_TOKEN: 'toprung_…' }),
    runMcp({ TOPRUNG_URL: testApp.url, TOPRUNG_TOKEN: `${token}\nx` }),
    runMcp({ TOPRUNG_URL: testApp.url.replace('://', '://ann:hunter2@'), TOPRUNG_TOKEN: token }),
    runMcp({ TOPRUNG_TOKEN: token }, ['--url', 'ftp://ann:hunter2@localhost']),
  ]);
  const expected = [
    /TOPRUNG_TOKEN is not an API token.*Settings, API tokens/,
    /TOPRUNG_TOKEN is not an API token/,
    /a user name or a password/,
    /is not an address/,
  ];
  for (const [at, { code, out, said }] of ends.entries()) {
    expect([at, code, out, said]).toEqual([at, 78, '', expect.stringMatching(expected[at]!)]);
    expect(said).not.toMatch(/hunter2|toprung_…|cannot be reached/);
  }
});

/** A server with one response, which runs until the test has ended. */
async function startServer(
  respond: (request: IncomingMessage, response: ServerResponse) => void,
): Promise<string> {
  const server = createServer(respond);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => new Promise<void>((resolve) => void server.close(() => resolve())));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

test('an instance that is starting or away is no configuration error', async () => {
  const starting = await startServer(({ url }, response) => {
    const { body, headers } = refusal(503, 'unavailable', url!);
    response.writeHead(503, headers).end(body);
  });
  const proxy = await startServer((_request, response) => {
    response.writeHead(502, { 'content-type': 'text/html' }).end('<h1>502 Bad Gateway</h1>');
  });
  const urls = [starting, proxy, 'http://127.0.0.1:1'];
  const ends = await Promise.all(
    urls.map((url) => runMcp({ TOPRUNG_URL: url, TOPRUNG_TOKEN: token })),
  );
  expect(ends.map(({ code, said }) => [code, said.trimEnd()])).toEqual([
    [
      1,
      `toprung: ${starting} is not available: The service is starting, stopping or cannot be ` +
        'reached. Try again in 2 s.',
    ],
    [
      1,
      `toprung: ${proxy} is not available: The server responded 502 with something that is not ` +
        'Toprung’s. Try again, or check the address.',
    ],
    [1, expect.stringContaining('cannot be reached. Is Toprung running there?')],
  ]);
});

test('an address that redirects is reported, and the token is not sent on', async () => {
  const asked: string[] = [];
  const url = await startServer((request, response) => {
    asked.push(request.url!);
    response.writeHead(308, { location: `${testApp.url}${request.url}` }).end();
  });
  await expect(serveMcpOnStdio({ url, token, readOnly: false, log: silentLogger })).rejects.toThrow(
    /redirects to another address/,
  );
  expect(asked).toEqual(['/api/backend/auth/session']);
});

test('an address without Toprung is reported before the start', async () => {
  const serve = (url: string) =>
    serveMcpOnStdio({ url, token, readOnly: false, log: silentLogger });
  await expect(serve('http://127.0.0.1:1')).rejects.toThrow(
    /cannot be reached\. Is Toprung running there/,
  );
  await expect(serve(`${testApp.api.url}/elsewhere`)).rejects.toThrow(/is not Toprung/);
  const other = await startServer((_request, response) => void response.end('{}'));
  await expect(serve(other)).rejects.toThrow(/is not Toprung/);
  expect([readToolsets('apps, ops'), readToolsets('apps,nothing')]).toEqual([
    ['apps', 'ops'],
    null,
  ]);
});

test('the end of stdin ends the process', async () => {
  const env = {
    PATH: process.env.PATH ?? '',
    HOME: process.env.HOME ?? '/tmp',
    TOPRUNG_URL: testApp.url,
    TOPRUNG_TOKEN: token,
  };
  const child = spawn(process.execPath, [main, 'mcp'], { env, stdio: ['pipe', 'pipe', 'inherit'] });
  child.stdin.end();
  child.stdout.resume();
  expect(await new Promise((resolve) => child.once('exit', resolve))).toBe(0);
});
