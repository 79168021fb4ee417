import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { listServerPids } from '#embedded-postgres/server-processes.ts';
import { clusterName, findServerLocation } from '#embedded-postgres/server-location.ts';
import { readConfig } from '#config/env.ts';
import { createTrust } from '#lib/client-address.ts';
import { isLoopbackHost, localUrlOf } from '#lib/listen.ts';
import { SetupError } from '#lib/setup-error.ts';
import { createTestDatabase, type TestDatabase } from '../harness/database.ts';
import { until } from '../harness/load-recorder.ts';
import { startToprung } from '../harness/process.ts';
import { createDataDir, removeDataDir } from '../harness/product.ts';

let db: TestDatabase;
let folder: string;

beforeAll(async () => {
  db = await createTestDatabase();
});
beforeEach(async () => {
  folder = await createDataDir();
});
afterEach(() => removeDataDir(folder));
afterAll(() => db.drop());

describe('a command', () => {
  test('reads .env in its folder, as npm start does; the environment has precedence', async () => {
    await writeFile(join(folder, '.env'), `DATABASE_URL='${db.url}'\nLOG_LEVEL=loud\n`);
    const migrating = startToprung(
      ['migrate'],
      { DATA_DIR: join(folder, 'data'), LOG_LEVEL: 'warn' },
      folder,
    );
    expect(await migrating.exited).toEqual({ code: 0, signal: null });
    expect(await readdir(folder)).toEqual(['.env']);
    const wrong = startToprung(
      ['user', 'confirm', 'nobody@example.org'],
      { LOG_LEVEL: '' },
      folder,
    );
    expect((await wrong.exited).code).toBe(78);
    expect(wrong.output()).toContain('no account has the address');
  });

  test('needs no more than 256 open files, and a lower limit is reported in words', async () => {
    const run = async (limit: number, args: string[]) => {
      const child = spawn(
        'sh',
        ['-c', `ulimit -n ${limit}; exec "$0" "$@"`, process.execPath, ...args],
        {
          env: { ...process.env, DATA_DIR: join(folder, 'data'), WEB_PORT: '0', API_PORT: '0' },
          cwd: folder,
        },
      );
      let output = '';
      for (const stream of [child.stdout, child.stderr])
        stream.setEncoding('utf8').on('data', (text: string) => (output += text));
      const [code] = (await once(child, 'close')) as [number | null];
      return { code, output };
    };
    const source = (path: string) => fileURLToPath(new URL(`../../src/${path}`, import.meta.url));
    const copy =
      `const binaries = await import('${source('embedded-postgres/binaries.ts')}');` +
      'await binaries.installBinaries(await binaries.findBinaryPackage(), process.argv[1]);';
    expect(await run(256, ['--input-type=module', '-e', copy, folder])).toEqual({
      code: 0,
      output: '',
    });
    const { code, output } = await run(50, [source('cli/main.js'), 'start']);
    expect(code).toBe(1);
    expect(output).toMatch(
      /toprung: The limit of open files of this process is too low.*ulimit -n/,
    );
    expect(output).not.toMatch(/\n\s+at /);
  });

  test('exits with an error when it is stopped early', async () => {
    const other = await db.pool.connect();
    await other.query('select pg_advisory_lock(7470731)');
    const child = startToprung(['migrate'], { DATABASE_URL: db.url, LOG_LEVEL: 'info' });
    await child.waitFor('waiting for it');
    await child.kill('SIGTERM');
    other.release(true);
    expect(await child.exited).toEqual({ code: 1, signal: null });
  });

  test('leaves no PostgreSQL running when it is stopped during the migration', async () => {
    const child = startToprung(['start'], {
      DATA_DIR: folder,
      WEB_PORT: '0',
      API_PORT: '0',
      LOG_LEVEL: 'info',
    });
    await child.waitFor('"migrated"');
    await child.kill('SIGTERM');
    expect(await child.exited, child.output()).toEqual({ code: 0, signal: null });
    const cluster = join((await findServerLocation(folder)).home, clusterName);
    await until(() => listServerPids(cluster).length === 0, 60_000, 'the end of PostgreSQL');
    expect(child.output()).not.toMatch(/toprung: | at /);
  });
});

test('a simulator ends with the process that started it, however that ends', async () => {
  const module = new URL('../../src/cli/simulator-process.ts', import.meta.url).href;
  const program =
    `console.log((await (await import('${module}')).startSimulatorProcess(['--apps', ` +
    `'20'])).baseUrl)`;
  const parent = spawn(process.execPath, ['--input-type=module', '-e', program], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [url] = (await once(createInterface(parent.stdout), 'line')) as [string];
  const responses = () =>
    fetch(url).then(
      () => true,
      () => false,
    );
  expect(await responses()).toBe(true);
  parent.kill('SIGKILL');
  await until(async () => !(await responses()), 60_000, 'the end of the simulator');
});

describe('an invalid setting', () => {
  test.each([
    ['SERP_KEEP_DAYS', 31],
    ['EVENT_KEEP_DAYS', 31],
    ['JOB_KEEP_DAYS', 8],
    ['SCORE_PROVENANCE_KEEP_DAYS', 31],
  ])('%s is no number of days from %i on, and not forever', (name, least) => {
    const read = (value: string) => readConfig({ [name]: value }) as Record<string, unknown>;
    expect([String(least), '36500', 'forever'].map((value) => read(value)[name])).toEqual([
      least,
      36_500,
      null,
    ]);
    for (const value of [String(least - 1), '0', '-1', '36501', '1e3', '40.5', 'never', '400 days'])
      expect(() => read(value)).toThrow(
        `${name} must be a whole number from ${least} to 36500, or forever`,
      );
  });

  test.each([
    ['EGRESS_PROXIES', 'http://10.0.0.1:8080,user:hidden@10.0.0.2:8080'],
    ['EGRESS_PROXIES', 'socks5://user:hidden@10.0.0.2:1080'],
    ['TRUST_PROXY', '10.0.0.0/33'],
    ['TRUST_PROXY', '10.0.0.0/8/8'],
    ['TRUST_PROXY', 'fd00::/129'],
    ['WEBHOOK_ALLOWED_SUBNETS', '10.0.0.0/'],
  ])('%s=%s is named, without its value if it is a secret', (name, value) => {
    const read = () => readConfig({ [name]: value });
    expect(read).toThrow(SetupError);
    expect(read).toThrow(new RegExp(`^Settings to correct:\\n  ${name} must be addresses`));
    expect(read).not.toThrow('hidden');
  });

  test('is a mail server without the public address, which links in mail need', () => {
    const mail = { SMTP_URL: 'smtp://mail.example.org', MAIL_FROM: 'aso@example.org' };
    expect(() => readConfig(mail)).toThrow(
      'Settings to correct:\n  PUBLIC_URL must be set when SMTP_URL is',
    );
    const PUBLIC_URL = 'https://aso.example.org';
    expect(readConfig({ ...mail, PUBLIC_URL })).toMatchObject({ ...mail, PUBLIC_URL });
  });

  test('is not one of the valid settings', () => {
    const subnets = ['10.0.0.0/8', '127.0.0.1', 'fd00::/8', '::1', '0.0.0.0/0', '::/128'];
    const proxies = ['http://user:hidden@10.0.0.1:8080', 'https://proxy.example'];
    const config = readConfig({
      TRUST_PROXY: subnets.join(),
      WEBHOOK_ALLOWED_SUBNETS: subnets.join(', '),
      EGRESS_PROXIES: proxies.join(', '),
    });
    expect(config).toMatchObject({
      TRUST_PROXY: subnets,
      WEBHOOK_ALLOWED_SUBNETS: subnets,
      EGRESS_PROXIES: proxies,
    });
    expect(createTrust(subnets)).toBeTypeOf('function');
  });
});

describe('a host to listen on', () => {
  test.each([
    ['127.0.0.1', 'http://127.0.0.1:4000', true],
    ['0.0.0.0', 'http://127.0.0.1:4000', false],
    ['::', 'http://[::1]:4000', false],
    ['::1', 'http://[::1]:4000', true],
    ['2001:db8::7', 'http://[2001:db8::7]:4000', false],
    ['localhost', 'http://localhost:4000', true],
    ['aso.internal', 'http://aso.internal:4000', false],
  ])('%s is reached from here as %s', (host, url, isOurs) => {
    expect([localUrlOf(host, 4000), isLoopbackHost(host)]).toEqual([url, isOurs]);
    expect(URL.canParse(localUrlOf(host, 4000))).toBe(true);
  });
});
