import { randomBytes, randomInt } from 'node:crypto';
import { readdirSync } from 'node:fs';
import pg from 'pg';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { dropDatabase } from '../harness/database.ts';
import { startToprung } from '../harness/process.ts';
import { reportFigures, trackProgress } from '../harness/progress.ts';

const migrations = readdirSync(new URL('../../src/db/migrations/', import.meta.url)).filter(
  (name) => name.endsWith('.sql'),
);
/** The migrations after which the process is killed, a few milliseconds later. */
const killedAfter = process.env.TORTURE
  ? migrations.slice(0, -1)
  : [migrations[randomInt(migrations.length - 8)]!];
/** A kill that a busy machine brings too late is repeated, after one of the first of them. */
const maxKills = killedAfter.length + 5;

let admin: pg.Client;
beforeAll(async () => {
  admin = new pg.Client({ connectionString: inject('clusterUrl') });
  admin.on('error', () => undefined);
  await admin.connect();
});
afterAll(() => admin.end());

const urlOf = (database: string) =>
  Object.assign(new URL(inject('clusterUrl')), { pathname: `/${database}` }).href;

const migrate = (database: string) =>
  startToprung(['migrate'], { DATABASE_URL: urlOf(database), LOG_LEVEL: 'info' });

/** Columns, constraints, indexes, policies, functions and applied migrations, as lines. */
async function describeSchema(database: string): Promise<string[]> {
  const client = new pg.Client({ connectionString: urlOf(database) });
  await client.connect();
  try {
    const { rows } = await client.query(`
      select concat_ws(' ', 'column', table_name, column_name, data_type, is_nullable,
        column_default) as line from information_schema.columns where table_schema = 'public'
      union all select concat_ws(' ', conrelid::regclass, conname, pg_get_constraintdef(oid))
        from pg_constraint where connamespace = 'public'::regnamespace
      union all select indexdef from pg_indexes where schemaname = 'public'
      union all select concat_ws(' ', tablename, policyname, roles::text, qual, with_check)
        from pg_policies where schemaname = 'public'
      union all select pg_get_functiondef(oid) from pg_proc
        where pronamespace = 'public'::regnamespace
      union all select concat_ws(' ', name, hash) from migrations
      order by 1`);
    return rows.map(({ line }) => line as string);
  } finally {
    await client.end();
  }
}

async function killDuring(database: string, migration: string): Promise<void> {
  const child = migrate(database);
  await child.waitFor(migration);
  await new Promise((resolve) => setTimeout(resolve, randomInt(8)));
  await child.kill('SIGKILL');
}

test('a migration that is killed is applied completely by the next start', async () => {
  const expected = await describeSchema('toprung_schema');
  expect(expected.length).toBeGreaterThan(500);
  const interrupted: number[] = [];
  const part = { name: 'kills of a migration', total: maxKills, limitMs: 900_000 };
  const wasInterrupted = () => interrupted.some((count) => count > 0);
  await trackProgress(part, async ({ add }) => {
    for (let kill = 0; kill < maxKills; kill += 1) {
      if (kill >= killedAfter.length && wasInterrupted()) break;
      const migration = killedAfter[kill] ?? migrations[randomInt(10)]!;
      const database = `test_${randomBytes(6).toString('hex')}`;
      await admin.query(`create database ${database}`);
      await killDuring(database, migration);
      const child = migrate(database);
      expect((await child.exited).code, child.output()).toBe(0);
      interrupted.push(child.output().match(/"migrated"/g)?.length ?? 0);
      expect(await describeSchema(database)).toEqual(expected);
      await dropDatabase(admin, database);
      add();
    }
  });
  reportFigures(17, {
    kills: interrupted.length,
    'of them before the end': interrupted.filter((count) => count > 0).length,
  });
  expect(wasInterrupted()).toBe(true);
}, 960_000);
