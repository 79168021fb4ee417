import { randomInt } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { zstdDecompressSync } from 'node:zlib';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openDatabaseServer } from '#boot/database.ts';
import { openBackup } from '#backups/open-backup.ts';
import { ShutdownStack } from '#lib/shutdown-stack.ts';
import { silentLogger } from '#lib/logger.ts';
import { copyInitializedDataDir, copyMigratedDataDir } from '../harness/prepared-data-dir.ts';
import { startToprung, type Child } from '../harness/process.ts';
import { createDataDir, removeDataDir } from '../harness/product.ts';
import { reportFigures, trackProgress } from '../harness/progress.ts';
import { seedHistory } from '../harness/history.ts';
import { until } from '../harness/load-recorder.ts';
import { createEmptyDatabase, type EmptyDatabase } from './backup-databases.ts';
import { hashTables } from './every-table.fixtures.ts';

const kills = process.env.TORTURE ? 20 : 1;
const secret = 'a-secret-of-this-instance-0123456789';
const passphrase = 'correct horse battery staple';

let folder: string;
let dataDir: string;
/** An embedded server in use, as the running product has it. */
let running: ShutdownStack;
let source: pg.Pool;
let server: EmptyDatabase;
let backupPath: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'toprung-test-backups-'));
  dataDir = await createDataDir();
  await copyMigratedDataDir(dataDir);
  running = new ShutdownStack();
  const config = { DATABASE_URL: null, DATA_DIR: dataDir };
  const database = await openDatabaseServer(config, silentLogger, running);
  source = new pg.Pool({ connectionString: database.urlOf('owner'), max: 2 });
  source.on('error', () => undefined);
  await source.query("insert into users (email, password_hash) values ('me@example.org', '-')");
  await seedHistory(source, { apps: 1, markets: 300, days: 40, lastDay: '2026-11-21' });
  await writeFile(join(dataDir, 'secrets-key'), secret);
  server = await createEmptyDatabase();
  backupPath = join(folder, 'first.backup');
  await run(['backup', '--to', backupPath], { DATA_DIR: dataDir });
});
afterAll(async () => {
  await source.end();
  await running.close();
  await server.drop();
  await removeDataDir(dataDir);
  await rm(folder, { recursive: true });
});

const start = (args: string[], environment: Record<string, string>): Child =>
  startToprung(args, environment, folder);

/** Runs a command and returns its output; fails with the output when it fails. */
async function run(args: string[], environment: Record<string, string>): Promise<string> {
  const child = start(args, environment);
  expect((await child.exited).code, child.output()).toBe(0);
  return child.output();
}

async function fail(args: string[], environment: Record<string, string>): Promise<string> {
  const child = start(args, environment);
  expect((await child.exited).code, child.output()).not.toBe(0);
  expect(child.output()).not.toContain('    at ');
  return child.output();
}

describe('a backup by command', () => {
  test('is made while the product runs, moves to a server of one’s own, and back', async () => {
    const onServer = { DATA_DIR: join(folder, 'none'), DATABASE_URL: server.url };
    expect(await run(['verify', backupPath], { DATA_DIR: dataDir })).toContain('is whole');
    expect(await run(['restore', backupPath], onServer)).toContain('Restored');
    const expected = await hashTables(source);
    expect(await hashTables(server.pool)).toEqual(expected);
    const second = join(folder, 'second.backup');
    await run(['backup', '--to', second], onServer);
    const back = await createDataDir();
    await copyInitializedDataDir(back);
    const environment = { DATA_DIR: back };
    const output = await run(['restore', second], environment);
    expect(output).toContain(`into the data directory ${back}.`);
    const stack = new ShutdownStack();
    const config = { DATABASE_URL: null, DATA_DIR: back };
    const database = await openDatabaseServer(config, silentLogger, stack);
    const pool = new pg.Pool({ connectionString: database.urlOf('owner'), max: 1 });
    expect(await hashTables(pool)).toEqual(expected);
    await pool.end();
    await stack.close();
    await removeDataDir(back);
  });

  test('is restored only while the product is stopped', async () => {
    const message = await fail(['restore', backupPath, '--replace'], { DATA_DIR: dataDir });
    expect(message).toContain(`is in use by process ${process.pid}`);
  });

  test('overwrites no file, and says so in one line when there is nothing to do', async () => {
    const environment = { DATA_DIR: dataDir };
    expect(await fail(['backup', '--to', backupPath], environment)).toContain('exists already');
    const missing = join(folder, 'missing', 'x.backup');
    expect(await fail(['backup', '--to', missing], environment)).toContain('not be written');
    const nothing = { DATA_DIR: join(folder, 'none') };
    const message = await fail(['backup', '--to', folder], nothing);
    expect(message).toContain(`no database in the data directory ${nothing.DATA_DIR}.`);
    expect(await fail(['verify', join(folder, 'none')], environment)).toContain('cannot be read');
    const noFolder = await fail(['backup', '--to', `${backupPath}/`], environment);
    expect(noFolder).toMatch(/cannot be made: (ENOTDIR|EEXIST)/);
    for (const command of ['verify', 'restore'])
      expect(await fail([command, folder], environment)).toContain('it is no regular file');
  });

  test('that is verified without an instance makes none', async () => {
    const nothing = join(folder, 'nothing');
    await run(['verify', backupPath], { DATA_DIR: nothing });
    expect(existsSync(nothing)).toBe(false);
  });
});

describe('keys', () => {
  const keys = ['--with-keys', '--passphrase-file', 'passphrase'];
  beforeAll(() => writeFile(join(folder, 'passphrase'), `${passphrase}\n`));

  test('are left out unless they are asked for', async () => {
    expect((await openBackup(backupPath)).manifest.keys).toBeNull();
    expect((await readPlain(backupPath)).includes(secret)).toBe(false);
  });

  test('are not left out in silence: a passphrase without --with-keys is refused', async () => {
    const environment = { DATA_DIR: dataDir };
    const path = join(folder, 'refused.backup');
    const unused = ['--passphrase-file', 'passphrase'];
    for (const command of [
      ['backup', '--to', path],
      ['restore', backupPath],
    ])
      expect(await fail([...command, ...unused], environment)).toContain('needs --with-keys');
    const missing = ['--with-keys', '--passphrase-file', 'missing'];
    const message = await fail(['backup', '--to', path, ...missing], environment);
    expect(message).toContain('cannot be read from missing: ENOENT');
    expect(existsSync(path)).toBe(false);
  });

  test('are encrypted with a passphrase, without which nothing is restored', async () => {
    const path = join(folder, 'keys.backup');
    await run(['backup', '--to', path, ...keys], { DATA_DIR: dataDir });
    expect((await readPlain(path)).includes(secret)).toBe(false);
    const restored = await createDataDir();
    await copyInitializedDataDir(restored);
    const before = await readdir(restored);
    const environment = { DATA_DIR: restored };
    const wrong = { ...environment, BACKUP_PASSPHRASE: 'another passphrase' };
    expect(await fail(['restore', path, '--with-keys'], wrong)).toContain('not that of the backup');
    const none = await fail(['restore', path, '--with-keys'], environment);
    expect(none).toContain('needs --passphrase-file');
    expect(await readdir(restored)).toEqual(before);
    await run(['restore', path, ...keys], environment);
    expect(await readFile(join(restored, 'secrets-key'), 'utf8')).toBe(secret);
    await removeDataDir(restored);
  });
});

test('a restore that ends before the keys are written is continued, and writes them', async () => {
  const keys = ['--with-keys', '--passphrase-file', 'passphrase'];
  await writeFile(join(folder, 'passphrase'), passphrase);
  const path = join(folder, 'continued.backup');
  await run(['backup', '--to', path, ...keys], { DATA_DIR: dataDir });
  const target = await createEmptyDatabase();
  const restored = await createDataDir();
  const noFolder = { DATABASE_URL: target.url, DATA_DIR: join(folder, 'passphrase', 'data') };
  const environment = { DATABASE_URL: target.url, DATA_DIR: restored };
  const keyIn = () => readFile(join(restored, 'secrets-key'), 'utf8');
  // Into an empty database, and with `--replace`.
  for (const flags of [[], ['--replace']]) {
    await writeFile(join(restored, 'secrets-key'), 'of another instance');
    const broken = start(['restore', path, ...keys, ...flags], noFolder);
    expect((await broken.exited).code).toBe(1);
    expect(await fail(['migrate'], environment)).toContain('Run toprung restore again');
    const output = await run(['restore', path, ...keys, ...flags], environment);
    expect(output).toContain('from an interrupted restore');
    expect(await keyIn()).toBe(secret);
    expect(await hashTables(target.pool)).toEqual(await hashTables(source));
    await target.pool.query("update users set email = 'before@example.org'");
  }
  await writeFile(join(restored, 'secrets-key'), 'of this instance');
  expect(await fail(['restore', path, ...keys], environment)).toContain('has data');
  expect(await keyIn()).toBe('of this instance');
  await target.drop();
  await removeDataDir(restored);
});

/** Everything that the frames of a file hold. */
async function readPlain(path: string): Promise<Buffer> {
  const { manifest } = await openBackup(path);
  const bytes = await readFile(path);
  const frames = manifest.tables.map(({ offset, length }) =>
    zstdDecompressSync(bytes.subarray(offset, offset + length)),
  );
  return Buffer.concat([...frames, Buffer.from(JSON.stringify(manifest))]);
}

test(`${kills} kills of a backup leave no file under its name, or a whole one`, async () => {
  const part = { name: 'kills of a backup', total: kills, limitMs: 600_000 };
  const lasting = await timeOf(['backup', '--to', join(folder, 'timed.backup')], {
    DATA_DIR: dataDir,
  });
  let whole = 0;
  await trackProgress(part, async ({ add }) => {
    for (let kill = 0; kill < kills; kill += 1) {
      const path = join(folder, `killed-${kill}.backup`);
      const child = start(['backup', '--to', path], { DATA_DIR: dataDir });
      await sleep(randomInt(lasting));
      await child.kill('SIGKILL');
      if (existsSync(path)) {
        await openBackup(path);
        whole += 1;
      }
      add();
    }
  });
  // One that was being read back is whole already.
  for (const name of (await readdir(folder)).filter((file) => file.endsWith('.partial'))) {
    const opened = openBackup(join(folder, name)).then(() => 'whole', String);
    expect(await opened).toMatch(/^whole$|The file/);
  }
  await run(['backup', '--to', join(folder, 'after.backup')], { DATA_DIR: dataDir });
  reportFigures(16, { 'kills of a backup': kills, 'of them after its end': whole });
}, 660_000);

test('a stop leaves no part of a backup, and no database of a verification', async () => {
  const environment = { DATA_DIR: dataDir };
  const own = await mkdtemp(join(folder, 'stopped-'));
  const blocker = await source.connect();
  // Held, so that the backup stays in the middle.
  await blocker.query('begin; lock table users in access exclusive mode');
  const backup = start(['backup', '--to', join(own, 'stopped.backup')], environment);
  await until(async () => (await readdir(own)).length > 0, 60_000, 'the file of the backup');
  await backup.kill('SIGINT');
  blocker.release(true);
  expect(await backup.exited, backup.output()).toEqual({ code: 1, signal: null });
  expect(await readdir(own)).toEqual([]);

  const databases = async () => {
    const { rows } = await source.query(
      `select from pg_database where datname like 'toprung\\_verify\\_%'`,
    );
    return rows.length;
  };
  const verification = start(['verify', backupPath], environment);
  await until(async () => (await databases()) > 0, 60_000, 'the database of the verification');
  await verification.kill('SIGINT');
  expect(await verification.exited, verification.output()).toEqual({ code: 1, signal: null });
  expect(await databases()).toBe(0);
}, 180_000);

test(`${kills} kills of a restore leave the old database or the new one, whole`, async () => {
  const target = await createEmptyDatabase();
  const environment = { DATA_DIR: join(folder, 'none'), DATABASE_URL: target.url };
  const args = ['restore', backupPath, '--replace'];
  const lasting = await timeOf(args, environment);
  const restored = await hashTables(target.pool);
  expect(restored).toEqual(await hashTables(source));
  const marked = "update users set email = 'before@example.org'";
  let kept = 0;
  const part = { name: 'kills of a restore', total: kills, limitMs: 600_000 };
  await trackProgress(part, async ({ add }) => {
    for (let kill = 0; kill < kills; kill += 1) {
      await target.pool.query(marked);
      const before = await hashTables(target.pool);
      const child = start(args, environment);
      await sleep(randomInt(lasting));
      await child.kill('SIGKILL');
      await untilAlone(target.pool);
      const found = await hashTables(target.pool);
      if (found.users === before.users) kept += 1;
      expect(found).toEqual(found.users === before.users ? before : restored);
      add();
    }
  });
  await run(args, environment);
  expect(await hashTables(target.pool)).toEqual(restored);
  await target.drop();
  reportFigures(16, { 'kills of a restore': kills, 'of them before its commit': kept });
}, 660_000);

/** The storage of finished tables, which changes when a table is written again. */
async function readFinished(pool: pg.Pool): Promise<Map<string, number>> {
  const { rows } = await pool
    .query<{ name: string; node: number }>(
      `select table_name as name, pg_relation_filenode(format('%I', table_name)::regclass) as node
       from toprung_restore.steps join pg_class on relname = table_name and relkind = 'r'
       where done_at is not null and table_name <> 'migrations'`,
    )
    .catch(() => ({ rows: [] }));
  return new Map(rows.map(({ name, node }) => [name, node]));
}

test(`${kills} kills of a restore into an empty database are continued by table`, async () => {
  const expected = await hashTables(source);
  const part = { name: 'kills of a restore by table', total: kills, limitMs: 600_000 };
  const args = ['restore', backupPath];
  let lasting = 0;
  let [kept, restores] = [0, 0];
  await trackProgress(part, async ({ add }) => {
    for (let kill = 0; kill < kills; restores += 1) {
      const target = await createEmptyDatabase();
      const environment = { DATA_DIR: join(folder, 'none'), DATABASE_URL: target.url };
      let finished = new Map<string, number>();
      const expectKept = async () => {
        const found = await readFinished(target.pool);
        for (const [table, node] of finished)
          if (found.size > 0) expect([table, found.get(table)]).toEqual([table, node]);
        finished = found;
      };
      // The first time without a kill, to know how long it takes.
      const killsHere = lasting === 0 ? 0 : Math.min(3, kills - kill);
      for (let count = 0; count < killsHere; count += 1, kill += 1) {
        const child = start(args, environment);
        const isBegun = async () => (await readFinished(target.pool)).size > finished.size;
        // Half of the kills come while tables are written, the others at any moment.
        if (count % 2 === 0) await Promise.race([until(isBegun, 60_000, 'a table'), child.exited]);
        else await sleep(randomInt(lasting));
        await child.kill('SIGKILL');
        await untilAlone(target.pool);
        await expectKept();
        kept += finished.size > 0 ? 1 : 0;
        add();
      }
      if (finished.size > 0) {
        const refused = await fail(['backup', '--to', join(folder, 'half.backup')], environment);
        expect(refused).toContain('A restore into this database was interrupted');
        expect(await fail(['migrate'], environment)).toContain('Run toprung restore again');
      }
      const begun = performance.now();
      const output = await run([...args, '--replace'], environment);
      lasting ||= Math.ceil(performance.now() - begun);
      if (finished.size > 0) expect(output).toContain('from an interrupted restore');
      expect(await hashTables(target.pool)).toEqual(expected);
      await target.drop();
    }
  });
  reportFigures(16, { 'kills of a restore by table': kills, 'of them with finished tables': kept });
}, 660_000);

async function timeOf(args: string[], environment: Record<string, string>): Promise<number> {
  const begun = performance.now();
  await run(args, environment);
  return Math.ceil(performance.now() - begun);
}

/** The server notices within a second that the client of a long statement is gone. */
async function untilAlone(pool: pg.Pool): Promise<void> {
  const others = `select from pg_stat_activity
    where datname = current_database() and application_name ^@ 'toprung-'`;
  await expect.poll(async () => (await pool.query(others)).rowCount).toBe(0);
}
