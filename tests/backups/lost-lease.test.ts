import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import type {
  BackupMaker,
  BackupUploader,
  MadeBackup,
  UploadedBackup,
} from '#domain/base/ports.ts';
import { startDueBackup, waitForBackup } from '#domain/scheduling/backups/start-due-backup.ts';
import { startDueUpload, waitForUpload } from '#domain/scheduling/backups/start-due-upload.ts';
import { TestClock } from '#lib/clock.ts';
import { silentLogger } from '#lib/logger.ts';
import { startApi, type TestApi } from '../harness/api.ts';

const clock = new TestClock('2026-11-20T00:30:00Z');
let api: TestApi;
let alerts: object[];
let warnings: string[];
let day = 20;

beforeAll(async () => {
  const log = {
    ...silentLogger,
    error: (facts: object) => void alerts.push(facts),
    warn: (_facts: object, text: string) => void warnings.push(text),
  };
  api = await startApi({ clock, services: { log: log as never } });
});
beforeEach(() => {
  alerts = [];
  warnings = [];
  day += 1;
  clock.set(`2026-11-${day}T01:00:00Z`);
});
afterAll(() => api.close());

/** A process whose work ends when the test says so, or with its signal. */
function openProcess() {
  const made = Promise.withResolvers<MadeBackup>();
  const uploaded = Promise.withResolvers<UploadedBackup>();
  const removed: string[] = [];
  const until = <T>(work: Promise<T>, signal: AbortSignal) =>
    new Promise<T>((resolve, reject) => {
      signal.addEventListener('abort', () => reject(signal.reason as Error));
      work.then(resolve, reject);
    });
  const uploader: BackupUploader = {
    address: 's3://bucket',
    keep: 100,
    hasFile: async () => true,
    upload: (_path, signal) => until(uploaded.promise, signal),
    remove: async () => true,
  };
  const maker: BackupMaker = {
    atMinutes: 60,
    keep: 100,
    uploader,
    make: (_now, signal) => until(made.promise, signal),
    isStopping: () => false,
    remove: async ({ path }) => removed.push(path) > 0,
    removeAttempt: async () => undefined,
  };
  const services = { ...api.services, backups: maker };
  return { made, uploaded, removed, services };
}

const backupAt = (path: string): MadeBackup => ({
  path,
  bytes: 1,
  rows: 1,
  databaseBytes: 1,
  seconds: 1,
});
const uploadOf = (sha256: string): UploadedBackup => ({
  url: 's3://bucket/x',
  sha256,
  bytes: 1,
  seconds: 1,
});
const newest = async () =>
  (
    await api.db.pool.query(
      `select state, attempts, path, upload_state, upload_attempts, sha256 from backups
       order by id desc limit 1`,
    )
  ).rows[0];

async function startTwo(start: (of: ReturnType<typeof openProcess>['services']) => Promise<void>) {
  const [cutOff, successor] = [openProcess(), openProcess()];
  await start(cutOff.services);
  clock.advance(61_000);
  await start(successor.services);
  return { cutOff, successor };
}

test.each(['fails', 'is done'])(
  'a backup that %s after another process took it over changes nothing',
  async (end) => {
    const { cutOff, successor } = await startTwo(startDueBackup);
    if (end === 'fails') cutOff.made.reject(new Error('the connection broke off'));
    else cutOff.made.resolve(backupAt('/late'));
    await waitForBackup(cutOff.services);
    expect(await newest()).toMatchObject({ state: 'running', attempts: 2, path: null });
    expect([alerts, warnings.length]).toEqual([[], 1]);
    expect(cutOff.removed).toEqual(end === 'fails' ? [] : ['/late']);
    successor.made.resolve(backupAt('/good'));
    await waitForBackup(successor.services);
    expect(await newest()).toMatchObject({ state: 'succeeded', path: '/good' });
    expect([alerts, successor.removed]).toEqual([[], []]);
  },
);

test('a backup that cannot be recorded fails, and its file is removed', async () => {
  await api.db.pool.query(`
    create function refuse_backup() returns trigger language plpgsql as $$ begin
      raise 'not recorded'; end $$;
    create trigger refuse_backup before update on backups
      for each row when (new.state = 'succeeded') execute function refuse_backup()`);
  try {
    const { made, removed, services } = openProcess();
    made.resolve(backupAt('/unrecorded'));
    await startDueBackup(services);
    await waitForBackup(services);
    expect(await newest()).toMatchObject({ state: 'failed', path: null });
    expect(removed).toEqual(['/unrecorded']);
    expect(alerts).toEqual([{ alert: 'backup.failed', error: 'not recorded' }]);
  } finally {
    await api.db.pool.query('drop function refuse_backup cascade');
  }
});

test('a backup whose renewal finds another process ends without an alert', async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
  try {
    const { cutOff, successor } = await startTwo(startDueBackup);
    vi.advanceTimersByTime(15_000);
    await waitForBackup(cutOff.services);
    expect(await newest()).toMatchObject({ state: 'running', attempts: 2 });
    expect([alerts, warnings.length]).toEqual([[], 1]);
    successor.made.resolve(backupAt('/good'));
    await waitForBackup(successor.services);
    expect(await newest()).toMatchObject({ state: 'succeeded' });
  } finally {
    vi.useRealTimers();
  }
});

test.each(['fails', 'is done'])(
  'an upload that %s after another process took it over changes nothing',
  async (end) => {
    const first = openProcess();
    first.made.resolve(backupAt('/uploaded'));
    await startDueBackup(first.services);
    await waitForBackup(first.services);
    await api.db.pool.query(
      `update backups set upload_state = null where id < (select max(id) from backups)`,
    );
    const { cutOff, successor } = await startTwo(startDueUpload);
    if (end === 'fails') cutOff.uploaded.reject(new Error('the connection broke off'));
    else cutOff.uploaded.resolve(uploadOf('late'));
    await waitForUpload(cutOff.services);
    expect(await newest()).toMatchObject({ upload_state: 'running', upload_attempts: 2 });
    expect([alerts, warnings.length]).toEqual([[], 1]);
    successor.uploaded.resolve(uploadOf('good'));
    await waitForUpload(successor.services);
    expect(await newest()).toMatchObject({ upload_state: 'succeeded', sha256: 'good' });
  },
);
