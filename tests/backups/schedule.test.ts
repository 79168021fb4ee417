import { existsSync } from 'node:fs';
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { openBackupMaker, type OwnBackupMaker } from '#boot/backups/open-backup-maker.ts';
import { openBackup, readBackup } from '#backups/open-backup.ts';
import { readConfig } from '#config/env.ts';
import { readLastBackup } from '#db/queries/backups/backups.ts';
import { checkBackups } from '#domain/scheduling/backups/check-backups.ts';
import { deleteOldBackups } from '#domain/scheduling/backups/delete-old-backups.ts';
import { waitForBackup, startDueBackup } from '#domain/scheduling/backups/start-due-backup.ts';
import { silentLogger } from '#lib/logger.ts';
import { TestClock } from '#lib/clock.ts';
import { startApi, type Credential, type TestApi } from '../harness/api.ts';
import { createTestDatabase, type TestDatabase } from '../harness/database.ts';
import { keepOrder } from '../harness/keep-order.ts';

keepOrder('each test continues on the days of the one before');

const clock = new TestClock('2026-11-20T00:30:00Z');
const operatorEmail = 'me@example.org';
let folder: string;
let db: TestDatabase;
let maker: OwnBackupMaker;
let api: TestApi;
/** A token: days pass, and several processes know it. */
let operator: Credential;
let alerts: object[];

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'toprung-test-backups-'));
  db = await createTestDatabase();
  maker = openMaker(folder);
  const log = { ...silentLogger, error: (facts: object) => void alerts.push(facts) } as never;
  api = await startApi({
    db,
    clock,
    services: { backups: maker, log },
    settings: { operatorEmails: [operatorEmail] },
  });
  operator = await api.token(await api.signUp({ email: operatorEmail }));
});
beforeEach(() => {
  alerts = [];
});
afterAll(async () => {
  await api.close();
  await db.drop();
  await rm(folder, { recursive: true });
});

const openMaker = (BACKUP_DIR: string): OwnBackupMaker =>
  openBackupMaker(
    readConfig({ BACKUP_DIR, BACKUP_AT: '01:00', BACKUP_KEEP: '2', DATA_DIR: folder }),
    db.url,
  )!;
const tick = async (backups: OwnBackupMaker = maker) => {
  const services = { ...api.services, backups };
  await startDueBackup(services);
  await waitForBackup(services);
};
const files = async () => (await readdir(folder)).filter((name) => name.endsWith('.backup')).sort();
const health = async () => (await api.ok('GET /health', null, operator)).backup;
const list = async () => api.ok('GET /admin/backups', null, operator);

describe('a scheduled backup', () => {
  test('is made once a day by one of any number of processes, and read back', async () => {
    // The instant of the day before has passed, and nothing was made then.
    const overdue: boolean[] = [];
    const watched = (own: OwnBackupMaker): OwnBackupMaker => ({
      ...own,
      make: async (...of) => {
        overdue.push((await health())!.isOverdue);
        return own.make(...of);
      },
    });
    await Promise.all(
      [maker, openMaker(folder), openMaker(folder)].map((own) => tick(watched(own))),
    );
    await tick();
    expect(overdue).toEqual([false]);
    expect(await files()).toEqual(['toprung-2026-11-20T003000Z.backup']);
    await readBackup(await openBackup(join(folder, (await files())[0]!)));
    clock.set('2026-11-20T00:59:59Z');
    await tick();
    clock.set('2026-11-20T01:00:00Z');
    await tick();
    await tick();
    expect(await files()).toHaveLength(2);
  });

  test('deletes its own older files only, and only after it was read back', async () => {
    const foreign = ['notes.txt', 'toprung-2020-01-01T000000Z.backup'];
    for (const name of foreign) await writeFile(join(folder, name), 'not ours');
    clock.set('2026-11-21T01:00:00Z');
    const failing = { ...maker, make: () => Promise.reject(new Error('the disk is full')) };
    await tick(failing);
    expect(await files()).toContain('toprung-2026-11-20T003000Z.backup');
    expect(alerts).toEqual([{ alert: 'backup.failed', error: 'the disk is full' }]);
    await tick();
    expect(await files()).not.toContain('toprung-2026-11-21T010000Z.backup');
    clock.set('2026-11-21T01:10:00Z');
    await tick();
    expect(await files()).toEqual([
      'toprung-2020-01-01T000000Z.backup',
      'toprung-2026-11-20T010000Z.backup',
      'toprung-2026-11-21T011000Z.backup',
    ]);
    expect(await readdir(folder)).toContain('notes.txt');
    // A file that was replaced by another one is not the product's any more.
    await writeFile(join(folder, 'toprung-2026-11-20T010000Z.backup'), 'replaced');
    clock.set('2026-11-22T01:00:00Z');
    await tick();
    expect(await files()).toContain('toprung-2026-11-20T010000Z.backup');
  });

  test('is shown by health, metrics and the list of operators', async () => {
    const { schedule, isOverdue, items } = await list();
    expect([schedule, isOverdue]).toEqual([{ at: '01:00', keep: 2 }, false]);
    expect(items[0]).toMatchObject({ state: 'succeeded', isScheduled: true, error: null });
    expect(items.map(({ attempts }) => attempts)).toEqual([1, 2, 1, 1]);
    const last = await health();
    expect(last).toMatchObject({ lastAt: '2026-11-22T01:00:00.000Z', isOverdue: false });
    expect(last!.bytes).toBeGreaterThan(1_000);
    const { text } = await api.raw('/metrics', {}, operator);
    expect(text).toContain(`toprung_backup_last_size_bytes ${last!.bytes}\n`);
    const at = Date.parse('2026-11-22T01:00:00Z') / 1_000;
    expect(text).toContain(`toprung_backup_last_success_timestamp_seconds ${at}\n`);
    expect(text).toContain('toprung_backup_overdue 0\n');
    const stranger = await api.signUp();
    expect((await api.ok('GET /health', null, stranger)).backup).toBeNull();
  });

  test('is overdue 27 hours after the last good one, with an alert in the log', async () => {
    clock.set('2026-11-23T03:59:00Z');
    await checkBackups(api.services);
    expect([(await health())!.isOverdue, alerts]).toEqual([false, []]);
    clock.set('2026-11-23T04:01:00Z');
    await checkBackups(api.services);
    expect((await health())!.isOverdue).toBe(true);
    expect(alerts).toEqual([{ alert: 'backup.overdue', lastAt: '2026-11-22T01:00:00.000Z' }]);
    expect((await api.raw('/metrics', {}, operator)).text).toContain('toprung_backup_overdue 1\n');
  });

  test('is shown, and missed, by a process that has none of its settings', async () => {
    const other = await startApi({
      db,
      clock,
      services: { backups: null },
      settings: { operatorEmails: [operatorEmail] },
    });
    const read = async () => {
      const { schedule, isOverdue } = await other.ok('GET /admin/backups', null, operator);
      const { text } = await other.raw('/metrics', {}, operator);
      return [schedule, isOverdue, /^toprung_backup_overdue (\d)$/m.exec(text)?.[1]];
    };
    try {
      expect(await read()).toEqual([{ at: '01:00', keep: 2 }, true, '1']);
      await checkBackups({ ...api.services, backups: null });
      expect(await read()).toEqual([null, false, '0']);
    } finally {
      await other.close();
    }
  });

  test('keeps its row while only another host has the file, which that one deletes', async () => {
    const otherFolder = await mkdtemp(join(tmpdir(), 'toprung-test-backups-'));
    const other = openMaker(otherFolder);
    const isDeleted = async (day: string) =>
      (await list()).items.find((item) => item.startedAt.startsWith(day))!.deletedAt !== null;
    clock.set('2026-11-24T01:00:00Z');
    await tick(other);
    for (const day of [25, 26]) {
      clock.set(`2026-11-${day}T01:00:00Z`);
      await tick();
    }
    expect([await readdir(otherFolder), await isDeleted('2026-11-24')]).toEqual([
      ['toprung-2026-11-24T010000Z.backup'],
      false,
    ]);
    await deleteOldBackups({ ...api.services, backups: other });
    expect([await readdir(otherFolder), await isDeleted('2026-11-24')]).toEqual([[], true]);
    await rm(otherFolder, { recursive: true });
  });

  test('counts as deleted when no process has found its file for thirty days', async () => {
    await rm(join(folder, 'toprung-2026-11-25T010000Z.backup'));
    const isDeleted = async () =>
      (await list()).items.find((item) => item.startedAt.startsWith('2026-11-25'))!.deletedAt;
    clock.set('2026-11-27T01:00:00Z');
    await tick();
    clock.set('2026-12-27T00:59:59Z');
    await deleteOldBackups(api.services);
    expect(await isDeleted()).toBeNull();
    clock.set('2026-12-27T01:00:00Z');
    await deleteOldBackups(api.services);
    expect(await isDeleted()).not.toBeNull();
  });

  test('removes the file of a killed attempt that no row names, and none of others', async () => {
    const at = (time: string) => new Date(`2026-12-28T${time}Z`);
    const signal = new AbortController().signal;
    const killed = await maker.make(at('01:00:00'), signal);
    const other = await maker.make(at('01:01:30.500'), signal);
    await db.pool.query(
      `insert into backups (scheduled_for, state, first_started_at, started_at, leased_until)
       values ($1, 'running', $1, $1, $1)`,
      [at('01:00:00')],
    );
    clock.set('2026-12-28T01:01:30Z');
    await tick({ ...maker, make: () => Promise.reject(new Error('the disk is full')) });
    expect([existsSync(killed.path), existsSync(other.path)]).toEqual([false, true]);
    clock.set('2026-12-28T01:12:00Z');
    await tick();
    expect(existsSync(other.path)).toBe(true);
    expect((await list()).items[0]).toMatchObject({ state: 'succeeded', attempts: 3 });
  });

  test('removes the file of a killed attempt that is never repeated', async () => {
    const signal = new AbortController().signal;
    const instant = new Date('2026-12-29T01:00:00Z');
    const killed = await maker.make(instant, signal);
    const other = await maker.make(new Date('2026-12-29T01:00:01Z'), signal);
    await db.pool.query(
      `insert into backups (scheduled_for, state, first_started_at, started_at, leased_until)
       values ($1, 'running', $1, $1, $1)`,
      [instant],
    );
    try {
      clock.set('2026-12-30T00:59:00Z');
      await deleteOldBackups(api.services);
      expect(existsSync(killed.path)).toBe(true);
      clock.set('2026-12-30T01:00:00Z');
      await tick();
      expect([existsSync(killed.path), existsSync(other.path)]).toEqual([false, true]);
    } finally {
      await db.pool.query(`delete from backups where scheduled_for >= $1`, [instant]);
    }
  });

  test('of a clock that was ahead is not the last one, and is made again when due', async () => {
    clock.set('2027-01-10T05:00:00Z');
    await tick();
    await db.pool.query(
      `update backups set upload_state = 'succeeded' where started_at = '2027-01-10T05:00:00Z'`,
    );
    clock.set('2026-12-29T01:00:00Z');
    await tick();
    expect(await health()).toMatchObject({
      lastAt: '2026-12-29T01:00:00.000Z',
      isOverdue: false,
    });
    clock.set('2026-12-30T04:01:00Z');
    expect((await health())!.isOverdue).toBe(true);
    const at = { now: clock.now(), address: null };
    expect((await readLastBackup(db.systemDb, at)).lastUploadedAt).toBeNull();
    clock.set('2027-01-10T01:00:00Z');
    await tick();
    expect(await health()).toMatchObject({
      lastAt: '2027-01-10T01:00:00.000Z',
      isOverdue: false,
    });
    expect((await files()).slice(-2)).toEqual([
      'toprung-2027-01-10T010000Z.backup',
      'toprung-2027-01-10T050000Z.backup',
    ]);
  });
});
