import { readFile } from 'node:fs/promises';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { migrate } from '#db/migrate.ts';
import { openPool } from '#db/pool.ts';
import { silentLogger } from '#lib/logger.ts';
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
      10_000,
      'a process that waits',
    );
    await other.end();
    expect(await waiting).toEqual([]);
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
});
