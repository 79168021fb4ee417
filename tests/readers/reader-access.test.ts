import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { readTables } from '#db/backup/read-tables.ts';
import { endLongReads } from '#db/queries/readers/long-reads.ts';
import { createReader } from '#db/readers/create-reader.ts';
import { listReaders } from '#db/readers/list-readers.ts';
import { revokeReader } from '#db/readers/revoke-reader.ts';
import { CommandError } from '#lib/command-error.ts';
import { TestClock } from '#lib/clock.ts';
import { startApi, type Account, type TestApi } from '../harness/api.ts';
import { createTestDatabase } from '../harness/database.ts';
import { fillWorld, makeReader, randomOf, type TestReader } from './readers.fixtures.ts';

const now = new Date();
/** In every text of the other workspace that a view shows. */
const marker = 'MARKER-of-another-workspace';
const views = [
  'annotations',
  'apps',
  'category_ranks',
  'competitors',
  'events',
  'gaps',
  'keywords',
  'positions',
  'reviews',
  'workspace',
];

let api: TestApi;
let mine: Account;
let theirs: Account;
let reader: TestReader;
let client: pg.Client;

beforeAll(async () => {
  api = await startApi({ clock: new TestClock(now.toISOString()) });
  mine = await api.signUp();
  theirs = await api.signUp();
  const ids = [mine.workspaceId, theirs.workspaceId];
  const world = await fillWorld(api.db.pool, ids, { random: randomOf(7), now });
  for (const [index, id] of ids.entries()) {
    const [appId] = world.appIds.get(id)!;
    const text = index === 0 ? '1' : marker;
    await api.db.pool.query(
      'update keywords set note = $2, tags = array[$2] where workspace_id = $1',
      [id, text],
    );
    await api.db.pool.query(
      'update apps set note = $2, display_name = $2 where workspace_id = $1',
      [id, text],
    );
    await api.db.pool.query('update workspaces set name = $2 where id = $1', [id, text]);
    await api.db.pool.query(
      `insert into annotations (workspace_id, app_id, on_date, text, created_at)
       values ($1, $2, '2026-11-01', $3, now())`,
      [id, appId, text],
    );
    await api.db.pool.query(
      `insert into competitors (workspace_id, app_id, listing_id, note, tracking_periods,
         followed_at, created_at)
       select $1, $2, max(id), $3, '[["2026-11-01", 1]]', now(), now() from listings`,
      [id, appId, text],
    );
    await api.db.pool.query(
      `insert into events (workspace_id, sequence, type, key, app_id, occurred_at, body)
       values ($1, 1, 'rank.dropped', 'k', $2, now(), jsonb_build_object('id', $3::text)::text)`,
      [id, appId, text],
    );
    await api.db.pool.query(
      `insert into imported_facts (workspace_id, app_id, kind, on_date, items) values
         ($1, $2, 'reviews', '2026-11-01', jsonb_build_array(jsonb_build_object('id', 1073741900,
           'country', 'us', 'storeReviewId', $3::text, 'rating', 3, 'body', $3::text,
           'reviewedAt', '2026-11-01T00:00:00Z'))),
         ($1, $2, 'category_ranks', '2026-11-01', jsonb_build_array(jsonb_build_object(
           'date', '2026-11-01', 'country', 'us', 'chart', 'free', 'position', 1, 'depth', 9,
           'category', jsonb_build_object('id', '6', 'name', $3::text),
           'checkedAt', '2026-11-01T01:00:00Z')))`,
      [id, appId, text],
    );
  }
  await api.db.pool.query('analyze');
  reader = await makeReader(api.db, mine.workspaceId);
  client = await reader.connect();
});
afterAll(async () => {
  await client?.end();
  await reader?.revoke();
  await api?.close();
});

const refusal = async (text: string, values: unknown[] = []): Promise<string> =>
  client.query(text, values).then(
    () => 'allowed',
    (error: Error) => error.message,
  );

describe('a reader', () => {
  test('reads every view, of its own workspace alone', async () => {
    const { rows } = await client.query<{ name: string }>(
      `select viewname as name from pg_views where schemaname = 'reader' order by 1`,
    );
    expect(rows.map(({ name }) => name)).toEqual(views);
    for (const view of views) {
      const all = await client.query(`select v::text as row from ${view} v`);
      expect(all.rowCount, view).toBeGreaterThan(0);
      expect(JSON.stringify(all.rows), view).not.toContain(marker);
    }
    const owner = await api.db.pool.query('select count(*)::int as rows from reader.keywords');
    expect(owner.rows).toEqual([{ rows: 0 }]);
  });

  test('stays in its workspace, whatever it sets', async () => {
    const other = String(theirs.workspaceId);
    await client.query("select set_config('app.workspace', $1, false)", [other]);
    await client.query('set role toprung_reader').catch(() => undefined);
    const { rows } = await client.query('select id from workspace');
    expect(rows).toEqual([{ id: mine.workspaceId }]);
    await client.query('reset role; reset app.workspace');
    for (const role of ['toprung_app', 'toprung_system', 'toprung_views', 'postgres']) {
      expect(await refusal(`set role ${role}`)).toMatch(/permission denied/);
      expect(await refusal(`set session authorization ${role}`)).toMatch(/permission denied/);
    }
  });

  test('reads no table and calls no function of the product', async () => {
    const { rows: tables } = await api.db.pool.query<{ name: string }>(
      `select oid::regclass::text as name from pg_class
       where relnamespace in ('public'::regnamespace, 'reader'::regnamespace)
         and relkind in ('r', 'p', 'v', 'S')
         and not (relnamespace = 'reader'::regnamespace and relkind = 'v')`,
    );
    expect(tables.length).toBeGreaterThan(80);
    for (const { name } of tables) {
      const table = name.includes('.') ? name : `public.${name}`;
      expect(await refusal(`select * from ${table}`), name).toMatch(/permission denied/);
    }
    const { rows: functions } = await api.db.pool.query<{ name: string }>(
      `select distinct proname as name from pg_proc where pronamespace = 'public'::regnamespace`,
    );
    expect(functions.length).toBeGreaterThan(20);
    for (const { name } of functions)
      expect(await refusal(`select public.${name}()`), name).toMatch(
        /permission denied for schema public/,
      );
  });

  test('finds no value of another workspace in the catalogue', async () => {
    const { rows: relations } = await client.query<{ name: string }>(
      `select c.oid::regclass::text as name from pg_class c
       where c.relnamespace in ('pg_catalog'::regnamespace, 'information_schema'::regnamespace)
         and c.relkind in ('r', 'v') and has_table_privilege(c.oid, 'select')`,
    );
    expect(relations.length).toBeGreaterThan(100);
    for (const { name } of relations) {
      const found = await client
        .query<{ row: string }>(`select r::text as row from ${name} r`)
        .catch(() => ({ rows: [] }));
      expect(
        found.rows.filter(({ row }) => row?.includes(marker)),
        name,
      ).toEqual([]);
    }
    const asOwner = await api.db.pool.query(
      'select count(*)::int as n from pg_stats s where s::text ~ $1',
      [marker],
    );
    expect(asOwner.rows[0].n).toBeGreaterThan(0);
    for (const secret of ['pg_authid', 'pg_shadow', 'pg_statistic', 'pg_largeobject'])
      expect(await refusal(`select * from ${secret}`)).toMatch(/permission denied/);
  });

  test('provokes no error that shows a value of another workspace', async () => {
    // Every note and name of its own is a number; those of the other workspace are not.
    for (const condition of ['keywords where note::int = 1', 'apps where note::int = 1'])
      expect((await client.query(`select from ${condition}`)).rowCount).toBeGreaterThan(0);
    for (const condition of [
      'positions where app::int = 1',
      'annotations where text::int = 1',
      "events where (body->>'id')::int = 1",
      'competitors where note::int = 1',
      'workspace where name::int = 1',
      'reviews where store_review_id::int = 1',
      'category_ranks where category::int = 1',
    ])
      expect(await refusal(`select from ${condition}`), condition).toBe('allowed');
  });

  test('writes nothing, not even what is temporary', async () => {
    await client.query('set default_transaction_read_only = off');
    const attempts = [
      'create temporary table t (a int)',
      'create table reader.t (a int)',
      'create table public.t (a int)',
      'create schema mine',
      'create function reader.f() returns int language sql as $$ select 1 $$',
      'create function pg_temp.f() returns int language sql as $$ select 1 $$',
      'create view reader.v as select 1',
      'create extension if not exists dblink',
      "insert into annotations (text) values ('x')",
      "update reader.keywords set note = 'x'",
      'delete from reader.apps',
      'select lo_create(0)',
      "select lo_from_bytea(0, 'x')",
      'select pg_advisory_lock(7470731)',
      'select pg_try_advisory_lock(7470731)',
      'select pg_advisory_xact_lock_shared(1)',
      "copy (select 1) to program 'true'",
      "copy (select 1) to '/tmp/reader'",
      "select pg_read_file('/etc/passwd')",
      "select lo_import('/etc/passwd')",
      'select pg_reload_conf()',
      'alter role current_user connection limit -1',
      'alter role current_user superuser',
      'grant toprung_reader to public',
      'select prepare_readers()',
    ];
    for (const attempt of attempts)
      expect(await refusal(attempt), attempt).toMatch(
        /permission denied|must be|does not exist|cannot (insert|delete|update)|only roles/i,
      );
    await client.query('reset default_transaction_read_only');
  });

  test('starts with limits, and has at most ten connections', async () => {
    const fresh = await reader.connect();
    const setting = async (name: string) =>
      (await fresh.query<Record<string, string>>(`show ${name}`)).rows[0]![name];
    expect(await setting('default_transaction_read_only')).toBe('on');
    expect(await setting('statement_timeout')).toBe('1min');
    expect(await setting('search_path')).toBe('reader');
    const others: pg.Client[] = [fresh];
    try {
      while (others.length < 20) others.push(await reader.connect());
    } catch (error) {
      expect((error as Error).message).toMatch(/too many connections for role/);
    }
    expect(others.length).toBe(9);
    await Promise.all(others.map((other) => other.end()));
  });

  test('has its connection ended when it lifts the limit of a statement', async () => {
    const endless = await reader.connect();
    await endless.query('set statement_timeout = 0');
    const running = endless.query(
      'select count(*) from positions a, positions b, positions c where a.position <> b.position',
    );
    const ended = expect(running).rejects.toThrow(/terminat/i);
    const limits = { statementSeconds: 0.2, transactionSeconds: 600 };
    const logins: string[] = [];
    for (let attempt = 0; attempt < 2_000 && logins.length === 0; attempt += 1) {
      logins.push(...(await endLongReads(api.db.systemDb, limits)));
      await sleep(20);
    }
    expect(logins).toEqual([reader.login]);
    await ended;
    // Its session ends after its error arrives, and other tests count the sessions of the login.
    const sessions = 'select from pg_stat_activity where usename = $1';
    await expect
      .poll(async () => (await api.db.pool.query(sessions, [reader.login])).rowCount)
      .toBe(1);
    // Only the long statement was ended.
    expect((await client.query('select from workspace')).rowCount).toBe(1);
  });

  test('is not ended by the limits of another database of the same server', async () => {
    const other = await createTestDatabase();
    const { rows } = await other.pool.query(
      "insert into workspaces (name) values ('other') returning id",
    );
    const theirReader = await makeReader(other, rows[0].id);
    const running = client.query('select pg_sleep(1)');
    await sleep(300);
    const limits = { statementSeconds: 0.1, transactionSeconds: 0.1 };
    expect(await endLongReads(other.systemDb, limits)).toEqual([]);
    expect((await running).rowCount).toBe(1);
    await theirReader.revoke();
    await other.drop();
  });

  test('sees nothing while its workspace is suspended or deleted', async () => {
    for (const column of ['suspended_at', 'delete_at']) {
      await api.db.pool.query(`update workspaces set ${column} = now() where id = $1`, [
        mine.workspaceId,
      ]);
      for (const view of views)
        expect((await client.query(`select from ${view} limit 1`)).rowCount, view).toBe(0);
      await api.db.pool.query(`update workspaces set ${column} = null where id = $1`, [
        mine.workspaceId,
      ]);
    }
    expect((await client.query('select from workspace')).rowCount).toBe(1);
  });
});

describe('a revoked reader', () => {
  test('loses its connections and its login at once, and nobody else does', async () => {
    const other = await makeReader(api.db, mine.workspaceId);
    const open = await other.connect();
    await open.query('select from workspace');
    await other.revoke();
    await expect(open.query('select from workspace')).rejects.toThrow();
    await expect(other.connect()).rejects.toThrow(/does not exist/);
    expect((await client.query('select from workspace')).rowCount).toBe(1);
    await expect(revokeReader(api.db.url, other.login, now)).rejects.toThrow(/no reader/);
  });

  test('reads nothing from the commit on, even through a connection that stays', async () => {
    const other = await makeReader(api.db, mine.workspaceId);
    const open = await other.connect();
    await api.db.pool.query('delete from reader_logins where login = $1', [other.login]);
    expect((await open.query('select from keywords')).rowCount).toBe(0);
    await open.end();
    await other.revoke();
  });

  test('is in the audit log of its workspace, as the one that was created', async () => {
    const other = await makeReader(api.db, mine.workspaceId);
    await other.revoke();
    const { items } = await api.ok('GET /workspace/audit', { query: {} }, mine);
    const own = items.filter(({ subject }) => subject === `reader ${other.login}`);
    expect(own.map(({ action, actor }) => `${action} by ${actor}`)).toEqual([
      'reader.revoked by command',
      'reader.created by command',
    ]);
  });
});

describe('the commands', () => {
  test('list logins without a password, and those whose workspace is gone', async () => {
    const gone = await api.signUp();
    const orphan = await makeReader(api.db, gone.workspaceId);
    await api.db.pool.query('delete from workspaces where id = $1', [gone.workspaceId]);
    const readers = await listReaders(api.db.url);
    expect(readers.find(({ login }) => login === reader.login)).toEqual({
      login: reader.login,
      workspaceId: mine.workspaceId,
      workspace: '1',
      label: 'test',
      createdAt: expect.any(Date),
      canLogIn: true,
      connections: 1,
    });
    expect(readers.find(({ login }) => login === orphan.login)).toMatchObject({
      workspaceId: null,
    });
    expect(JSON.stringify(readers)).not.toContain(reader.password);
    await orphan.revoke();
    expect((await listReaders(api.db.url)).map(({ login }) => login)).not.toContain(orphan.login);
  });

  test('refuse an unknown workspace, and to bind or drop any other role', async () => {
    const create = (login: string | null, workspaceId = mine.workspaceId) =>
      createReader(api.db.url, { workspaceId, label: null, login, now });
    await expect(create(null, 999_999)).rejects.toThrow(CommandError);
    for (const login of ['postgres', 'toprung_app', 'toprung_system', 'nobody_of_this_name'])
      await expect(create(login)).rejects.toThrow(/may only read the views/);
    for (const login of ['postgres', 'toprung_app', 'toprung_reader'])
      await expect(revokeReader(api.db.url, login, now)).rejects.toThrow(/no reader/);
    await expect(create(reader.login)).rejects.toThrow(/reads a workspace already/);
  });

  test('leave no password in a backup: no table of it has logins', async () => {
    const connection = new pg.Client({ connectionString: api.db.url });
    await connection.connect();
    const tables = await readTables(connection);
    await connection.end();
    expect(tables.map(({ name }) => name)).not.toContain('reader_logins');
    const stored = await api.db.pool.query('select r::text as row from reader_logins r');
    expect(JSON.stringify(stored.rows)).not.toContain(reader.password);
  });

  test('log in by password, which the server keeps as a SCRAM verifier', async () => {
    const { rows } = await api.db.pool.query(
      'select rolpassword from pg_authid where rolname = $1',
      [reader.login],
    );
    expect(rows[0].rolpassword).toMatch(/^SCRAM-SHA-256\$4096:/);
  });
});
