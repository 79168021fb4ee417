import { randomInt } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openDatabaseServer } from '#boot/database.ts';
import { createRowMover } from '#boot/backups/row-mover.ts';
import { startPostgres } from '#embedded-postgres/launch.ts';
import { listServerPids, signalProcess } from '#embedded-postgres/server-processes.ts';
import { upgradeCluster } from '#embedded-postgres/upgrade-cluster.ts';
import { movedPath, readState } from '#embedded-postgres/upgrade-files.ts';
import { silentLogger } from '#lib/logger.ts';
import { ShutdownStack } from '#lib/shutdown-stack.ts';
import { carelessFlags, silentLog } from '../harness/cluster.ts';
import { findFreePort } from '../harness/free-port.ts';
import { copyDataDir, copyInitializedDataDir } from '../harness/prepared-data-dir.ts';
import { startToprung, type Child } from '../harness/process.ts';
import { createDataDir, removeDataDir } from '../harness/product.ts';
import { reportFigures, trackProgress } from '../harness/progress.ts';
import { mountSmallDisk } from '../harness/small-disk.ts';
import {
  describeRows,
  fetchOldBinaries,
  fillOldServer,
  oldMajorVersion,
  withOldServer,
} from './old-cluster.fixtures.ts';

const kills = process.env.TORTURE ? 20 : 1;
/** The longest step takes about a second here. */
const maxStepMs = 1_000;
const old = await fetchOldBinaries();

describe.skipIf(old === null)('a database of PostgreSQL 17, started by a release with 18', () => {
  const { source, remove } = old!;
  let original: string;
  let expected: Record<string, string>;
  let reader: { login: string; password: string };
  const copies: string[] = [];

  beforeAll(async () => {
    original = await createDataDir();
    expected = await withOldServer(source, original, async (pool, url) => {
      reader = await fillOldServer(pool, url);
      return describeRows(pool);
    });
  });
  afterAll(async () => {
    for (const dataDir of [original, ...copies]) await removeDataDir(dataDir);
    await remove();
  });

  async function copyOriginal(): Promise<string> {
    const dataDir = await createDataDir();
    copies.push(dataDir);
    await copyDataDir(original, dataDir);
    return dataDir;
  }

  const start = (dataDir: string): Child => startToprung(['migrate'], { DATA_DIR: dataDir });

  async function upgrade(dataDir: string): Promise<string> {
    const child = start(dataDir);
    expect((await child.exited).code, child.output()).toBe(0);
    return child.output();
  }

  async function fail(dataDir: string): Promise<string> {
    const child = start(dataDir);
    expect((await child.exited).code, child.output()).toBe(1);
    expect(child.output()).not.toContain('    at ');
    return child.output();
  }

  async function withNewServer<T>(dataDir: string, work: (pool: pg.Pool) => Promise<T>) {
    const mover = createRowMover(silentLogger, () => undefined);
    const server = await startPostgres({ dataDir, log: silentLog, flags: carelessFlags, mover });
    const pool = new pg.Pool({ connectionString: server.superuserUrl('toprung'), max: 1 });
    try {
      return await work(pool);
    } finally {
      await pool.end();
      await server.stop();
    }
  }

  /** Over TCP, which needs the password, as a program of a reader does. */
  async function readAsReader(dataDir: string): Promise<unknown[]> {
    const port = await findFreePort();
    const running = new ShutdownStack();
    const config = { DATABASE_URL: null, DATA_DIR: dataDir, READER_PORT: port };
    await openDatabaseServer(config, silentLogger, running);
    const { login: user, password } = reader;
    const client = new pg.Client({ host: '127.0.0.1', port, database: 'toprung', user, password });
    await client.connect();
    const { rows } = await client.query('select name from workspace');
    await client.end();
    await running.close();
    return rows;
  }

  const versionOf = (dataDir: string, cluster = 'pgdata') =>
    readFileSync(join(dataDir, cluster, 'PG_VERSION'), 'utf8').trim();
  const listFiles = (dataDir: string) =>
    readdirSync(dataDir).map((name) => name.replace(/^(pg-bin-\d+).*/, '$1'));
  const complete = ['owner.lock', 'pg-bin-18', 'pgdata', 'pgdata-17', 'postgres.log', 'run'];

  test('has all its rows, and keeps the old database for a week', async () => {
    const dataDir = await copyOriginal();
    const output = await upgrade(dataDir);
    expect(output).toMatch(/needs \d+\.\d MB of disk space; .+ are free/);
    // After ten seconds, lines in between say how far a step is.
    expect(output).toMatch(/1 of 3: .+\n[^]*2 of 3: .+\n[^]*3 of 3: .+/);
    expect(versionOf(dataDir)).toBe('18');
    expect(await withNewServer(dataDir, describeRows)).toEqual(expected);
    expect(listFiles(dataDir).toSorted()).toEqual(complete);
    expect(await readAsReader(dataDir)).toHaveLength(1);
    const kept = join(dataDir, 'pgdata-17');
    expect(await withOldServer(source, dataDir, describeRows, kept)).toEqual(expected);
    await writeFile(join(kept, 'kept-until'), '2026-11-01T00:00:00.000Z\n');
    await withNewServer(dataDir, async () => undefined);
    expect(listFiles(dataDir)).not.toContain('pgdata-17');
    expect(listFiles(dataDir)).not.toContain('pg-bin-17');
  });

  test('continues between the two renames, and no release makes an empty one then', async () => {
    const dataDir = await copyOriginal();
    await rename(join(dataDir, 'pgdata'), join(dataDir, 'pgdata-17'));
    expect(await fail(dataDir)).toContain('pgdata is missing');
    const state = readState(join(dataDir, 'pgdata-17'));
    const moved = movedPath(dataDir, '18', state);
    const empty = await createDataDir();
    copies.push(empty);
    await copyInitializedDataDir(empty);
    await rename(join(empty, 'pgdata'), moved);
    const mover = createRowMover(silentLogger, () => undefined);
    const older = { home: dataDir, majorVersion: '17', mover } as never;
    await expect(upgradeCluster(older)).rejects.toThrow('Start the newer release');
    expect(existsSync(join(dataDir, 'pgdata'))).toBe(false);
    await upgrade(dataDir);
    expect(versionOf(dataDir)).toBe('18');
    expect(existsSync(moved)).toBe(false);
  });

  test('stays as it is without its binaries, and where its copy cannot be kept', async () => {
    const dataDir = await copyOriginal();
    const binaries = readdirSync(dataDir).find((name) => name.startsWith('pg-bin-17'))!;
    await rename(join(dataDir, binaries), join(dataDir, 'hidden'));
    expect(await fail(dataDir)).toContain('Start the release that made the database once');
    await rename(join(dataDir, 'hidden'), join(dataDir, binaries));
    await writeFile(join(dataDir, 'pgdata-17'), '');
    expect(await fail(dataDir)).toContain('pgdata-17, which exists');
    expect(versionOf(dataDir)).toBe('17');
    expect(await withOldServer(source, dataDir, describeRows)).toEqual(expected);
  });

  test('stays as it is on a disk without space for a second one', async (context) => {
    const disk = mountSmallDisk('200m');
    if (disk === null) return context.skip('only root may mount a small disk');
    const dataDir = join(disk.path, 'data');
    try {
      await copyDataDir(original, dataDir);
      const before = readState(join(dataDir, 'pgdata'));
      expect(await fail(dataDir)).toMatch(/needs \d+\.\d MB of disk space in .+ are free/);
      expect(readState(join(dataDir, 'pgdata'))).toBe(before);
    } finally {
      disk.remove();
    }
  });

  test(`has all its rows after ${kills} kills`, async () => {
    const found = { 'while it moved rows': 0, 'then started by the old release': 0 };
    const part = { name: 'kills of an upgrade', total: kills, limitMs: 600_000 };
    await trackProgress(part, async ({ add }) => {
      for (let kill = 0; kill < kills; kill += 1) {
        const dataDir = await copyOriginal();
        await killDuring(dataDir, kill);
        const isOld = versionOf(dataDir) === oldMajorVersion;
        if (isOld) found['while it moved rows'] += 1;
        const rows = isOld && kill % 3 === 0 ? await writeByOldRelease(dataDir) : expected;
        if (rows !== expected) found['then started by the old release'] += 1;
        await upgrade(dataDir);
        expect(versionOf(dataDir)).toBe('18');
        expect(versionOf(dataDir, 'pgdata-17')).toBe(oldMajorVersion);
        expect(await withNewServer(dataDir, describeRows)).toEqual(rows);
        expect(listFiles(dataDir).toSorted()).toEqual(complete);
        await removeDataDir(copies.pop()!);
        add();
      }
    });
    reportFigures(27, { 'kills of a major upgrade': kills, ...found });
    expect(found['then started by the old release']).toBeGreaterThan(0);
  }, 660_000);

  /** The first while the dump is there and the new cluster is not; the others at random. */
  async function killDuring(dataDir: string, kill: number): Promise<void> {
    const child = start(dataDir);
    await child.waitFor(`${kill === 0 ? 2 : randomInt(1, 4)} of 3`);
    if (kill > 0) await sleep(randomInt(maxStepMs));
    await child.kill('SIGKILL');
    if (kill % 2 === 1) killServers(dataDir);
  }

  /** Returns the rows after it. */
  const writeByOldRelease = (dataDir: string) =>
    withOldServer(source, dataDir, async (pool) => {
      await pool.query("insert into users (email, password_hash) values ('b@example.org', '-')");
      return describeRows(pool);
    });
});

/** Like a power failure: the servers of the upgrade end with it. */
function killServers(dataDir: string): void {
  const clusters = readdirSync(dataDir).filter((name) => name.startsWith('pgdata'));
  for (const pid of clusters.flatMap((name) => listServerPids(join(dataDir, name))))
    signalProcess(pid, 'SIGKILL');
}
