import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { listServerPids } from '#embedded-postgres/server-processes.ts';
import { clusterName, findServerLocation } from '#embedded-postgres/server-location.ts';
import { openDatabaseServer } from '#boot/database.ts';
import { readConfig } from '#config/env.ts';
import { withClient } from '#db/driver/with-client.ts';
import { createTrust } from '#lib/client-address.ts';
import { isLoopbackHost, localUrlOf } from '#lib/listen.ts';
import { silentLogger } from '#lib/logger.ts';
import { SetupError } from '#lib/setup-error.ts';
import { ShutdownStack } from '#lib/shutdown-stack.ts';
import { createTestDatabase, type TestDatabase } from '../harness/database.ts';
import { until } from '../harness/load-recorder.ts';
import { copyMigratedDataDir } from '../harness/prepared-data-dir.ts';
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
    expect((await wrong.exited).code).toBe(1);
    expect(wrong.output()).toContain('no account has the address');
  });

  test('names a .env that cannot be read, such as a directory, and fails', async () => {
    await mkdir(join(folder, '.env'));
    for (const [command, code] of [
      ['migrate', 78],
      ['doctor', 1],
    ] as const) {
      const child = startToprung([command], {}, folder);
      expect([command, (await child.exited).code]).toEqual([command, code]);
      expect(child.output()).toContain(`${join(folder, '.env')} must be a file that this user may`);
      expect(child.output()).not.toContain(' at ');
    }
  });

  test('finds no instance in another folder, creates none, and says where it looked', async () => {
    await writeFile(join(folder, 'labels.csv'), 'phrase,country,popularity\nchess,us,50\n');
    for (const command of [
      ['user', 'reset-link', 'me@example.org'],
      ['user', 'confirm', 'me@example.org'],
      ['user', 'operator', 'me@example.org'],
      ['scores', 'evaluate', 'labels.csv'],
      ['reader', 'list'],
      ['backup'],
    ]) {
      const child = startToprung(command, {}, folder);
      expect([command, (await child.exited).code]).toEqual([command, 1]);
      expect(child.output()).toContain(
        `There is no database in the data directory ${join(folder, 'data')}. Set DATA_DIR`,
      );
    }
    expect(await readdir(folder)).toEqual(['labels.csv']);
  });

  test('about accounts works while the product runs, and while it is stopped', async () => {
    await copyMigratedDataDir(folder);
    const running = new ShutdownStack();
    const config = { DATABASE_URL: null, DATA_DIR: folder };
    const database = await openDatabaseServer(config, silentLogger, running);
    await withClient(database.urlOf('owner'), (client) =>
      client.query("insert into users (email, password_hash) values ('me@example.org', '-')"),
    );
    const confirm = async () => {
      const child = startToprung(['user', 'confirm', 'me@example.org'], { DATA_DIR: folder });
      return [(await child.exited).code, child.output().trim().split('\n').at(-1)];
    };
    expect(await confirm()).toEqual([0, 'me@example.org is confirmed now.']);
    await running.close();
    expect(await confirm()).toEqual([0, 'me@example.org is confirmed already.']);
  });

  test('that reads leaves the schema of another version as it is', async () => {
    await writeFile(join(folder, 'labels.csv'), 'phrase,country,popularity\nchess,us,50\n');
    const own = await createTestDatabase();
    const evaluate = async () => {
      const args = ['scores', 'evaluate', 'labels.csv'];
      const child = startToprung(args, { DATABASE_URL: own.url }, folder);
      expect([(await child.exited).code, child.output()]).toEqual([
        1,
        expect.not.stringMatching(/ at /),
      ]);
      return child.output();
    };
    const list = async () =>
      (await own.pool.query('select name, hash from migrations order by name')).rows;
    const last = 'where name = (select max(name) from migrations)';
    await own.pool.query(`update migrations set name = '9999_newer.sql' ${last}`);
    const before = await list();
    expect(await evaluate()).toContain('made by a newer version (9999_newer.sql)');
    expect(await list()).toEqual(before);
    await own.pool.query(`delete from migrations ${last}`);
    expect(await evaluate()).toContain('has the schema of an older version');
    expect(await list()).toEqual(before.slice(0, -1));
    await own.drop();
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

  test.each([
    ['EGRESS_PROXIES', 'http://10.0.0.1:8080,http://user:hid%den@10.0.0.2:8080'],
    ['EGRESS_PROXIES', 'https://50%:hidden@10.0.0.2:8080'],
    ['QUEUE_URL', 'redis://user:hid%den@localhost'],
    ['LIMITS_URL', 'rediss://:hidden%@localhost'],
  ])(
    '%s=%s is named for a percent sign that encodes nothing, with what to write',
    (name, value) => {
      const read = (text: string) => () => readConfig({ [name]: text });
      expect(read(value)).toThrow(
        `Settings to correct:\n  ${name} must be written with %25 for each % in a user or password`,
      );
      expect(read(value)).not.toThrow(/hid/);
      expect(read(value.replace('%', '%25'))).not.toThrow();
    },
  );

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
