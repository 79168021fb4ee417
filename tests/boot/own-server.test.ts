import pg from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { migrate } from '../../src/db/migrate.ts';
import { openPool } from '../../src/db/pool.ts';
import { silentLogger } from '../../src/lib/logger.ts';
import { startTestCluster, type TestCluster } from '../harness/cluster.ts';

let cluster: TestCluster;
/** As docs/operations.md has it: a user who may create roles and owns the database. */
let ownerUrl: string;

beforeAll(async () => {
  cluster = await startTestCluster();
  await query(cluster.url('postgres'), "create role toprung login createrole password 'unused'", 'create database toprung owner toprung');
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

describe('a PostgreSQL of one’s own', () => {
  test('takes the schema from a user who may create roles, whose connections then become these', async () => {
    expect((await migrate(ownerUrl, silentLogger)).length).toBeGreaterThan(10);
    for (const role of ['app', 'system'] as const) {
      const pool = openPool({ url: ownerUrl, role, max: 1, statementTimeoutMs: 5_000, log: silentLogger });
      const { rows } = await pool.query('select current_user as name, count(*)::int as workspaces from workspaces');
      await pool.end();
      expect(rows).toEqual([{ name: `toprung_${role}`, workspaces: 0 }]);
    }
  });
});
