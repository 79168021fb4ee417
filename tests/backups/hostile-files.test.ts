import { randomInt } from 'node:crypto';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { zstdCompressSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { BackupFileError } from '#backups/backup-file-error.ts';
import { footer, footerBytes, header, headerBytes } from '#backups/frames.ts';
import type { Manifest, StoredTable } from '#backups/manifest.ts';
import { RowMeter } from '#backups/row-meter.ts';
import { openBackup, readBackup } from '#backups/open-backup.ts';
import { restoreBackup } from '#backups/restore-backup.ts';
import { RestoreRefusedError } from '#db/backup/restore-refused-error.ts';
import { migrate } from '#db/migrate.ts';
import { openPool } from '#db/pool.ts';
import { CommandError } from '#lib/command-error.ts';
import { silentLogger } from '#lib/logger.ts';
import { createTestDatabase, type TestDatabase } from '../harness/database.ts';
import { backUp, createEmptyDatabase, type EmptyDatabase } from './backup-databases.ts';
import { hashTables } from './every-table.fixtures.ts';

let folder: string;
let source: TestDatabase;
let target: EmptyDatabase;
let whole: Buffer;
let manifest: Manifest;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'toprung-test-backups-'));
  [source, target] = await Promise.all([createTestDatabase(), createEmptyDatabase()]);
  await source.pool.query(
    `with home as (insert into workspaces (name) select 'home ' || n from generate_series(1, 500) n
       returning id), person as (insert into users (email, password_hash)
       values ('me@example.org', '-') returning id)
     insert into memberships (workspace_id, user_id, role)
       select home.id, person.id, 'owner' from home, person`,
  );
  const path = join(folder, 'whole.backup');
  await backUp(source.url, path);
  whole = await readFile(path);
  ({ manifest } = await openBackup(path));
});
afterAll(async () => {
  await Promise.all([source.drop(), target.drop()]);
  await rm(folder, { recursive: true });
});

const isEmpty = async () =>
  (await target.pool.query("select from pg_tables where schemaname = 'public'")).rowCount === 0;

/** Restores the bytes as a file. Returns the error; fails when something was written. */
async function refuse(bytes: Uint8Array): Promise<CommandError> {
  const path = join(folder, 'hostile.backup');
  await writeFile(path, bytes);
  const restoring = openBackup(path).then((backup) =>
    restoreBackup(target.url, backup, { replaces: true, log: silentLogger }),
  );
  const error = await restoring.then(
    () => new Error('it was restored'),
    (thrown: Error) => thrown,
  );
  expect(await isEmpty()).toBe(true);
  expect(error).toBeInstanceOf(CommandError);
  return error;
}

function flipBit(position: number): Buffer {
  const bytes = Buffer.from(whole);
  bytes[position]! ^= 1 << randomInt(8);
  return bytes;
}

type Frames = { table: Omit<StoredTable, 'offset' | 'length'>; frame: Buffer }[];

/** A file whose frames and hashes fit together, as an attacker would write it. */
function forge(change: (parts: { manifest: Manifest; frames: Frames }) => void): Buffer {
  const frames = manifest.tables.map(({ offset, length, ...table }) => ({
    table: structuredClone(table),
    frame: whole.subarray(offset, offset + length),
  }));
  const parts = { manifest: structuredClone(manifest), frames };
  change(parts);
  let offset = headerBytes;
  const tables = parts.frames.map(({ table, frame }) => {
    const placed = { ...table, offset, length: frame.length };
    offset += frame.length;
    return placed;
  });
  const json = zstdCompressSync(JSON.stringify({ ...parts.manifest, tables }));
  return Buffer.concat([
    header(),
    ...parts.frames.map(({ frame }) => frame),
    json,
    footer(json, offset),
  ]);
}

function measure(rows: string): Pick<StoredTable, 'rows' | 'bytes' | 'sha256'> {
  const meter = new RowMeter();
  meter.add(Buffer.from(rows));
  return meter.finish();
}

const forgeTable = (name: string, change: (table: Frames[number]) => void): Buffer =>
  forge(({ frames }) => change(frames.find(({ table }) => table.name === name)!));

const forgeRows = (name: string, change: (rows: string) => string): Buffer =>
  forgeTable(name, (part) => {
    const rows = change(name === 'workspaces' ? '' : '\n');
    part.frame = zstdCompressSync(rows);
    Object.assign(part.table, measure(rows));
  });

describe('a file that is no whole backup is refused, and nothing is written:', () => {
  test('one that was cut off anywhere', async () => {
    const lengths = [0, 1, headerBytes, footerBytes, randomInt(whole.length), whole.length - 1];
    for (const length of lengths)
      expect(await refuse(whole.subarray(0, length))).toBeInstanceOf(BackupFileError);
    expect((await refuse(whole.subarray(0, whole.length - 1))).message).toContain('cut off');
  });

  test('one with a changed byte where it matters', async () => {
    const manifestAt = whole.length - footerBytes - 5;
    for (const position of [3, headerBytes + 9, manifestAt, whole.length - 30, whole.length - 3])
      expect(await refuse(flipBit(position)), `byte ${position}`).toBeInstanceOf(BackupFileError);
  });

  test('one with a changed byte anywhere, unless it holds the same rows', async () => {
    const path = join(folder, 'flipped.backup');
    let refused = 0;
    for (let flips = 0; flips < 100; flips += 1) {
      await writeFile(path, flipBit(randomInt(whole.length)));
      // A few bits of compressed data mean nothing.
      const reading = openBackup(path).then((backup) => readBackup(backup));
      const error = await reading.then(
        () => null,
        (thrown: Error) => thrown,
      );
      if (error === null) continue;
      expect(error).toBeInstanceOf(BackupFileError);
      refused += 1;
    }
    expect(refused).toBeGreaterThan(80);
  });

  test('one of another kind, and one with bytes after its end', async () => {
    expect((await refuse(Buffer.from('PGDMP'.repeat(100)))).message).toContain('is not a backup');
    expect((await refuse(zstdCompressSync(whole))).message).toContain('is not a backup');
    expect((await refuse(Buffer.concat([whole, whole]))).message).toContain('damaged');
    expect((await refuse(Buffer.concat([whole, Buffer.alloc(1)]))).message).toContain('cut off');
  });
});

describe('a forged file is refused, and nothing is written:', () => {
  test('one of a newer version, of a newer format, or with another schema', async () => {
    const newer = forge((parts) => {
      parts.manifest.migrations.push({ name: '9999_newer.sql', hash: '0'.repeat(64) });
    });
    expect((await refuse(newer)).message).toBe(
      'The backup was made by a newer version (9999_newer.sql). Restore it with that version.',
    );
    const format = forge((parts) => Object.assign(parts.manifest, { format: 2 }));
    expect((await refuse(format)).message).toContain('is of format 2');
    const other = forge((parts) => (parts.manifest.migrations[3]!.hash = '0'.repeat(64)));
    expect((await refuse(other)).message).toContain('is not that of a release');
    const partial = forge((parts) => parts.manifest.migrations.splice(0, 1));
    expect(await refuse(partial)).toBeInstanceOf(Error);
  });

  test.each([
    ['a table with the name of a path', { name: '../../etc/passwd' }, 'manifest'],
    ['a table with SQL as its name', { name: 'a"; drop table users; --' }, 'manifest'],
    ['a table of the catalogue', { name: 'pg_authid' }, 'does not know'],
    ['a column that does not exist', { columns: ['id', 'superuser'] }, 'other columns'],
    ['a column with SQL as its name', { columns: ['id) from program'] }, 'manifest'],
    ['no column', { columns: [] }, 'manifest'],
    [
      'a partition with SQL as its bound',
      { partitions: [{ name: 'a', from: "2026-01-01') to ('x", to: '2026-02-01' }] },
      'manifest',
    ],
    [
      'a partition of a table without any',
      { partitions: [{ name: 'a', from: '2026-01-01', to: '2026-02-01' }] },
      'a partition that does not fit',
    ],
    ['fewer rows than it has', { rows: 7 }, 'damaged'],
    ['fewer bytes than it has', { bytes: 100 }, 'damaged'],
    ['another hash', { sha256: '0'.repeat(64) }, 'damaged'],
    ['more bytes than a file can hold', { bytes: 2 ** 50 }, 'claims to hold'],
    ['a number that is not exact', { rows: 2 ** 60 }, 'manifest'],
    ['a member that nobody knows', { path: '/etc/cron.d/x' }, 'manifest'],
  ])('%s', async (_what, change, problem) => {
    const forged = forgeTable('workspaces', ({ table }) => Object.assign(table, change));
    expect((await refuse(forged)).message).toContain(problem);
  });

  test('one that lacks a table, or has one twice', async () => {
    const lacking = forge(({ frames }) => frames.splice(5, 1));
    expect((await refuse(lacking)).message).toContain('lacks the table');
    const twice = forge(({ frames }) => frames.push(frames[5]!));
    expect(await refuse(twice)).toBeInstanceOf(BackupFileError);
  });

  test('one whose rows break a rule of the schema', async () => {
    const orphans = forgeRows('workspaces', () => '');
    expect((await refuse(orphans)).message).toContain('memberships');
    const malformed = forgeRows('users', () => 'x\ty\n');
    expect(await refuse(malformed)).toBeInstanceOf(RestoreRefusedError);
  });

  test('one that would decompress to gigabytes, without the memory for it', async () => {
    const bomb = zstdCompressSync(Buffer.alloc(128 * 1024 * 1024, '\n'));
    const forged = forgeTable('workspaces', (part) => (part.frame = bomb));
    const before = process.memoryUsage.rss();
    expect((await refuse(forged)).message).toContain('damaged');
    expect(process.memoryUsage.rss() - before).toBeLessThan(64 * 1024 * 1024);
    const big = forge((parts) => {
      const file = parts.manifest as Manifest & { padding: string };
      file.padding = ' '.repeat(32 * 1024 * 1024);
    });
    expect((await refuse(big)).message).toContain('damaged');
  });
});

describe('a restore', () => {
  let occupied: EmptyDatabase;
  const restoring = (url: string, replaces: boolean) =>
    openBackup(join(folder, 'whole.backup')).then((backup) =>
      restoreBackup(url, backup, { replaces, log: silentLogger }),
    );
  beforeAll(async () => {
    occupied = await createEmptyDatabase();
    await migrate(occupied.url, silentLogger);
    await occupied.pool.query(
      "insert into users (email, password_hash) values ('other@example.org', '-')",
    );
  });
  afterAll(() => occupied.drop());

  test('deletes the data of a database only with --replace', async () => {
    const before = await hashTables(occupied.pool);
    await expect(restoring(occupied.url, false)).rejects.toThrow(
      'The database has data (1 account). --replace deletes all of it and restores the backup.',
    );
    expect(await hashTables(occupied.pool)).toEqual(before);
    await restoring(occupied.url, true);
    expect(await hashTables(occupied.pool)).toEqual(await hashTables(source.pool));
  });

  test('does not begin while the product uses the database', async () => {
    const options = { role: 'app', max: 1, statementTimeoutMs: 5_000, log: silentLogger } as const;
    const pool = openPool({ url: occupied.url, ...options });
    await pool.query('select');
    await expect(restoring(occupied.url, true)).rejects.toThrow('The product is using');
    await pool.end();
  });

  test('touches no database of another program', async () => {
    const other = await createEmptyDatabase();
    await other.pool.query('create table users (id int); create table orders (id int)');
    await expect(restoring(other.url, true)).rejects.toThrow('tables of another program');
    expect((await other.pool.query('select from orders')).rowCount).toBe(0);
    await other.drop();
  });
});
