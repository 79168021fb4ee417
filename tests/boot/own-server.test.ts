import { chmod, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { verifyFile } from '#boot/backups/verify-file.ts';
import { examineInstance } from '#boot/doctor/examine-instance.ts';
import { openBackup } from '#backups/open-backup.ts';
import { restoreBackup } from '#backups/restore-backup.ts';
import { readConfig } from '#config/env.ts';
import { migrate } from '#db/migrate.ts';
import { openPool } from '#db/pool.ts';
import { createReader } from '#db/readers/create-reader.ts';
import { revokeReader } from '#db/readers/revoke-reader.ts';
import { CommandError } from '#lib/command-error.ts';
import { silentLogger } from '#lib/logger.ts';
import { ShutdownStack } from '#lib/shutdown-stack.ts';
import { backUp } from '../backups/backup-databases.ts';
import { hashTables } from '../backups/every-table.fixtures.ts';
import { startTestCluster, type TestCluster } from '../harness/cluster.ts';
import { keepOrder } from '../harness/keep-order.ts';
import { until } from '../harness/load-recorder.ts';
import { copyInitializedDataDir } from '../harness/prepared-data-dir.ts';

keepOrder('the first test makes the schema that the others use');

let cluster: TestCluster;
/** As in docs/operations.md: a user who may create roles and owns the database. */
let ownerUrl: string;

beforeAll(async () => {
  cluster = await startTestCluster(copyInitializedDataDir);
  await query(
    cluster.url('postgres'),
    "create role toprung login createrole password 'unused'",
    'create database toprung owner toprung',
  );
  ownerUrl = Object.assign(new URL(cluster.url('toprung')), { username: 'toprung' }).href;
});
afterAll(() => cluster.stop());

async function query(url: string, ...texts: string[]): Promise<Record<string, unknown>[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    const results: pg.QueryResult[] = [];
    for (const text of texts) results.push(await client.query(text));
    return results.at(-1)!.rows;
  } finally {
    await client.end();
  }
}

/** The schema of the migration before the one that brings devices. */
const withoutDevices = `
  drop schema reader cascade;
  drop table reader_logins;
  drop function prepare_readers();
  drop function restrict_catalog_functions();
  alter table stores drop column first_reviews, drop column shares_reviews;
  delete from migrations where name like any ('{%_readers.sql,%_reviews_counted_once.sql}');
  alter table markets drop column device;
  alter table markets add unique (store, country, phrase);
  alter table keywords drop column device;
  alter table unnamed_listings drop column device;
  alter table stores drop column devices;
  alter table run_counts drop column not_served;
  delete from migrations where name like '%_devices.sql'`;
const keywordsOfBothStores = `
  with home as (insert into workspaces (name) values ('old') returning id),
  shown as (
    insert into listings (store, store_app_id) values ('ios', '1'), ('android', 'a.b')
    returning id, store
  ), tracked as (
    insert into apps (workspace_id, listing_id, primary_country, created_at)
    select home.id, shown.id, 'us', now() from home, shown returning id, listing_id, workspace_id
  ), searched as (
    insert into markets (store, country, phrase) select store, 'us', 'words' from shown
    returning id, store
  )
  insert into keywords (workspace_id, app_id, market_id, country, phrase, depth, tracking_periods,
    created_at)
  select t.workspace_id, t.id, m.id, 'us', 'words', 200, '[]', now()
  from tracked t join shown s on s.id = t.listing_id join searched m on m.store = s.store`;

const workspaceWithAnnotation = `
  with home as (insert into workspaces (name) values ('home') returning id),
  shown as (insert into listings (store, store_app_id) values ('ios', '1') returning id),
  tracked as (
    insert into apps (workspace_id, listing_id, primary_country, created_at)
    select home.id, shown.id, 'us', now() from home, shown returning id, workspace_id
  )
  insert into annotations (workspace_id, app_id, on_date, text, created_at)
  select workspace_id, id, '2026-11-20', 'released', now() from tracked`;

describe('an external PostgreSQL', () => {
  test('is migrated by a user who may create roles, and used with those roles', async () => {
    expect((await migrate(ownerUrl, silentLogger)).length).toBeGreaterThan(10);
    for (const role of ['app', 'system'] as const) {
      const pool = openPool({
        url: ownerUrl,
        role,
        max: 1,
        statementTimeoutMs: 5_000,
        log: silentLogger,
      });
      const { rows } = await pool.query(
        'select current_user as name, count(*)::int as workspaces from workspaces',
      );
      await pool.end();
      expect(rows).toEqual([{ name: `toprung_${role}`, workspaces: 0 }]);
    }
  });

  test('keeps keywords from before devices, on the first device of their store', async () => {
    const url = cluster.url('toprung');
    await query(url, withoutDevices, keywordsOfBothStores);
    // The views for readers show devices, so they come after it again.
    expect(await migrate(ownerUrl, silentLogger)).toEqual([
      expect.stringMatching(/_devices\.sql$/),
      expect.stringMatching(/_readers\.sql$/),
      expect.stringMatching(/_reviews_counted_once\.sql$/),
    ]);
    const found = await query(
      url,
      'select m.store, m.device, k.device as copy from keywords k join markets m on m.id = ' +
        'k.market_id order by m.store',
    );
    expect(found).toEqual([
      { store: 'android', device: 'phone', copy: 'phone' },
      { store: 'ios', device: 'iphone', copy: 'iphone' },
    ]);
    const [{ forced }] = (await query(
      url,
      "select relforcerowsecurity as forced from pg_class where relname = 'keywords'",
    )) as [{ forced: boolean }];
    expect(forced).toBe(true);
    const another =
      "insert into markets (store, country, device, phrase) values ('ios', 'us', 'ipad', 'words')";
    await query(url, another);
    await expect(query(url, another)).rejects.toThrow('markets_store_country_device_phrase_key');
    await query(url, 'delete from workspaces', 'truncate markets, listings cascade');
  });

  test('lets a process wait for another’s migration beyond the lock timeout', async () => {
    const other = new pg.Client({ connectionString: ownerUrl });
    await other.connect();
    await other.query('select pg_advisory_lock(7470731)');
    const waiting = migrate(ownerUrl, silentLogger, {
      lockTimeoutMs: 100,
      migrationLockTimeoutMs: 60_000,
    });
    waiting.catch(() => undefined);
    const patient =
      "select from pg_stat_activity where wait_event = 'advisory' and now() - query_start > " +
      "'200 ms'";
    await until(
      async () => (await query(cluster.url('toprung'), patient)).length > 0,
      60_000,
      'a process that waits',
    );
    await other.end();
    expect(await waiting).toEqual([]);
  });

  test('is backed up and restored by its owner, whom row-level security binds', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'toprung-test-backups-'));
    // The server's user runs its binaries through this folder.
    await chmod(folder, 0o711);
    const path = join(folder, 'own.backup');
    const pool = new pg.Pool({ connectionString: cluster.url('toprung'), max: 1 });
    await pool.query(workspaceWithAnnotation);
    const before = await hashTables(pool);
    expect(before.annotations).toMatch(/^1 /);
    await backUp(ownerUrl, path);
    await pool.query('delete from workspaces');
    const options = { replaces: true, log: silentLogger };
    await restoreBackup(ownerUrl, await openBackup(path), options);
    expect(await hashTables(pool)).toEqual(before);
    // This role may not create a database, so an embedded server is used for the time.
    await copyInitializedDataDir(join(folder, 'verify'));
    const stack = new ShutdownStack();
    const config = readConfig({ DATABASE_URL: ownerUrl, DATA_DIR: folder, LOG_LEVEL: 'silent' });
    expect((await verifyFile(config, stack, path)).location).toBe(path);
    await stack.close();
    await query(
      cluster.url('toprung'),
      'delete from workspaces',
      'truncate markets, listings cascade',
    );
    await pool.end();
    await rm(folder, { recursive: true });
  });

  test('gives readers by an administrator’s statements where it may create no roles', async () => {
    const admin = cluster.url('toprung');
    await query(admin, 'alter role toprung nocreaterole');
    const [{ id }] = (await query(
      admin,
      "insert into workspaces (name) values ('Mine') returning id",
    )) as [{ id: number }];
    const reader = { workspaceId: id, label: null, login: null, now: new Date() };
    const refusal = await createReader(ownerUrl, reader).catch((error: unknown) => error);
    expect(refusal).toBeInstanceOf(CommandError);
    const [, login] = /--login (\w+):/.exec((refusal as Error).message)!;
    const statements = (refusal as Error).message
      .split('\n')
      .filter((line) => line.startsWith('  '));
    // The first line is the other way: to let the user create roles.
    expect(statements.shift()).toMatch(/alter role "?toprung"? createrole;/);
    await query(
      admin,
      ...statements
        .join('\n')
        .split(/;\n?/)
        .filter((text) => text.trim() !== ''),
    );
    const made = await createReader(ownerUrl, { ...reader, login: login! });
    expect(made).toEqual({ login, password: null, workspace: 'Mine' });
    const readerUrl = Object.assign(new URL(admin), { username: login! }).href;
    expect(await query(readerUrl, 'select name from workspace')).toEqual([{ name: 'Mine' }]);
    await expect(query(readerUrl, 'select from public.workspaces')).rejects.toThrow(/denied/);
    const { statementByHand } = await revokeReader(ownerUrl, login!, new Date());
    expect(await query(readerUrl, 'select name from workspace').catch(() => [])).toEqual([]);
    if (statementByHand !== null) await query(admin, statementByHand);
    await query(admin, 'alter role toprung createrole');
    const own = await createReader(ownerUrl, reader);
    const ownUrl = Object.assign(new URL(admin), { username: own.login }).href;
    expect(await query(ownUrl, 'select name from workspace')).toEqual([{ name: 'Mine' }]);
    expect((await revokeReader(ownerUrl, own.login, new Date())).statementByHand).toBeNull();
    await query(admin, 'delete from workspaces');
  });

  test('is readable as a whole by the documented backup role, and not by its owner', async () => {
    const page = await readFile(new URL('../../docs/operations.md', import.meta.url), 'utf8');
    const making = /create role toprung_backup [^`]*/.exec(page)![0];
    await query(cluster.url('toprung'), making);
    // Statements that pg_dump runs before it reads.
    const readAs = (url: string) =>
      query(
        url,
        'set row_security = off',
        ...tables.map(({ name }) => `select count(*) from ${String(name)}`),
      );
    const tables = await query(
      cluster.url('toprung'),
      "select format('%I.%I', schemaname, tablename) as name from pg_tables where schemaname " +
        "= 'public'",
    );
    expect(tables.length).toBeGreaterThan(40);
    await expect(readAs(ownerUrl)).rejects.toThrow('row-level security');
    await readAs(Object.assign(new URL(ownerUrl), { username: 'toprung_backup' }).href);
  });

  test('is not passed by the doctor until its user has every privilege', async () => {
    const admin = cluster.url('postgres');
    await query(
      admin,
      "create role another login createrole password 'unused'",
      'create database second',
    );
    const urlOf = (database: string) =>
      Object.assign(new URL(cluster.url(database)), { username: 'another' }).href;
    const examine = async (database: string) => {
      const settings = { DATABASE_URL: urlOf(database), DATA_DIR: join(tmpdir(), 'none') };
      const findings = await examineInstance(() => readConfig(settings), { egress: [] });
      return findings.filter(({ check }) => check === 'database');
    };
    const mayNotCreate = {
      state: 'error',
      message: expect.stringContaining('may not create tables'),
      remedy: expect.stringContaining('alter database <name> owner to'),
    };
    const mayNotSwitch = {
      state: 'error',
      message: expect.stringContaining('may not switch to them'),
      remedy: expect.stringContaining('grant toprung_app, toprung_system to <user>'),
    };
    const start = () => migrate(urlOf('second'), silentLogger);
    expect(await examine('second')).toMatchObject([mayNotSwitch, mayNotCreate]);
    await expect(start()).rejects.toThrow('permission denied for schema public');
    await query(admin, 'alter database second owner to another');
    expect(await examine('second')).toMatchObject([mayNotSwitch]);
    await expect(start()).rejects.toThrow('permission denied to grant role "toprung_app"');
    expect(await examine('toprung')).toMatchObject([
      {
        state: 'error',
        message: expect.stringContaining('lacks privileges: permission denied for'),
        remedy: expect.stringContaining('Use the user who owns the database'),
      },
    ]);
    // The first migration grants itself the rest.
    const grant = 'grant toprung_app, toprung_system to another with';
    await query(admin, `${grant} admin true, set false, inherit false`);
    expect(await examine('second')).toMatchObject([{ state: 'ok' }]);
    await start();
    expect(await examine('second')).toMatchObject([{ state: 'ok' }]);
    await query(admin, 'revoke toprung_app, toprung_system from another cascade');
    expect(await examine('second')).toMatchObject([mayNotSwitch]);
    await query(admin, `${grant} set true, inherit true`);
    expect(await examine('second')).toMatchObject([{ state: 'ok' }]);
  });
});
