import { createHash, randomInt } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openBackup, readBackup } from '#backups/open-backup.ts';
import { createTestDatabase, type TestDatabase } from '../harness/database.ts';
import { seedHistory } from '../harness/history.ts';
import { until } from '../harness/load-recorder.ts';
import { startToprung, type Child } from '../harness/process.ts';
import { reportFigures, trackProgress } from '../harness/progress.ts';
import { s3Key, startS3Server, type S3Server } from '../harness/s3-server.ts';

const kills = process.env.TORTURE ? 20 : 1;
const keep = 2;

let folder: string;
let backups: string;
let db: TestDatabase;
let server: S3Server;
let environment: Record<string, string>;
let worker: Child | null = null;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'toprung-test-worker-kills-'));
  backups = join(folder, 'backups');
  [db, server] = await Promise.all([createTestDatabase(), startS3Server()]);
  await db.pool.query("insert into users (email, password_hash) values ('me@example.org', '-')");
  if (kills > 1)
    await seedHistory(db.pool, { apps: 1, markets: 300, days: 40, lastDay: '2026-11-21' });
  environment = {
    DATABASE_URL: db.url,
    DATA_DIR: folder,
    BACKUP_DIR: backups,
    BACKUP_KEEP: String(keep),
    BACKUP_S3_URL: `s3://${server.bucket}/home`,
    BACKUP_S3_ENDPOINT: server.url,
    BACKUP_S3_REGION: s3Key.region,
    BACKUP_S3_ACCESS_KEY_ID: s3Key.accessKeyId,
    BACKUP_S3_SECRET_ACCESS_KEY: s3Key.secretAccessKey,
  };
});
afterAll(async () => {
  await worker?.kill('SIGKILL');
  await db.drop();
  await server.close();
  await rm(folder, { recursive: true });
});

interface Row {
  state: string;
  uploadState: string | null;
  path: string | null;
  isDeleted: boolean;
  /** True for the instant that came last. */
  isNewest: boolean;
}

async function readRows(): Promise<Row[]> {
  const { rows } = await db.pool.query<Row>(
    `select state, upload_state as "uploadState", path, deleted_at is not null as "isDeleted",
       scheduled_for > now() - interval '1 day' as "isNewest"
     from backups order by scheduled_for desc`,
  );
  return rows;
}

const files = async () =>
  (await readdir(backups).catch(() => [])).filter((name) => name.endsWith('.backup'));
const readNewest = async () => (await readRows()).find(({ isNewest }) => isNewest);
const isUploaded = async () => (await readNewest())?.uploadState === 'succeeded';

/** Every file and every object under the name of a backup is a whole one. */
async function expectOnlyWhole(): Promise<void> {
  for (const name of await files()) await readBackup(await openBackup(join(backups, name)));
  for (const { bytes, metadata } of server.objects.values()) {
    expect(createHash('sha256').update(bytes).digest('hex')).toBe(metadata.sha256);
    const copy = join(folder, 'object');
    await writeFile(copy, bytes);
    await readBackup(await openBackup(copy));
  }
  const good = (await readRows()).filter((row) => row.state === 'succeeded' && !row.isDeleted);
  for (const { path } of good) expect(existsSync(path!)).toBe(true);
  if (good.length === 0) expect((await readRows()).every((row) => !row.isDeleted)).toBe(true);
}

/** The instant of today is due once more, as if a day had passed. In two steps: it is unique. */
const passDay = () =>
  db.pool.query(
    `update backups set scheduled_for = scheduled_for + interval '9999 days',
       started_at = started_at - interval '1 day'
     where not exists (select from backups b where b.upload_state is distinct from 'succeeded');
     update backups set scheduled_for = scheduled_for - interval '10000 days'
     where scheduled_for > now() + interval '1 day'`,
  );
const expireLeases = () =>
  db.pool.query(
    `update backups set leased_until = least(leased_until, now()),
       upload_leased_until = least(upload_leased_until, now())`,
  );
const startWorker = () => startToprung(['start', '--role', 'worker'], environment);

/** Killed workers leave theirs, which a later backup removes after an hour. */
const countDrafts = async () =>
  (await readdir(backups).catch(() => [])).filter((name) => name.endsWith('.partial')).length;

/** Kills a worker while it writes the backup, while it uploads it, or at any moment. */
async function killAtMoment(index: number, lasting: number): Promise<void> {
  const held = Promise.withResolvers<null>();
  const lock = await db.pool.connect();
  const drafts = await countDrafts();
  if (index % 3 === 0)
    await lock.query(
      // The backup waits for it, so the kill comes before its end.
      'begin; set local idle_in_transaction_session_timeout = 0; lock table snapshots',
    );
  if (index % 3 === 1) server.fault = ({ method }) => (method === 'PUT' ? held.promise : null);
  try {
    worker = startWorker();
    const isWriting = async () => (await countDrafts()) > drafts;
    const isReached = index % 3 === 0 ? isWriting : () => server.uploads.size > 0;
    if (index % 3 !== 2)
      await until(
        async () => (await isReached()) || isUploaded(),
        90_000,
        'the moment of the kill',
      );
    await sleep(randomInt(index % 3 === 2 ? lasting : 500));
    await worker.kill('SIGKILL');
  } finally {
    lock.release(true);
    held.resolve(null);
    server.fault = () => null;
  }
}

test(`${kills} kills of the worker leave no broken backup and lose no good one`, async () => {
  const part = { name: 'kills of a scheduled backup', total: kills, limitMs: 900_000 };
  let lasting = 10_000;
  let [before, during, uploading] = [0, 0, 0];
  await trackProgress(part, async ({ add }) => {
    for (let kill = 0; kill < kills;) {
      await passDay();
      for (let count = 0; count < 3 && kill < kills; count += 1, kill += 1) {
        await killAtMoment(kill, lasting);
        const row = await readNewest();
        if (row?.state !== 'running' && row?.uploadState !== 'running') before += 1;
        else if (row.state === 'running') during += 1;
        else uploading += 1;
        await expectOnlyWhole();
        await expireLeases();
        add();
      }
      const begun = performance.now();
      worker = startWorker();
      await until(isUploaded, 120_000, 'the next backup and its upload');
      const isKept = async () => server.objects.size <= keep && (await files()).length <= keep;
      await until(isKept, 60_000, 'the retention');
      lasting = Math.ceil(performance.now() - begun);
      await worker.kill('SIGTERM');
      await expectOnlyWhole();
      expect(server.uploads.size).toBe(0);
    }
  });
  expect((await readRows()).every(({ state }) => state === 'succeeded')).toBe(true);
  reportFigures(16, {
    'kills of a scheduled backup': kills,
    'of them while it was written': during,
    'while it was uploaded': uploading,
    'at other moments': before,
  });
}, 960_000);
