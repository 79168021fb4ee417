import { spawn, type ChildProcess } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { findBinaryPackage } from '#embedded-postgres/binaries.ts';
import { DataDirInUseError, lockDataDir } from '#embedded-postgres/data-dir-lock.ts';
import { startPostgres, type EmbeddedPostgres } from '#embedded-postgres/launch.ts';
import { trimLog } from '#embedded-postgres/postmaster.ts';
import { findRunningServer } from '#embedded-postgres/running-server.ts';
import { listServerPids, waitUntil } from '#embedded-postgres/server-processes.ts';
import { canTraverse } from '#embedded-postgres/server-location.ts';
import { carelessFlags, silentLog } from '../harness/cluster.ts';
import { copyInitializedDataDir } from '../harness/prepared-data-dir.ts';
import { reportFigures, trackProgress } from '../harness/progress.ts';

const ownerProgram = new URL('./postgres-owner.ts', import.meta.url).pathname;
const nobody = { uid: 65_534, gid: 65_534 };
const isRoot = process.getuid?.() === 0;
/** Programs of another user must be able to read this checkout. */
const isReadableByOthers = canTraverse(import.meta.dirname, nobody);
const rounds = Number(process.env.TORTURE_ROUNDS ?? 1);
const treeRounds = Number(process.env.TORTURE_ROUNDS ?? 1);

let dataDir: string;
let running: EmbeddedPostgres[];
let owners: ChildProcess[];

beforeEach(() => {
  dataDir = mkdtempSync(join(tmpdir(), 'toprung-boot-'));
  running = [];
  owners = [];
});

afterEach(async () => {
  for (const owner of owners) owner.kill('SIGKILL');
  await Promise.all(running.map((server) => server.stop()));
  for (const pid of listServerPids(join(dataDir, 'pgdata'))) killIfRunning(pid);
  await waitUntil(() => listServerPids(join(dataDir, 'pgdata')).length === 0, 5_000);
  rmSync(dataDir, { recursive: true, force: true, maxRetries: 5 });
});

async function start(
  flags: Record<string, string> = carelessFlags,
  directory = dataDir,
): Promise<EmbeddedPostgres> {
  const server = await startPostgres({ dataDir: directory, log: silentLog, flags });
  running.push(server);
  return server;
}

async function query<T extends pg.QueryResultRow>(
  server: EmbeddedPostgres,
  sql: string,
): Promise<T[]> {
  const client = new pg.Client({ connectionString: server.superuserUrl('postgres') });
  client.on('error', () => {});
  await client.connect();
  try {
    return (await client.query<T>(sql)).rows;
  } finally {
    await client.end();
  }
}

interface Owner {
  process: ChildProcess;
  /** The newest line of each kind that it printed. */
  said: {
    ready?: boolean;
    acked?: number;
    error?: string;
    message?: string;
    postmaster?: number;
    home?: string;
  };
}

function startOwner(directory: string, as: { uid?: number; gid?: number } = {}): Owner {
  const child = spawn(process.execPath, [ownerProgram, directory], {
    stdio: ['ignore', 'pipe', 'inherit'],
    cwd: '/',
    ...as,
  });
  owners.push(child);
  const owner: Owner = { process: child, said: {} };
  createInterface({ input: child.stdout }).on('line', (line) =>
    Object.assign(owner.said, JSON.parse(line)),
  );
  return owner;
}

async function kill(owner: Owner): Promise<void> {
  if (owner.process.exitCode !== null || owner.process.signalCode !== null) return;
  const gone = new Promise((resolve) => owner.process.once('close', resolve));
  owner.process.kill('SIGKILL');
  await gone;
}

async function maxAcknowledgedRow(server: EmbeddedPostgres): Promise<number> {
  const [table] = await query<{ found: string | null }>(
    server,
    "select to_regclass('committed')::text as found",
  );
  if (!table?.found) return 0;
  const [row] = await query<{ max: string; count: string }>(
    server,
    'select coalesce(max(n), 0) as max, count(*) as count from committed',
  );
  expect(row?.count, 'no hole among the rows').toBe(row?.max);
  return Number(row?.max);
}

describe('a fresh data directory', () => {
  test('holds a PostgreSQL 18 in UTC with durable commits on a private Unix socket', async () => {
    const server = await start({});
    const [facts] = await query<Record<string, string>>(
      server,
      `select current_setting('server_version_num')::int / 10000 as major,
         current_setting('TimeZone') as zone,
              current_setting('listen_addresses') as addresses, current_setting('fsync') as fsync,
              current_setting('data_checksums') as checksums,
                pg_encoding_to_char(encoding) as encoding, datcollate as collate
         from pg_database where datname = 'postgres'`,
    );
    expect(facts).toEqual({
      major: 18,
      zone: 'UTC',
      addresses: '',
      fsync: 'on',
      checksums: 'on',
      encoding: 'UTF8',
      collate: 'C.UTF-8',
    });
    expect(listServerPids(server.clusterDir)).toContain(server.pid);
  });

  test('has no process, socket or temporary file left after a stop', async () => {
    await copyInitializedDataDir(dataDir);
    const server = await start();
    await server.stop();
    expect(listServerPids(server.clusterDir)).toEqual([]);
    expect(readdirSync(server.socketDir)).toEqual([]);
    const left = readdirSync(dataDir).map((name) => name.replace(/^(pg-bin)-18.*/, '$1'));
    expect(left.sort()).toEqual(['owner.lock', 'pg-bin', 'pgdata', 'postgres.log', 'run']);
  });

  test('may have a path longer than a socket address', async () => {
    const long = join(dataDir, 'a-directory-with-a-rather-long-name'.repeat(4));
    // PostgreSQL's user must be able to reach it, or its files are elsewhere.
    chmodSync(dataDir, 0o711);
    await copyInitializedDataDir(long);
    const server = await start(carelessFlags, long);
    expect(Buffer.byteLength(server.socketDir)).toBeLessThan(100);
    expect(await query(server, 'select 1 as one')).toEqual([{ one: 1 }]);
  });

  test.each([`a, b's data`, ' 100%,数据 '])('may be named “%s”', async (name) => {
    const directory = join(dataDir, name);
    chmodSync(dataDir, 0o711);
    const server = await start(carelessFlags, directory);
    expect(await query(server, 'select 1 as one')).toEqual([{ one: 1 }]);
    const urlOf = await findRunningServer(directory);
    expect(urlOf('postgres')).toBe(server.superuserUrl('postgres'));
  });

  test('starts again in well under a second', async () => {
    await copyInitializedDataDir(dataDir);
    await (await start()).stop();
    // A busy machine may hold up several starts.
    let fastestMs = Infinity;
    for (let attempt = 0; attempt < 20 && fastestMs >= 500; attempt += 1) {
      const began = performance.now();
      const server = await start();
      fastestMs = Math.min(fastestMs, performance.now() - began);
      await server.stop();
    }
    expect(fastestMs).toBeLessThan(500);
  });
});

test('has its log truncated to the newest part', () => {
  const logFile = join(dataDir, 'postgres.log');
  writeFileSync(logFile, '');
  truncateSync(logFile, 11 * 2 ** 20);
  // Like a full disk: writes fail.
  symlinkSync(join(dataDir, 'nowhere', 'log'), `${logFile}.old`);
  const warned: string[] = [];
  trimLog(logFile, { ...silentLog, warn: (_, message) => warned.push(message) });
  expect(statSync(logFile).size).toBe(0);
  expect(readdirSync(dataDir)).toEqual(['postgres.log']);
  expect(warned).toEqual(['the older part of the log of PostgreSQL was dropped']);
});

describe('one owner of a data directory', () => {
  beforeEach(() => copyInitializedDataDir(dataDir));

  test('has a lock that no other user can read and so hold, made by an older version too', () => {
    const lockFile = join(dataDir, 'owner.lock');
    const modeWhileLocked = () => {
      const lock = lockDataDir({ home: dataDir, user: null }, dataDir);
      expect(() => lockDataDir({ home: dataDir, user: null }, dataDir)).toThrow(DataDirInUseError);
      lock.release();
      return statSync(lockFile).mode & 0o777;
    };
    expect(modeWhileLocked()).toBe(0o600);
    chmodSync(lockFile, 0o644);
    expect(modeWhileLocked()).toBe(0o600);
  });

  test('refuses a second start in the same process, without a wait for the first', async () => {
    await start();
    const began = performance.now();
    await expect(start()).rejects.toMatchObject({
      name: 'DataDirInUseError',
      ownerPid: process.pid,
    });
    expect(performance.now() - began).toBeLessThan(5_000);
  });

  test('refuses a second process, and continues itself', async () => {
    const server = await start();
    const owner = startOwner(dataDir);
    await new Promise((resolve) => owner.process.once('close', resolve));
    expect(owner.said).toMatchObject({
      error: 'DataDirInUseError',
      message: expect.stringContaining(`process ${process.pid}`),
    });
    expect(await query(server, 'select 1 as one')).toEqual([{ one: 1 }]);
  });

  test('is replaced after a kill: its orphan server stops, and committed rows remain', async () => {
    const owner = startOwner(dataDir);
    await waitUntil(() => (owner.said.acked ?? 0) > 20, 60_000);
    await kill(owner);
    expect(listServerPids(join(dataDir, 'pgdata'))).toContain(owner.said.postmaster);
    const server = await start();
    expect(server.pid).not.toBe(owner.said.postmaster);
    expect(await maxAcknowledgedRow(server)).toBeGreaterThanOrEqual(owner.said.acked ?? Infinity);
  });
});

describe('kill -9', () => {
  beforeEach(() => copyInitializedDataDir(dataDir));

  test(
    `of the owner during the first boot: the next start works (${rounds} rounds)`,
    { timeout: 120_000 + rounds * 10_000 },
    async () => {
      const part = { name: 'kills of a first boot', total: rounds };
      await trackProgress({ ...part, limitMs: 60_000 + rounds * 10_000 }, async ({ add }) => {
        for (let round = 0; round < rounds; round++) {
          const directory = join(dataDir, String(round));
          const owner = startOwner(directory);
          await sleep(100 + Math.random() * 1_500);
          await kill(owner);
          const server = await start(carelessFlags, directory);
          expect(await maxAcknowledgedRow(server)).toBeGreaterThanOrEqual(owner.said.acked ?? 0);
          await server.stop();
          rmSync(directory, { recursive: true, force: true, maxRetries: 5 });
          add();
        }
      });
      reportFigures(25, { 'kills of a first boot': rounds, 'starts after them': rounds });
    },
  );

  test(
    `of owner and server under writes: no committed row is lost (${treeRounds} rounds)`,
    { timeout: 120_000 + treeRounds * 10_000 },
    async () => {
      const part = { name: 'kills of owner and server', total: treeRounds };
      await trackProgress({ ...part, limitMs: 60_000 + treeRounds * 10_000 }, async ({ add }) => {
        for (let round = 0; round < treeRounds; round++) {
          const owner = startOwner(dataDir);
          await waitUntil(() => owner.said.acked !== undefined, 60_000);
          await sleep(Math.random() * 300);
          for (const pid of listServerPids(join(dataDir, 'pgdata'))) killIfRunning(pid);
          await kill(owner);
          const server = await start();
          expect(await maxAcknowledgedRow(server)).toBeGreaterThanOrEqual(
            owner.said.acked ?? Infinity,
          );
          await server.stop();
          add();
        }
      });
    },
  );

  test('of the postmaster: it is restarted, and listeners are notified of both', async () => {
    const server = await start({});
    await query(server, 'create table kept as select 1 as one');
    const heard: string[] = [];
    server.onExit(({ signal }) => heard.push(`exit ${signal}`));
    server.onRestart(() => heard.push('restart'));
    const before = server.pid;
    process.kill(before, 'SIGKILL');
    expect(await waitUntil(() => heard.length === 2, 60_000)).toBe(true);
    expect(heard).toEqual(['exit SIGKILL', 'restart']);
    expect(server.pid).not.toBe(before);
    expect(await query(server, 'select * from kept')).toEqual([{ one: 1 }]);
  });

  test('of the postmaster just before a stop: the stop leaves nothing running', async () => {
    const server = await start();
    process.kill(server.pid, 'SIGKILL');
    await server.stop();
    expect(listServerPids(server.clusterDir)).toEqual([]);
  });
});

describe.skipIf(!isRoot)('as root', () => {
  test('the server runs as another user', async () => {
    const server = await start();
    const uid = /^Uid:\s+(\d+)/m.exec(readFileSync(`/proc/${server.pid}/status`, 'utf8'))?.[1];
    expect(Number(uid)).toBeGreaterThan(0);
  });

  test('an unreachable data directory keeps a pointer and returns to its database', async () => {
    chmodSync(dataDir, 0o700);
    const hidden = join(dataDir, 'like-root', 'data');
    mkdirSync(hidden, { recursive: true });
    const server = await start(carelessFlags, hidden);
    try {
      expect(server.home.startsWith(dataDir)).toBe(false);
      expect(readFileSync(join(hidden, 'postgres-home'), 'utf8').trim()).toBe(server.home);
      await query(server, 'create table kept as select 1 as one');
      await expect(start(carelessFlags, hidden)).rejects.toMatchObject({
        name: 'DataDirInUseError',
      });
      await server.stop();
      const again = await start(carelessFlags, hidden);
      expect(await query(again, 'select * from kept')).toEqual([{ one: 1 }]);
      await again.stop();
    } finally {
      await server.stop();
      rmSync(server.home, { recursive: true, force: true });
    }
    await expect(start(carelessFlags, hidden)).rejects.toThrow('which is gone');
  });

  test.skipIf(!isReadableByOthers)('another user runs everything; root takes over', async () => {
    chmodSync(dataDir, 0o777);
    const owner = startOwner(join(dataDir, 'theirs'), nobody);
    await waitUntil(() => (owner.said.acked ?? 0) > 5, 60_000);
    expect(owner.said).toMatchObject({ ready: true, home: join(dataDir, 'theirs') });
    await kill(owner);
    const server = await start(carelessFlags, join(dataDir, 'theirs'));
    expect(await maxAcknowledgedRow(server)).toBeGreaterThanOrEqual(owner.said.acked ?? Infinity);
    await server.stop();
    const back = startOwner(join(dataDir, 'theirs'), nobody);
    await waitUntil(() => back.said.acked !== undefined || back.said.error !== undefined, 60_000);
    expect(back.said.error).toBeUndefined();
    await kill(back);
    for (const pid of listServerPids(join(dataDir, 'theirs', 'pgdata'))) killIfRunning(pid);
    await waitUntil(() => listServerPids(join(dataDir, 'theirs', 'pgdata')).length === 0, 5_000);
  });
});

/** The server may end by itself in the meantime. */
function killIfRunning(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}

describe('an unsupported machine', () => {
  test.skipIf(!isRoot || !isReadableByOthers)('gets an error for a nameless user', async () => {
    chmodSync(dataDir, 0o777);
    const owner = startOwner(join(dataDir, 'theirs'), { uid: 54_321, gid: 54_321 });
    await new Promise((resolve) => owner.process.once('close', resolve));
    expect(owner.said).toMatchObject({
      error: 'EmbeddedPostgresUnsupportedError',
      message: expect.stringContaining('DATABASE_URL'),
    });
  });

  test('gets an error that names the alternative: DATABASE_URL', async () => {
    await expect(findBinaryPackage('win32-x64')).rejects.toThrow(
      /does not run on win32-x64.*DATABASE_URL/,
    );
    await expect(findBinaryPackage('linux-x64', () => false)).rejects.toThrow(
      /needs glibc.*DATABASE_URL/,
    );
    expect(existsSync((await findBinaryPackage()).root)).toBe(true);
  });
});
