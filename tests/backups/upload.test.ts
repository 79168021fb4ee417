import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { openBackupMaker, type OwnBackupMaker } from '#boot/backups/open-backup-maker.ts';
import { readConfig } from '#config/env.ts';
import { checkBackups } from '#domain/scheduling/backups/check-backups.ts';
import { getBackupState } from '#domain/scheduling/backups/get-backup-state.ts';
import { startDueBackup, waitForBackup } from '#domain/scheduling/backups/start-due-backup.ts';
import { startDueUpload, waitForUpload } from '#domain/scheduling/backups/start-due-upload.ts';
import { runPeriodicTasks } from '#domain/scheduling/runs/run-periodic-tasks.ts';
import { TestClock } from '#lib/clock.ts';
import { silentLogger } from '#lib/logger.ts';
import { startApi, type Account, type TestApi } from '../harness/api.ts';
import { schedule } from '../harness/background-work.ts';
import { createTestDatabase, type TestDatabase } from '../harness/database.ts';
import { keepOrder } from '../harness/keep-order.ts';
import { until } from '../harness/load-recorder.ts';
import { startToprung } from '../harness/process.ts';
import { s3Key, startS3Server, type S3Server } from '../harness/s3-server.ts';
import { createEmptyDatabase, type EmptyDatabase } from './backup-databases.ts';
import { hashTables } from './every-table.fixtures.ts';
import { writeLargeBackup } from './large-backup.fixtures.ts';

keepOrder('each test of the schedule continues on the days of the one before');

const clock = new TestClock('2026-11-20T00:30:00Z');
const operatorEmail = 'me@example.org';
const url = 's3://backups-of-tests/home';
let folder: string;
let server: S3Server;
let settings: Record<string, string>;
let db: TestDatabase;
let maker: OwnBackupMaker;
let api: TestApi;
let operator: Account;
let alerts: object[];
const logged: string[] = [];

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'toprung-test-uploads-'));
  server = await startS3Server();
  settings = {
    BACKUP_S3_URL: url,
    BACKUP_S3_ENDPOINT: server.url,
    BACKUP_S3_REGION: s3Key.region,
    BACKUP_S3_ACCESS_KEY_ID: s3Key.accessKeyId,
    BACKUP_S3_SECRET_ACCESS_KEY: s3Key.secretAccessKey,
  };
  db = await createTestDatabase();
  maker = openBackupMaker(
    readConfig({
      ...settings,
      BACKUP_DIR: folder,
      BACKUP_AT: '01:00',
      BACKUP_KEEP: '3',
      BACKUP_S3_KEEP: '2',
      DATA_DIR: folder,
    }),
    db.url,
  )!;
  const keep = (...parts: unknown[]) => void logged.push(JSON.stringify(parts));
  const log = { ...silentLogger, info: keep, error: (facts: object) => void alerts.push(facts) };
  api = await startApi({
    db,
    clock,
    services: { backups: maker, log: log as never },
    settings: { operatorEmails: [operatorEmail] },
  });
  operator = await api.signUp({ email: operatorEmail });
});
beforeEach(() => {
  alerts = [];
  server.fault = () => null;
});
afterAll(async () => {
  await api.close();
  await db.drop();
  await server.close();
  await rm(folder, { recursive: true });
});

const tick = async () => {
  await startDueBackup(api.services);
  await waitForBackup(api.services);
  await startDueUpload(api.services);
  await waitForUpload(api.services);
};
const objects = () => [...server.objects.keys()].toSorted();
const list = async () => api.ok('GET /admin/backups', null, operator);
const health = async () => (await api.ok('GET /health', null, operator)).backup!.upload;

describe('a scheduled backup', () => {
  test('is uploaded once it is good, and the bucket keeps its own number', async () => {
    const foreign = { bytes: Buffer.from('x'), etag: '"x"', metadata: {} };
    server.objects.set('home/toprung-2020-01-01T000000Z.backup', foreign);
    for (const day of ['20', '21', '22']) {
      clock.set(`2026-11-${day}T01:00:00Z`);
      await tick();
      await tick();
    }
    expect(objects()).toEqual([
      'home/toprung-2020-01-01T000000Z.backup',
      'home/toprung-2026-11-21T010000Z.backup',
      'home/toprung-2026-11-22T010000Z.backup',
    ]);
    expect(alerts).toEqual([]);
    expect((await readdir(folder)).filter((name) => name.endsWith('.backup'))).toHaveLength(3);
  });

  test('that is old is deleted, and a silent bucket delays no other task', async () => {
    await db.pool.query('update backups set object_deleted_at = null');
    clock.set('2026-11-22T01:11:00Z');
    const { promise: silence, resolve: respond } = Promise.withResolvers<null>();
    const asked = server.requests.length;
    server.fault = () => silence;
    await startDueUpload(api.services);
    await until(async () => server.requests.length > asked, 20_000, 'the deletion');
    await startDueUpload(api.services);
    respond(null);
    await waitForUpload(api.services);
    expect(server.requests).toHaveLength(asked + 1);
    expect(alerts).toEqual([]);
    expect((await list()).items.map(({ upload }) => upload!.deletedAt !== null)).toEqual([
      false,
      false,
      true,
    ]);
  });

  test('and its upload are shown by health, metrics and the list of operators', async () => {
    const at = '2026-11-22T01:00:00.000Z';
    expect(await health()).toEqual({ lastAt: at, isOverdue: false });
    const { bucket, items } = await list();
    expect(bucket).toEqual({ url, keep: 2, lastAt: at, isOverdue: false });
    expect(items[0]!.upload).toMatchObject({ state: 'succeeded', error: null, deletedAt: null });
    expect(items[0]!.upload!.url).toBe(`${url}/toprung-2026-11-22T010000Z.backup`);
    expect(items[2]!.upload!.deletedAt).not.toBeNull();
    const { text } = await api.raw('/metrics', {}, operator);
    const seconds = Date.parse(at) / 1_000;
    expect(text).toContain(`toprung_backup_upload_last_success_timestamp_seconds ${seconds}\n`);
    expect(text).toContain('toprung_backup_upload_overdue 0\n');
  });

  test('whose upload fails is tried again, says why, and deletes nothing', async () => {
    clock.set('2026-11-23T01:00:00Z');
    server.fault = () => ({ status: 403, code: 'AccessDenied' });
    await tick();
    expect(alerts).toMatchObject([{ alert: 'backup.upload.failed' }]);
    expect(objects()).toHaveLength(3);
    const failed = (await list()).items[0]!.upload!;
    expect([failed.state, failed.url]).toEqual(['failed', null]);
    expect(failed.error).toContain('needs s3:ListBucket');
    server.fault = () => null;
    clock.set('2026-11-23T01:09:00Z');
    await tick();
    expect((await list()).items[0]!.upload!.state).toBe('failed');
    clock.set('2026-11-23T01:11:00Z');
    // Another process is the elected one by then, on a host without this file.
    const uploads = schedule.periodicTasks.filter(({ name }) => name === 'start-due-upload');
    await runPeriodicTasks(api.services, uploads, () => false);
    await waitForUpload(api.services);
    expect((await list()).items[0]!.upload).toMatchObject({ state: 'succeeded', error: null });
    expect(objects().slice(1)).toEqual([
      'home/toprung-2026-11-22T010000Z.backup',
      'home/toprung-2026-11-23T010000Z.backup',
    ]);
  });

  test('is missed in the bucket after 27 hours, with an alert in the log', async () => {
    server.fault = () => ({ status: 503, code: 'SlowDown' });
    clock.set('2026-11-24T01:00:00Z');
    await startDueBackup(api.services);
    await waitForBackup(api.services);
    clock.set('2026-11-24T04:01:00Z');
    await checkBackups(api.services);
    expect(alerts).toEqual([
      { alert: 'backup.upload.overdue', lastAt: '2026-11-23T01:00:00.000Z' },
    ]);
    expect(await health()).toMatchObject({ isOverdue: true });
    const { text } = await api.raw('/metrics', {}, operator);
    expect(text).toContain('toprung_backup_upload_overdue 1\n');
  });

  test('is missing in another bucket until it has one, and overdue a day later', async () => {
    server.fault = () => null;
    await tick();
    expect(await health()).toEqual({ lastAt: '2026-11-24T01:00:00.000Z', isOverdue: false });
    const address = `${url}-moved`;
    const backups = { ...maker, uploader: { ...maker.uploader!, address } };
    const readMoved = async () => (await getBackupState({ ...api.services, backups })).upload;
    expect(await readMoved()).toEqual({ lastAt: null, isOverdue: false });
    clock.set('2026-11-25T04:01:00Z');
    expect(await readMoved()).toEqual({ lastAt: null, isOverdue: true });
  });

  test('has no secret of the storage in rows, lists and the log', async () => {
    const { rows } = await db.pool.query('select to_jsonb(b)::text as text from backups b');
    const text = JSON.stringify([rows, await list(), logged, alerts]);
    for (const secret of [s3Key.secretAccessKey, s3Key.accessKeyId])
      expect(text).not.toContain(secret);
  });
});

describe('a backup by command', () => {
  let target: EmptyDatabase;
  let environment: Record<string, string>;
  beforeAll(async () => {
    target = await createEmptyDatabase();
    environment = { ...settings, DATA_DIR: join(folder, 'none') };
  });
  afterAll(() => target.drop());

  async function run(args: string[], more: Record<string, string>): Promise<[number, string]> {
    const child = startToprung(args, { ...environment, ...more }, folder);
    const { code } = await child.exited;
    const output = child.output();
    expect(output).not.toContain(s3Key.secretAccessKey);
    expect(output).not.toContain('    at ');
    return [code!, output];
  }

  test('is uploaded, verified from the bucket, and restored from there', async () => {
    const name = 'by-command.backup';
    const path = join(folder, name);
    const onServer = { DATABASE_URL: db.url };
    const [code, output] = await run(['backup', '--to', path], onServer);
    expect([code, output]).toEqual([0, expect.stringContaining(`${url}/${name}`)]);
    const [newest] = (await list()).items.filter((item) => !item.isScheduled);
    expect(newest!.upload).toMatchObject({ state: 'succeeded', url: `${url}/${name}` });
    await rm(path);
    const address = `${url}/${name}`;
    expect(await run(['verify', address], onServer)).toEqual([
      0,
      expect.stringContaining('is whole'),
    ]);
    // The connection breaks off now and then.
    let reads = 0;
    server.fault = ({ method }) => (method === 'GET' && ++reads % 4 === 0 ? 'truncate' : null);
    expect(await run(['restore', address], { DATABASE_URL: target.url })).toEqual([
      0,
      expect.stringContaining('Restored'),
    ]);
    expect(await hashTables(target.pool)).toEqual(await hashTables(db.pool));
  });

  test('is good without its upload, which a command continues', async () => {
    server.fault = () => ({ status: 404, code: 'NoSuchBucket' });
    const path = join(folder, 'good.backup');
    const [code, output] = await run(['backup', '--to', path], { DATABASE_URL: db.url });
    expect(code).toBe(1);
    expect(output).toContain('create it, or correct BACKUP_S3_URL');
    expect(output).toContain(`toprung upload ${path} continues`);
    server.fault = () => null;
    expect((await run(['upload', path], { DATABASE_URL: db.url }))[0]).toBe(0);
    expect(objects()).toContain('home/good.backup');
    expect(
      (await list()).items.filter(({ upload }) => upload?.url?.endsWith('good.backup')),
    ).toHaveLength(1);
    await run(['backup', '--no-upload', '--to', join(folder, 'here.backup')], {
      DATABASE_URL: db.url,
    });
    expect(objects()).not.toContain('home/here.backup');
  });

  test('whose upload was killed is continued with the parts that are there', async () => {
    const path = join(folder, 'large.backup');
    await writeLargeBackup(path, 17 * 2 ** 20);
    const held = Promise.withResolvers<null>();
    const stored = () => [...server.uploads.values()].some(({ parts }) => parts.size > 0);
    server.fault = ({ method }) => (method === 'PUT' && stored() ? held.promise : null);
    const child = startToprung(['upload', path], { ...environment, DATABASE_URL: db.url }, folder);
    await until(stored, 60_000, 'a part');
    await child.kill('SIGKILL');
    server.fault = () => null;
    held.resolve(null);
    const [code, output] = await run(['upload', path], { DATABASE_URL: db.url });
    expect([code, output]).toEqual([0, expect.stringMatching(/[12] of them uploaded before/)]);
    expect(server.uploads.size).toBe(0);
    expect(objects()).toContain('home/large.backup');
  });

  test('of an address that has nothing is refused in one line', async () => {
    for (const [address, expected] of [
      [`${url}/none.backup`, 'has no such object'],
      ['s3://backups-of-tests', 'is a bucket'],
      ['s3://another-bucket/x', 'has no such bucket'],
    ] as const) {
      const [code, output] = await run(['verify', address], { DATABASE_URL: db.url });
      expect([code, output]).toEqual([1, expect.stringContaining(expected)]);
    }
  });
});
