import { closeSync, openSync, readdirSync, writeSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type pg from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { BackupFileError } from '#backups/backup-file-error.ts';
import { openBackup, readBackup } from '#backups/open-backup.ts';
import { restoreBackup } from '#backups/restore-backup.ts';
import { verifyBackup } from '#backups/verify-backup.ts';
import { withDatabaseSnapshot } from '#db/backup/database-snapshot.ts';
import { applyMigration, createMigrationsTable, migrate, readMigrationFiles } from '#db/migrate.ts';
import { describeStores } from '#db/sync-stores.ts';
import { silentLogger } from '#lib/logger.ts';
import { createTestDatabase } from '../harness/database.ts';
import { createDemoDatabase, type DemoDatabase } from '../harness/demo-database.ts';
import { backUp, createEmptyDatabase, type EmptyDatabase } from './backup-databases.ts';
import { fillEveryTable, hashTables, listTables } from './every-table.fixtures.ts';

/** Written to while the backup is made; the first and the last table in their order. */
const writtenTables = ['annotations', 'workspaces'];
const restoring = { replaces: false, log: silentLogger };

let folder: string;
let demo: DemoDatabase;
let targets: EmptyDatabase[];

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'toprung-test-backups-'));
  demo = await createDemoDatabase();
  await fillEveryTable(demo.pool);
  targets = await Promise.all([
    createEmptyDatabase(),
    createEmptyDatabase(),
    createEmptyDatabase(),
  ]);
});
afterAll(async () => {
  await Promise.all([demo, ...targets].map((database) => database.drop()));
  await rm(folder, { recursive: true });
});

/** Commits a workspace with an annotation, until it is stopped. */
function startWriting(pool: pg.Pool): () => Promise<number> {
  let isStopped = false;
  const writing = (async () => {
    let count = 0;
    for (; !isStopped; count += 1) {
      await pool.query(
        `with home as (insert into workspaces (name) values ('written meanwhile') returning id),
         app as (insert into apps (workspace_id, listing_id, primary_country, created_at)
           select home.id, (select min(id) from listings), 'us', now() from home
           returning id, workspace_id)
         insert into annotations (workspace_id, app_id, on_date, text, created_at)
         select workspace_id, id, '2026-11-20', 'written meanwhile', now() from app`,
      );
    }
    return count;
  })();
  return () => {
    isStopped = true;
    return writing;
  };
}

const countPairs = async (pool: pg.Pool) =>
  (
    await pool.query(
      `select (select count(*)::int from workspaces where name = 'written meanwhile') as homes,
         (select count(*)::int from annotations where text = 'written meanwhile') as notes`,
    )
  ).rows[0] as { homes: number; notes: number };

describe('a backup', () => {
  test('has every row of one moment, while rows are written', async () => {
    const empty = Object.entries(await hashTables(demo.pool)).filter(([, hash]) =>
      hash.startsWith('0 '),
    );
    expect(empty).toEqual([]);
    const path = join(folder, 'round-trip.backup');
    const stop = startWriting(demo.pool);
    await expect.poll(async () => (await countPairs(demo.pool)).homes).toBeGreaterThan(0);
    const before = await countPairs(demo.pool);
    const created = await backUp(demo.url, path);
    const written = await stop();
    const target = targets[0]!;
    await restoreBackup(target.url, await openBackup(path), restoring);
    const found = await countPairs(target.pool);
    expect(found.homes).toBe(found.notes);
    expect(found.homes).toBeGreaterThanOrEqual(before.homes);
    expect(found.homes).toBeLessThan(written);
    const except = [...writtenTables, 'apps', 'budgets', 'budget_counts'];
    expect(await hashTables(target.pool, except)).toEqual(await hashTables(demo.pool, except));
    expect(created.tables).toBe((await listTables(demo.pool)).length);
    expect((await readdir(folder)).filter((name) => name.endsWith('.partial'))).toEqual([]);
  });

  test('has the results of a month that is packed and dropped meanwhile', async () => {
    const { url, pool, drop } = await createTestDatabase();
    const createPartitions = (day: string) =>
      pool.query('select create_month_partitions($1, 0) as count', [day]);
    const dropEmpty = () =>
      pool.query("select drop_empty_partitions('serps', '2026-06-01') as count");
    const day = '2026-01-15';
    await createPartitions(day);
    await pool.query(
      `insert into serps (market_id, on_date, depth, result_count, ended, provider, ids, strengths)
       values (1, $1, 10, 0, 'exhausted', 'itunes', '', '')`,
      [day],
    );
    let copied = '';
    await withDatabaseSnapshot(url, async ({ tables, readRows }) => {
      await pool.query('delete from serps');
      await expect(dropEmpty()).rejects.toMatchObject({ code: '55P03' });
      // The partitions of later months are created meanwhile.
      expect((await createPartitions('2031-01-15')).rows[0].count).toBeGreaterThan(1);
      for await (const chunk of readRows(tables.find(({ name }) => name === 'serps')!))
        copied += chunk.toString();
    });
    expect(copied).toContain(day);
    expect((await dropEmpty()).rows).toEqual([{ count: 1 }]);
    await drop();
  });

  test('is verified by restoring it, with its sequences, constraints and triggers', async () => {
    const path = join(folder, 'verified.backup');
    await backUp(demo.url, path);
    const backup = await openBackup(path);
    await readBackup(backup);
    const target = targets[1]!;
    await verifyBackup(target.url, backup, silentLogger);
    expect(await describeObjects(target.pool)).toEqual(await describeObjects(demo.pool));
  });

  test('gets no name when it cannot be read back, and nothing of it stays', async () => {
    const own = join(folder, 'damaged');
    await mkdir(own);
    const damage = () => {
      const [draft] = readdirSync(own);
      const file = openSync(join(own, draft!), 'r+');
      writeSync(file, Buffer.alloc(64, 'x'), 0, 64, 4_096);
      closeSync(file);
    };
    let tables = 0;
    const made = backUp(demo.url, join(own, 'a.backup'), (_, count) => {
      tables += 1;
      if (tables === count) damage();
    });
    await expect(made).rejects.toBeInstanceOf(BackupFileError);
    expect(await readdir(own)).toEqual([]);
  });

  test('of an older version is restored and brought up to date', async () => {
    const [old, current] = [await createEmptyDatabase(), targets[2]!];
    const files = await readMigrationFiles();
    const applied = files.slice(
      0,
      files.findIndex(({ name }) => name.includes('_devices')),
    );
    const client = await old.pool.connect();
    await createMigrationsTable(client);
    await describeStores(client);
    for (const file of applied) await applyMigration(client, file);
    client.release();
    await old.pool.query(
      `insert into stores (store, rank, first_page, next_page, listings_per_request,
         confirms_empty_hints, charts) values ('ios', 1, 30, 25, 200, true, '{}')`,
    );
    await old.pool.query(
      `insert into markets (store, country, phrase) values ('ios', 'us', 'old words')`,
    );
    const path = join(folder, 'old.backup');
    await backUp(old.url, path);
    await old.drop();
    await restoreBackup(current.url, await openBackup(path), restoring);
    const migrated = await migrate(current.url, silentLogger);
    expect(migrated).toEqual(files.slice(applied.length).map(({ name }) => name));
    const { rows } = await current.pool.query('select device, phrase from markets');
    expect(rows).toEqual([{ device: 'iphone', phrase: 'old words' }]);
    // The demo has positions of yesterday, which may be another month.
    const { rows: months } = await demo.pool.query<{ day: string }>(
      `select to_date(right(relname, 7), 'YYYY_MM')::text as day from pg_class
       where relname ~ '^serps_\\d{4}_\\d{2}$'`,
    );
    for (const { day } of months)
      await current.pool.query('select create_month_partitions($1, 0)', [day]);
    expect(await describeObjects(current.pool, false)).toEqual(
      await describeObjects(demo.pool, false),
    );
  });
});

/** Constraints, indexes, policies, triggers, grants and, unless left out, sequences as lines. */
async function describeObjects(pool: pg.Pool, withSequences = true): Promise<string[]> {
  const { rows } = await pool.query<{ line: string }>(
    `select concat_ws(' ', conrelid::regclass, conname, pg_get_constraintdef(oid), convalidated)
       as line from pg_constraint where connamespace = 'public'::regnamespace
     union all select indexdef from pg_indexes where schemaname = 'public'
     union all select concat_ws(' ', tablename, policyname, roles::text, qual, with_check)
       from pg_policies where schemaname = 'public'
     union all select concat_ws(' ', tgrelid::regclass, tgname, tgenabled) from pg_trigger
       where not tgisinternal and tgrelid in (select oid from pg_class
         where relnamespace = 'public'::regnamespace)
     union all select concat_ws(' ', oid::regclass, relacl::text, relrowsecurity,
       relforcerowsecurity) from pg_class
       where relnamespace = 'public'::regnamespace and relkind in ('r', 'v')
     union all select concat_ws(' ', sequencename, last_value) from pg_sequences
       where schemaname = 'public' and $1 order by 1`,
    [withSequences],
  );
  return rows.map(({ line }) => line);
}
