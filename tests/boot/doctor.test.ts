import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, readFile, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Redis } from 'ioredis';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { openDatabaseServer } from '#boot/database.ts';
import { examineInstance, type Finding } from '#boot/doctor/examine-instance.ts';
import type { ReadingOptions } from '#boot/doctor/take-readings.ts';
import { readConfig } from '#config/env.ts';
import { migrate } from '#db/migrate.ts';
import { systemClock, TestClock } from '#lib/clock.ts';
import { silentLogger } from '#lib/logger.ts';
import { ShutdownStack } from '#lib/shutdown-stack.ts';
import { startSimulator, type Simulator } from '#simulator/server.ts';
import { createEmptyDatabase, type EmptyDatabase } from '../backups/backup-databases.ts';
import { hashTables } from '../backups/every-table.fixtures.ts';
import { createCertificate, openssl } from '../harness/certificate.ts';
import { startLoginServer } from '../harness/login-server.ts';
import { until } from '../harness/load-recorder.ts';
import { copyMigratedDataDir } from '../harness/prepared-data-dir.ts';
import { startToprung } from '../harness/process.ts';
import { createDataDir, removeDataDir } from '../harness/product.ts';
import { startReceiver } from '../harness/receiver.ts';
import { redisName, redisProgram, startRedis } from '../harness/redis.ts';
import { mountSmallDisk } from '../harness/small-disk.ts';

if (redisProgram === undefined)
  console.info(`${redisName} is not installed: the doctor is tested without it`);
const testWithRedis = test.skipIf(redisProgram === undefined);

let folder: string;
let server: EmptyDatabase;
let simulator: Simulator;
/** Settings with which every check of the instance on the server passes. */
let healthy: Record<string, string>;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'toprung-test-doctor-'));
  server = await createEmptyDatabase();
  await migrate(server.url, silentLogger);
  simulator = await startSimulator({ compress: false });
  healthy = {
    DATABASE_URL: server.url,
    DATA_DIR: folder,
    STORE_BASE_URL: simulator.baseUrl,
    ENCRYPTION_KEY: 'an-encryption-key-of-this-instance-01',
  };
});
beforeEach(() => simulator.setFaults([]));
afterAll(async () => {
  await simulator.close();
  await server.drop();
  await rm(folder, { recursive: true });
});

const examine = (settings: Record<string, string> = {}, options?: ReadingOptions) =>
  examineInstance(() => readConfig({ ...healthy, ...settings }), options);
const of = (findings: readonly Finding[], check: Finding['check']) =>
  findings.filter((finding) => finding.check === check);
const errorsIn = (findings: readonly Finding[]) =>
  findings.filter(({ state }) => state === 'error').map(({ check }) => check);

/** Runs the command in a folder of its own. */
async function runDoctor(
  environment: Record<string, string>,
  args: string[] = [],
): Promise<{ code: number | null; output: string }> {
  const child = startToprung(['doctor', ...args], environment, folder);
  const { code } = await child.exited;
  return { code, output: child.output() };
}

/** Every file below a directory with its size and the time of its last change. */
async function listFiles(directory: string): Promise<string[]> {
  const names = await readdir(directory, { recursive: true });
  const entries = names.map(async (name) => {
    const { size, mtimeMs, mode } = await stat(join(directory, name));
    return `${name} ${size} ${mtimeMs} ${mode}`;
  });
  return (await Promise.all(entries)).sort();
}

describe('toprung doctor', () => {
  test('finds nothing wrong while the embedded database runs, and once it is stopped', async () => {
    const dataDir = await createDataDir();
    await copyMigratedDataDir(dataDir);
    const environment = { DATA_DIR: dataDir, STORE_BASE_URL: simulator.baseUrl };
    const running = new ShutdownStack();
    const config = { DATABASE_URL: null, DATA_DIR: dataDir };
    await openDatabaseServer(config, silentLogger, running);
    const whole = await runDoctor(environment);
    expect(whole.code, whole.output).toBe(0);
    expect(whole.output).toMatch(/^ok +database +The server responds/m);
    expect(whole.output).toMatch(/^ok +versions +The schema has all \d+ migrations/m);
    expect(whole.output).toMatch(/^ok +stores +iOS responds to a search/m);
    expect(whole.output).toContain('0 errors');
    await running.close();
    const before = await listFiles(dataDir);
    const stopped = await runDoctor(environment, ['--json']);
    expect(stopped.code, stopped.output).toBe(0);
    const { isWell, findings } = JSON.parse(stopped.output) as {
      isWell: boolean;
      findings: Finding[];
    };
    expect(isWell).toBe(true);
    expect(of(findings, 'database')).toMatchObject([
      { state: 'skipped', message: expect.stringContaining('is stopped') },
    ]);
    expect(await listFiles(dataDir)).toEqual(before);
    await removeDataDir(dataDir);
  });

  test('creates nothing on a machine without an instance', async () => {
    const dataDir = join(folder, 'none');
    const { output } = await runDoctor({ DATA_DIR: dataDir, STORE_BASE_URL: simulator.baseUrl });
    expect(output).toContain(`There is no database in ${dataDir} yet`);
    expect(await readdir(folder)).toEqual([]);
  });

  test('fails with each wrong setting, and says what to do, without its value', async () => {
    const { code, output } = await runDoctor({
      DATABASE_URL: 'mysql://me:hunter-2@db.example.org/x',
      BACKUP_AT: '25:00',
    });
    expect(code).toBe(1);
    expect(output).toMatch(/^error +settings +DATABASE_URL must be/m);
    expect(output).toMatch(/^error +settings +BACKUP_AT must be/m);
    expect(output).toContain('→ Correct it');
    expect(output).toContain('2 errors');
    expect(output).not.toContain('hunter-2');
  });

  test('names what .env sets and no setting has', async () => {
    const path = join(folder, '.env');
    await writeFile(path, 'BACKUP_DIRR=/backups\n');
    const { code, output } = await runDoctor(healthy);
    await rm(path);
    expect([code, output]).toEqual([0, expect.stringContaining('.env sets BACKUP_DIRR')]);
  });
});

describe('the examination of an instance', () => {
  test('warns of an open port and of a proxy that is not trusted, but on no socket', async () => {
    const settings = { PUBLIC_URL: 'https://aso.example.org', WEB_HOST: '0.0.0.0' };
    const warningsWith = async (more: Record<string, string>) =>
      of(await examine({ ...settings, ...more }), 'settings')
        .map(({ message }) => /^(WEB_HOST|PUBLIC_URL)/.exec(message)?.[1])
        .filter((name) => name !== undefined);
    expect(await warningsWith({})).toEqual(['PUBLIC_URL']);
    expect(await warningsWith({ PUBLIC_URL: 'http://aso.example.org' })).toEqual(['WEB_HOST']);
    const socket = { WEB_SOCKET: join(folder, 'web.sock') };
    expect(await warningsWith(socket)).toEqual([]);
    expect(await warningsWith({ PUBLIC_URL: 'http://aso.example.org', ...socket })).toEqual([]);
  });

  test('warns of a missing ENCRYPTION_KEY, also before the file with a key exists', async () => {
    const [finding] = of(await examine({ ENCRYPTION_KEY: '' }), 'settings');
    expect(finding).toMatchObject({
      state: 'warning',
      message: expect.stringContaining('ENCRYPTION_KEY is not set'),
      remedy: expect.stringMatching(/secrets-key in DATA_DIR or, while .* 32 random characters/),
    });
  });

  test('has an outcome for every check and writes no row', async () => {
    const before = await hashTables(server.pool);
    const findings = await examine();
    expect(errorsIn(findings)).toEqual([]);
    expect(new Set(findings.map(({ check }) => check)).size).toBe(12);
    for (const { state, remedy } of findings)
      expect(remedy === null).toBe(state === 'ok' || state === 'skipped');
    expect(await hashTables(server.pool)).toEqual(before);
  });

  test('reports a database that is gone, and checks the rest', async () => {
    const findings = await examine({ DATABASE_URL: 'postgres://me:hunter-2@127.0.0.1:1/gone' });
    expect(errorsIn(findings)).toEqual(['database']);
    expect(of(findings, 'database')[0]!.message).toContain('ECONNREFUSED');
    expect(of(findings, 'clock')[0]!.state).toBe('skipped');
    expect(of(findings, 'stores').map(({ state }) => state)).toEqual(['ok', 'ok']);
    expect(JSON.stringify(findings)).not.toContain('hunter-2');
  });

  test('reports a database that accepts no writes', async () => {
    const name = new URL(server.url).pathname.slice(1);
    await server.pool.query(`alter database ${name} set default_transaction_read_only = on`);
    const findings = await examine({}, { egress: [] });
    // A new connection of the pool is read-only, too.
    await server.pool.query(`begin read write; alter database ${name} reset all; commit`);
    expect(of(findings, 'database')).toMatchObject([
      { state: 'error', remedy: expect.stringContaining('primary') },
    ]);
  });

  test('reports a schema of a newer version, and a migration that was changed', async () => {
    const schemaAfter = async (change: string, undo: string) => {
      await server.pool.query(change);
      const findings = of(await examine(), 'versions');
      await server.pool.query(undo);
      return findings.at(-1);
    };
    expect(
      await schemaAfter(
        "insert into migrations (name, hash) values ('9999_later.sql', '-')",
        "delete from migrations where name = '9999_later.sql'",
      ),
    ).toMatchObject({ state: 'error', message: expect.stringContaining('9999_later.sql') });
    expect(
      await schemaAfter(
        "update migrations set hash = 'x' || hash where name like '0006%'",
        "update migrations set hash = substr(hash, 2) where name like '0006%'",
      ),
    ).toMatchObject({ state: 'error', message: expect.stringContaining('0006_runs.sql') });
  });

  test('compares the clock of this machine with that of the database', async () => {
    const clockAhead = async (ms: number) => {
      // It goes on, because a busy machine needs seconds until it is compared.
      const clock = { ...systemClock, now: () => new Date(Date.now() + ms) };
      return of(await examine({}, { clock, egress: [] }), 'clock')[0]!;
    };
    expect((await clockAhead(0)).state).toBe('ok');
    expect(await clockAhead(120_000)).toMatchObject({
      state: 'error',
      message: expect.stringMatching(/is 1(19|20|21) s ahead of that of the database/),
    });
    expect(await clockAhead(-15_000)).toMatchObject({
      state: 'warning',
      message: expect.stringMatching(/is 1[456] s behind/),
    });
  });

  test('reports a folder that is none, a full disk and a read-only one', async (context) => {
    const file = join(folder, 'file');
    await writeFile(file, '');
    const asFile = of(await examine({ BACKUP_DIR: file }, { egress: [] }), 'disk');
    await rm(file);
    expect(asFile).toMatchObject([{}, { state: 'error', message: expect.stringContaining(file) }]);
    const disk = mountSmallDisk('80m');
    if (disk === null) return context.skip('this process may not mount a file system');
    const stateOf = async () =>
      of(await examine({ BACKUP_DIR: disk.path }, { egress: [] }), 'disk')[1]!;
    expect((await stateOf()).state).toBe('warning');
    disk.fill();
    expect(await stateOf()).toMatchObject({
      state: 'error',
      message: expect.stringContaining('0 bytes of free space'),
    });
    disk.free();
    execFileSync('mount', ['-o', 'remount,ro', disk.path]);
    expect(await stateOf()).toMatchObject({
      state: 'error',
      message: expect.stringContaining('cannot be written to: EROFS'),
    });
    disk.remove();
  });

  test('compares the database with DISK_BUDGET_BYTES', async () => {
    const findings = await examine({ DISK_BUDGET_BYTES: '1000' }, { egress: [] });
    expect(of(findings, 'disk')[1]).toMatchObject({ state: 'error' });
  });

  test('has different remedies for a store that refuses and one that is away', async () => {
    simulator.setFaults([
      { fault: '429', store: 'ios' },
      { fault: 'sorry', store: 'android' },
    ]);
    const [ios, android] = of(await examine(), 'stores');
    expect(ios).toMatchObject({
      state: 'error',
      message: 'iOS: refused, 429, through direct.',
      remedy: expect.stringContaining('EGRESS_PROXIES'),
    });
    expect(android).toMatchObject({ state: 'error', message: expect.stringContaining('sorry') });
    simulator.setFaults([{ fault: '502', store: 'ios' }]);
    expect(of(await examine(), 'stores')).toMatchObject([
      { state: 'error', remedy: expect.stringContaining('DNS') },
      { state: 'ok' },
    ]);
  });

  const coolDown = (...hosts: string[]) =>
    server.pool.query(
      `insert into pacing (store, host, endpoint, interval_us, next_at, cooldown_until)
       select 'ios', host, 'direct', 4000000, now(), now() + interval '1 hour'
       from unnest($1::text[]) as host`,
      [hosts],
    );

  test('sends nothing through an endpoint that cools down', async () => {
    await coolDown('apps.apple.com');
    const before = simulator.log().length;
    const findings = await examine();
    await server.pool.query('delete from pacing');
    expect(of(findings, 'stores')[0]).toMatchObject({
      state: 'error',
      message: expect.stringContaining('cooling'),
    });
    expect(
      simulator
        .log()
        .slice(before)
        .map(({ store }) => store),
    ).not.toContain('ios');
  });

  test('reports no store because of a host that its searches do not use', async () => {
    await coolDown('', 'is1-ssl.mzstatic.com');
    const findings = await examine();
    await server.pool.query('delete from pacing');
    expect(of(findings, 'stores')[0]).toMatchObject({ state: 'ok' });
  });

  test('names a proxy through which no store responds, without its password', async () => {
    const findings = await examine({ EGRESS_PROXIES: 'http://me:hunter-2@127.0.0.1:1' });
    expect(of(findings, 'proxies')).toMatchObject([
      { state: 'error', message: expect.stringContaining('through 127.0.0.1:1 (connect)') },
    ]);
    expect(JSON.stringify(findings)).not.toContain('hunter-2');
  });

  test('reports a scheduled backup that is missing, and that none is scheduled', async () => {
    const backups = async (settings: Record<string, string>) =>
      of(await examine(settings, { egress: [] }), 'backups')[0]!;
    const scheduled = { BACKUP_DIR: join(folder, 'backups') };
    expect((await backups(scheduled)).state).toBe('ok');
    expect(await backups({})).toMatchObject({
      state: 'warning',
      remedy: expect.stringContaining('BACKUP_DIR'),
    });
    await server.pool.query(`
      insert into backups (scheduled_for, state, started_at, finished_at, path, bytes, rows,
        database_bytes, seconds)
      select at, 'succeeded', at, at, '/backups/a.backup', 1, 1, 1, 1
      from (select now() - interval '50 hours' as at) as old`);
    expect(await backups(scheduled)).toMatchObject({
      state: 'error',
      message: expect.stringContaining('50 hours ago'),
    });
    expect((await backups({})).state).toBe('warning');
    // A worker has settings of its own.
    await server.pool.query(`update instance set backup_schedule = '{"atMinutes": 60}'`);
    expect((await backups({})).state).toBe('error');
    await server.pool.query('update instance set backup_schedule = null; delete from backups');
  });

  test('says when the bucket got its last backup, and reports one that is missing', async () => {
    const bucket = {
      BACKUP_DIR: join(folder, 'backups'),
      BACKUP_S3_URL: 's3://backups/home',
      BACKUP_S3_ACCESS_KEY_ID: 'an-access-key-of-hunter-2',
      BACKUP_S3_SECRET_ACCESS_KEY: 'hunter-2-secret',
    };
    const uploads = async (settings: Record<string, string> = {}) =>
      of(await examine({ ...bucket, ...settings }, { egress: [] }), 'backups')[1]!;
    const add = (hours: number, state: string) =>
      server.pool.query(
        `insert into backups (scheduled_for, state, started_at, path, bytes, rows,
           database_bytes, seconds, upload_state, object_url)
         select at, 'succeeded', at, '/backups/a.backup', 1, 1, 1, 1, $2,
           case when $2 = 'succeeded' then 's3://backups/home/a.backup' end
         from (select now() - make_interval(hours => $1) as at) as old`,
        [hours, state],
      );
    expect(await uploads()).toMatchObject({ state: 'warning' });
    await add(50, 'succeeded');
    await add(2, 'failed');
    const missing = await uploads();
    expect(missing).toMatchObject({
      state: 'error',
      message: expect.stringContaining('50 hours ago'),
      remedy: expect.stringContaining('toprung upload'),
    });
    await add(1, 'succeeded');
    expect(await uploads()).toMatchObject({ state: 'ok' });
    const moved = { BACKUP_S3_URL: 's3://backups/home2' };
    expect(await uploads(moved)).toMatchObject({
      state: 'warning',
      message: expect.stringContaining('s3://backups/home2 is missing'),
    });
    expect(JSON.stringify([missing, await uploads()])).not.toContain('hunter-2');
    await server.pool.query('delete from backups');
  });

  test('finds the age of the newest backup while the database is stopped', async () => {
    const dataDir = await createDataDir();
    await copyMigratedDataDir(dataDir);
    const backups = join(folder, 'kept');
    await mkdir(backups);
    await writeFile(join(backups, 'toprung-2026-11-20T010003Z.backup'), '');
    // Of a clock that was ahead.
    await writeFile(join(backups, 'toprung-2031-01-01T010000Z.backup'), '');
    const config = () =>
      readConfig({ DATA_DIR: dataDir, BACKUP_DIR: backups, STORE_BASE_URL: simulator.baseUrl });
    const at = (instant: string) =>
      examineInstance(config, { clock: new TestClock(instant), egress: [] });
    expect(of(await at('2026-11-20T12:00:00Z'), 'backups')).toMatchObject([
      { state: 'ok', message: expect.stringContaining('2026-11-20T01:00:03.000Z, 10 hours') },
    ]);
    expect(of(await at('2026-11-22T12:00:00Z'), 'backups')[0]!.state).toBe('warning');
    await rm(backups, { recursive: true });
    await removeDataDir(dataDir);
  });

  testWithRedis('reports a Redis that drops jobs, is full, or is gone', async () => {
    const redis = (await startRedis())!;
    const queue = async () => of(await examine({ QUEUE_URL: redis.url }, { egress: [] }), 'queue');
    expect((await queue()).map(({ state }) => state)).toEqual(['ok']);
    const client = new Redis(redis.url);
    await client.config('SET', 'maxmemory-policy', 'allkeys-lru');
    expect((await queue()).at(-1)).toMatchObject({
      state: 'error',
      message: expect.stringContaining('allkeys-lru'),
    });
    await client.config('SET', 'maxmemory-policy', 'noeviction');
    await redis.setMemory('1mb');
    expect(await queue()).toMatchObject([
      { state: 'error', message: expect.stringContaining('of 1.0 MB') },
    ]);
    client.disconnect();
    await redis.stop();
    expect(await queue()).toMatchObject([
      { state: 'error', message: expect.stringContaining('ECONNREFUSED') },
    ]);
  });

  const queueAndLimits = async (url: string) =>
    (await examine({ QUEUE_URL: url, LIMITS_URL: url }, { egress: [] })).filter(
      ({ check, state }) => ['queue', 'limits'].includes(check) && state === 'error',
    );

  testWithRedis('reports a Redis that could not write a snapshot, or is a replica', async () => {
    const redis = (await startRedis())!;
    const client = new Redis(redis.url);
    const save = async (status: string) => {
      await client.bgsave();
      const isSaved = async () =>
        (await client.info('persistence')).includes(`rdb_last_bgsave_status:${status}`);
      await until(isSaved, 30_000, 'the end of a snapshot');
    };
    const [, directory] = await client.config('GET', 'dir');
    const snapshot = join(directory!, 'dump.rdb');
    await mkdir(join(snapshot, 'in-the-way'), { recursive: true });
    await save('err');
    // Without scheduled snapshots it accepts writes all the same.
    expect(await queueAndLimits(redis.url)).toEqual([]);
    await client.config('SET', 'save', '3600 1');
    await expect(client.set('refused', '1')).rejects.toThrow('MISCONF');
    expect(await queueAndLimits(redis.url)).toMatchObject([
      { check: 'queue', message: expect.stringContaining('refuses every write') },
      { check: 'limits', remedy: expect.stringContaining('Free space') },
    ]);
    await rm(snapshot, { recursive: true });
    await save('ok');
    expect(await queueAndLimits(redis.url)).toEqual([]);
    await client.replicaof('127.0.0.1', 1);
    expect(await queueAndLimits(redis.url)).toMatchObject([
      { check: 'queue', remedy: 'Set QUEUE_URL to its primary.' },
      { check: 'limits', remedy: 'Set LIMITS_URL to its primary.' },
    ]);
    client.disconnect();
    await redis.stop();
  });

  test('ends with a Redis that accepts the connection and is silent', async () => {
    const silent = createServer((socket) => socket.on('error', () => undefined).resume());
    await once(silent.listen(0, '127.0.0.1'), 'listening');
    const { port } = silent.address() as AddressInfo;
    expect(await queueAndLimits(`redis://127.0.0.1:${port}`)).toMatchObject([
      { check: 'queue', message: expect.stringContaining('no response within') },
      { check: 'limits', message: expect.stringContaining('no response within') },
    ]);
    silent.close();
  });

  testWithRedis('reports a Redis for limits that is full, slow or gone', async () => {
    const redis = (await startRedis())!;
    const limits = async (settings: Record<string, string> = {}) =>
      of(
        await examine(
          { LIMITS_URL: redis.url, LIMITS_TIMEOUT_MS: '10000', ...settings },
          { egress: [] },
        ),
        'limits',
      );
    expect(await limits()).toMatchObject([{ state: 'ok' }]);
    await redis.set('junk', 'x'.repeat(200_000));
    await redis.setMemory('1mb');
    expect(await limits()).toMatchObject([
      { state: 'error', message: expect.stringContaining('of 1.0 MB') },
    ]);
    await redis.stop();
    expect(await limits()).toMatchObject([
      { state: 'error', message: expect.stringContaining('ECONNREFUSED') },
    ]);
    expect(of(await examine({}, { egress: [] }), 'limits')).toMatchObject([
      { state: 'skipped', message: expect.stringContaining('in the database') },
    ]);
  });
});

describe('the check for a newer release', () => {
  const versions = async (settings: Record<string, string>, options?: ReadingOptions) =>
    of(await examine(settings, options), 'versions').map(({ state, message }) => [state, message]);

  test('asks now, and not at all where it is off', async () => {
    const receiver = await startReceiver();
    const settings = { UPDATE_CHECK_URL: receiver.url };
    const respondWith = (text: string) => (receiver.respond = (response) => response.end(text));
    respondWith('{"version":"99.1.2"}');
    expect(await versions(settings)).toContainEqual(['warning', 'Toprung 99.1.2 is available.']);
    respondWith('{"version":"0.0.1"}');
    expect(await versions(settings)).toContainEqual(['ok', 'There is no newer version.']);
    respondWith('<html>');
    expect((await versions(settings))[1]).toMatchObject([
      'warning',
      expect.stringContaining('not JSON'),
    ]);
    const before = receiver.requests.length;
    const off = await versions({ ...settings, UPDATE_CHECK: 'off' });
    expect(off).toEqual(await versions({}));
    await server.pool.query("update instance set newest_version = '99.1.3'");
    const inProduct = await versions(settings, { egress: [] });
    await server.pool.query('update instance set newest_version = null');
    expect(inProduct).toContainEqual(['warning', 'Toprung 99.1.3 is available.']);
    expect(receiver.requests).toHaveLength(before);
    await receiver.close();
  });
});

describe('the check of the mail server', () => {
  const [user, password] = ['operator@example.org', 'hunter-2-of-smtp'];
  const login = { user, password };
  const settingsOf = (port: number, credentials = '', scheme = 'smtp', host = '127.0.0.1') => ({
    SMTP_URL: `${scheme}://${credentials}${host}:${port}`,
    MAIL_FROM: 'Toprung <aso@example.org>',
    PUBLIC_URL: 'http://aso.example.org',
  });
  const credentials = `${encodeURIComponent(user)}:${password}@`;
  const mail = async (settings: Record<string, string>) => of(await examine(settings), 'mail')[0]!;

  test('logs in and sends nothing', async () => {
    const server = await startLoginServer({ login });
    expect(await mail(settingsOf(server.port, credentials))).toMatchObject({
      state: 'ok',
      message: expect.stringContaining('and the login'),
    });
    expect(await mail(settingsOf(server.port))).toMatchObject({ state: 'ok' });
    await expect.poll(() => server.commands.filter((line) => line === 'QUIT').length).toBe(2);
    const commands = server.commands.map((line) => line.split(' ')[0]);
    expect(new Set(commands)).toEqual(new Set(['EHLO', 'AUTH', 'QUIT']));
    await server.close();
  });

  test('says what to do about a login that is refused, and quotes no password', async () => {
    const server = await startLoginServer({ login: { ...login, password: 'another' } });
    const finding = await mail(settingsOf(server.port, credentials));
    await server.close();
    expect(finding).toMatchObject({
      state: 'error',
      message: expect.stringContaining('535'),
      remedy: expect.stringContaining('user and password'),
    });
    expect(JSON.stringify(finding)).not.toMatch(/hunter-2|operator@/);
  });

  test('encrypts where it is offered, and refuses a certificate of nobody', async (context) => {
    if (openssl === undefined) return context.skip('no openssl here');
    const files = { cert: join(folder, 'mail.pem'), key: join(folder, 'mail.key') };
    createCertificate(files.cert, files.key);
    const tls = {
      cert: await readFile(files.cert, 'utf8'),
      key: await readFile(files.key, 'utf8'),
    };
    const server = await startLoginServer({ login, tls });
    const settings = settingsOf(server.port, credentials, 'smtp', 'localhost');
    expect(await mail(settings)).toMatchObject({
      state: 'error',
      message: expect.stringContaining('encryption'),
      remedy: expect.stringContaining('certificate'),
    });
    expect(server.commands.join()).not.toContain('AUTH');
    const trusting = { ...healthy, ...settings, NODE_EXTRA_CA_CERTS: files.cert };
    const { output } = await runDoctor(trusting);
    expect(output).toMatch(/^ok +mail +The mail server accepts an encrypted connection and the l/m);
    expect(server.commands.filter((line) => line.startsWith('AUTH'))).toHaveLength(1);
    await server.close();
    await Promise.all([rm(files.cert), rm(files.key)]);
  });

  test.each([
    ['is silent', null],
    ['speaks another protocol', 'HTTP/1.1 400 Bad Request'],
    ['refuses', '554 no service for \u001b[31m you'],
    ['never ends its line', 'x'.repeat(5_000_000)],
  ])('ends with a server that %s', async (_kind, greeting) => {
    const server = await startLoginServer({ greeting });
    const finding = await mail(settingsOf(server.port));
    await server.close();
    expect(finding).toMatchObject({ state: 'error' });
    expect(finding.message.length).toBeLessThan(300);
    expect(finding.message).not.toMatch(/\p{Cc}/u);
  });

  test('is left to the command, and skipped without a server', async () => {
    const server = await startLoginServer({});
    const inProduct = await examine(settingsOf(server.port), { egress: [] });
    await server.close();
    expect(of(inProduct, 'mail')).toMatchObject([{ state: 'skipped' }]);
    expect(server.commands).toEqual([]);
    expect((await mail({})).state).toBe('skipped');
  });
});
