import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { readWithOtherProvider } from '../api/keywords.fixtures.ts';
import type { Account } from '../harness/api.ts';
import { seedApp, startMcpTestApp, type McpTestApp, type SeededApp } from '../mcp/mcp-test-app.ts';
import { runInProcess } from './run-in-process.ts';

const main = fileURLToPath(new URL('../../src/cli/main.js', import.meta.url));
let testApp: McpTestApp;
let me: Account;
let seeded: SeededApp;
let secret: string;
let environment: Record<string, string>;
let home: string;
beforeAll(async () => {
  testApp = await startMcpTestApp();
  me = await testApp.api.signUp();
  seeded = await seedApp(testApp.api, me);
  ({ secret } = await testApp.api.token(me));
  environment = { TOPRUNG_URL: testApp.url, TOPRUNG_TOKEN: secret };
  home = await mkdtemp(join(tmpdir(), 'toprung-home-'));
});
afterAll(async () => {
  await testApp.close();
  await rm(home, { recursive: true });
});

/** A server that runs until the test has ended. */
async function serve(respond: RequestListener): Promise<string> {
  const server = createServer(respond);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

const run = (args: string[], given: Parameters<typeof runInProcess>[1] = {}) =>
  runInProcess(args, { environment, ...given });

describe('login', () => {
  test('stores a tested token for its user alone, and logout removes it', async () => {
    const own = { environment: { XDG_CONFIG_HOME: home } };
    const login = await run(['login', testApp.url], { ...own, input: `${secret}\n` });
    expect(login).toMatchObject({ code: 0, error: '' });
    expect(login.out).toContain(me.email);
    expect(login.out).not.toContain(secret);
    const file = join(home, 'toprung', 'connection.json');
    expect((await stat(file)).mode & 0o777).toBe(0o600);
    expect(JSON.parse(await readFile(file, 'utf8'))).toEqual({ url: testApp.url, token: secret });

    const who = await run(['whoami', '--json'], own);
    expect(JSON.parse(who.out)).toMatchObject({ url: testApp.url, user: { email: me.email } });
    // The stored token is not sent to another address.
    const other = await run(['apps', '--url', 'http://127.0.0.1:9'], own);
    expect(other).toMatchObject({ code: 78, error: expect.stringContaining('TOPRUNG_TOKEN') });
    // The environment wins.
    const wrong = { environment: { XDG_CONFIG_HOME: home, TOPRUNG_TOKEN: 'wrong' } };
    expect(await run(['apps'], wrong)).toMatchObject({
      code: 1,
      error: expect.stringMatching(/unauthenticated.*toprung login/),
    });
    expect((await run(['logout'], own)).out).toContain('was removed');
    expect((await run(['apps'], own)).code).toBe(78);
  });

  test('a token that the instance refuses is not stored', async () => {
    const own = { environment: { XDG_CONFIG_HOME: join(home, 'other') } };
    const refused = await run(['login', testApp.url], { ...own, input: 'toprung_wrong' });
    expect(refused).toMatchObject({ code: 1, out: '' });
    expect((await run(['whoami'], own)).code).toBe(78);
  });

  test('another service that responds with JSON replaces no login', async () => {
    const own = { environment: { XDG_CONFIG_HOME: join(home, 'kept') } };
    await run(['login', testApp.url], { ...own, input: secret });
    const url = await serve((_request, response) => void response.end('{}'));
    const login = await run(['login', url], { ...own, input: secret });
    const error = 'something that is not Toprung’s. Check the address: TOPRUNG_URL, --url or';
    expect(login).toEqual({ code: 1, out: '', error: expect.stringContaining(error) });
    expect(login.error.trimEnd().split('\n')).toHaveLength(1);
    const who = await run(['whoami', '--json'], own);
    expect(JSON.parse(who.out)).toMatchObject({ url: testApp.url });
    const apps = await run(['apps'], { environment: { TOPRUNG_URL: url, TOPRUNG_TOKEN: secret } });
    expect(apps).toEqual({ code: 1, out: '', error: login.error });
  });

  test('is for all addresses of its instance', async () => {
    const own = { environment: { XDG_CONFIG_HOME: join(home, 'addresses') } };
    await run(['login', `${testApp.url}/api/backend`], { ...own, input: secret });
    for (const url of [testApp.url, `${testApp.url}/mcp`, `${testApp.url}/api/backend/`])
      expect(await run(['apps', '--url', url], own)).toMatchObject({ code: 0, error: '' });
    const elsewhere = { TOPRUNG_URL: `${testApp.url}/elsewhere`, TOPRUNG_TOKEN: secret };
    expect((await run(['apps'], { environment: elsewhere })).error).toMatch(/Check the address/);
  });
});

test('apps are listed, and named by id, store id or a part of the name', async () => {
  const { out } = await run(['apps']);
  expect(out).toMatch(/id +store +name/);
  expect(out).toContain('1500000001');
  const listed = JSON.parse((await run(['apps', '--json'])).out) as { items: object[] };
  expect(listed.items).toMatchObject([{ id: seeded.appId, store: 'ios' }]);
  for (const name of [String(seeded.appId), '1500000001', 'PLANNER'])
    expect((await run(['keywords', 'list', name])).code).toBe(0);
  const unknown = await run(['keywords', 'list', 'nothing like it']);
  expect(unknown).toMatchObject({ code: 1, error: expect.stringContaining('See toprung apps') });
});

test('positions say what was examined', async () => {
  const { out } = await run(['keywords', 'list', 'planner'], { columns: 100 });
  const line = (phrase: string) => out.split('\n').find((one) => one.includes(phrase));
  expect(line('habit tracker')).toMatch(/ 21 /);
  expect(line('mood journal')).toMatch(/ >200 /);
  expect(line('daily planner')).toMatch(/ – /);
  const ranks = await run(['ranks', 'planner']);
  expect(ranks.out.split('\n').find((one) => one.includes('habit tracker'))).toMatch(/8 +21/);
  const movers = await run(['movers', 'planner', '--from', '2026-11-14', '--to', '2026-11-21']);
  expect(movers.out).toMatch(/lost +habit tracker +us +iphone +8 +21 +-13/);
  const json = JSON.parse((await run(['movers', 'planner', '--json'])).out) as object;
  expect(json).toMatchObject({ gained: [], entered: [], left: [], notComparable: 0 });
  expect(movers.error).toBe('');
  const first = await run(['movers', 'planner', '--from', '2026-11-14', '--limit', '1', '--json']);
  expect(first.error).toBe('lost: the first 1; use --limit 500 for more\n');
  expect(JSON.parse(first.out)).toMatchObject({ lost: [{ phrase: 'habit tracker' }] });
  const apart = await readWithOtherProvider(testApp.api, '2026-11-16', () =>
    run(['movers', 'planner', '--from', '2026-11-14', '--to', '2026-11-21']),
  );
  expect(apart.out).toContain('Nothing was compared.');
  expect(apart.error).toMatch(
    /^\d keywords are not comparable, .*: itunes from 2026-11-11, other from 2026-11-16\n$/,
  );
});

test('actions are those of the API', async () => {
  const { items } = JSON.parse((await run(['actions', '--json'])).out) as {
    items: { id: number }[];
  };
  expect(items.map(({ id }) => id)).toContain(seeded.actionId);
  expect((await run(['actions', '--app', 'planner'])).out).toMatch(/severity +app/);
});

describe('keywords add', () => {
  test('shows the cost and asks, and adds what was not refused', async () => {
    const args = ['keywords', 'add', 'planner', 'sleep diary', '--country', 'us,de'];
    const silent = await run(args);
    expect(silent).toMatchObject({ code: 1, error: expect.stringContaining('Add --yes') });
    const no = await run(args, { replies: ['n'] });
    expect(no.error).toMatch(/2 new keywords, 0 tracked already; 2 more searches/);
    expect(no).toMatchObject({ code: 1, error: expect.stringContaining('Nothing was added') });
    const yes = await run(args, { replies: ['y'] });
    expect(yes.code).toBe(0);
    expect(yes.out).toMatch(
      /sleep diary +de .*\n.*sleep diary +us|sleep diary +us .*\n.*diary +de/,
    );
    expect((await run([...args, '--yes'])).out).toContain('tracked already');
  });

  test('takes hundreds of phrases from stdin, in requests that the API accepts', async () => {
    const input = Array.from({ length: 450 }, (_, index) => `phrase ${index}`).join('\n');
    const args = ['keywords', 'add', 'planner', '--country', 'fr', '--yes', '--json'];
    const { code, out } = await run(args, { input });
    expect(code).toBe(0);
    expect((JSON.parse(out) as { added: object[] }).added).toHaveLength(450);
    const { out: csv } = await run(['keywords', 'export', 'planner', '--country', 'fr']);
    expect(csv.trimEnd().split('\r\n')).toHaveLength(451);
  });

  test('takes UTF-8 from a file and from stdin, and garbles no other text', async () => {
    const file = join(home, 'phrases.txt');
    const args = ['keywords', 'add', 'planner', '--country', 'at', '--yes', '--json'];
    await writeFile(file, '\ufeffmüsli rezepte\r\n');
    const { out } = await run([...args, '--file', file]);
    expect(JSON.parse(out)).toMatchObject({ added: [{ phrase: 'müsli rezepte' }] });
    await writeFile(file, Buffer.from('müsli plan\n', 'latin1'));
    expect(await run([...args, '--file', file])).toEqual({
      code: 1,
      out: '',
      error: `toprung: ${file} is not UTF-8. Save it as UTF-8.\n`,
    });
    const piped = spawnSync(process.execPath, [main, ...args], {
      env: { PATH: process.env.PATH!, ...environment },
      input: Buffer.from('müsli plan\n', 'latin1'),
    });
    expect([piped.status, piped.stderr.toString()]).toEqual([
      1,
      'toprung: The input is not UTF-8. Save it as UTF-8.\n',
    ]);
  });

  test('of which a part failed prints what was added, and how many were', async () => {
    const { pool } = testApp.api.db;
    await pool.query(
      `create function refuse() returns trigger language plpgsql as
         $$ begin raise exception 'refused'; end $$;
       create trigger refuse before insert on markets for each row
         when (new.phrase = 'late phrase 201') execute function refuse()`,
    );
    const input = Array.from({ length: 450 }, (_, index) => `late phrase ${index}`).join('\n');
    const args = ['keywords', 'add', 'planner', '--country', 'es', '--yes', '--json'];
    const { code, out, error } = await run(args, { input });
    expect([code, error]).toEqual([
      1,
      expect.stringMatching(/200 of 450 new keywords were added\. .*\(internal\)/),
    ]);
    expect((JSON.parse(out) as { added: object[] }).added).toHaveLength(200);
    await pool.query('drop trigger refuse on markets');
    expect((await run(args, { input })).error).toContain('250 new keywords, 200 tracked already');
  });

  test('a read-only token is explained', async () => {
    const reader = await testApp.api.token(me, { readOnly: true });
    const args = ['keywords', 'add', 'planner', 'new phrase', '--country', 'us', '--yes'];
    const refused = await run(args, {
      environment: { TOPRUNG_URL: testApp.url, TOPRUNG_TOKEN: reader.secret },
    });
    expect(refused).toMatchObject({ code: 1, error: expect.stringMatching(/write access/) });
  });
});

test('an instance that is not there is named with the next step', async () => {
  const gone = { TOPRUNG_URL: 'http://127.0.0.1:9', TOPRUNG_TOKEN: secret };
  const { code, error } = await run(['apps'], { environment: gone });
  expect(code).toBe(1);
  expect(error).toMatch(/does not respond.*Check that it runs/);
  expect(error).not.toContain(secret);
});

test('an instance that is starting is not taken for a wrong address', async () => {
  const envelope = {
    statusCode: 503,
    error: 'Service Unavailable',
    message: 'The service is starting, stopping or cannot be reached.',
    code: 'unavailable',
    path: '/apps',
    timestamp: '2026-11-21T12:00:00.000Z',
    retryAfterSeconds: 300,
  };
  const responses = [JSON.stringify(envelope), '<h1>Welcome</h1>'];
  const url = await serve((_request, response) => {
    response.writeHead(503).end(responses.shift());
  });
  const there = { environment: { TOPRUNG_URL: url, TOPRUNG_TOKEN: secret } };
  expect((await run(['apps'], there)).error).toBe(
    'toprung: The service is starting, stopping or cannot be reached (unavailable). Run the ' +
      'command again in 300 s.\n',
  );
  expect((await run(['apps'], there)).error).toMatch(
    /not Toprung’s.*may be starting: run the command again.*Check the address/,
  );
});

test('an address that redirects is named, and the token is not sent on', async () => {
  const requested: string[] = [];
  const url = await serve((request, response) => {
    requested.push(request.url!);
    response.writeHead(308, { location: `${testApp.url}${request.url}` }).end();
  });
  const { code, error } = await run(['apps'], {
    environment: { TOPRUNG_URL: url, TOPRUNG_TOKEN: secret },
  });
  expect([code, error]).toEqual([1, expect.stringMatching(/redirects.*your browser shows/)]);
  expect(requested).toHaveLength(1);
});

test('a reader that has seen enough ends the program quietly', async () => {
  const child = spawn(
    'bash',
    ['-o', 'pipefail', '-c', `"${process.execPath}" "${main}" apps | true`],
    {
      env: { PATH: process.env.PATH!, ...environment },
      stdio: ['ignore', 'ignore', 'pipe'],
    },
  );
  let said = '';
  child.stderr.on('data', (text: Buffer) => (said += text.toString()));
  const [code] = (await once(child, 'close')) as [number];
  expect([code, said]).toEqual([0, '']);
});

test('the program exits with 2 for a wrong option', () => {
  const { status } = spawnSync(process.execPath, [main, 'apps', '--nothing']);
  expect(status).toBe(2);
});
