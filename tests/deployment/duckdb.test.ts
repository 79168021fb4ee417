import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { writeParquetFiles } from '#domain/transfer/parquet/write-parquet-files.ts';
import { TestClock } from '#lib/clock.ts';
import { openPositionFolder } from '#parquet/open-position-folder.ts';
import { startApi, type Account, type TestApi } from '../harness/api.ts';
import { installPackages } from '../harness/npm-packages.ts';
import { fillWorld, makeReader, randomOf, type TestReader } from '../readers/readers.fixtures.ts';
import { readPage } from './static-files.ts';

/** DuckDB's own client, with the engine. Its extension for PostgreSQL is not in the registry. */
const packages = await installPackages({ '@duckdb/node-api': '1.5.6-r.1' });

/** Prints the rows of a query. DuckDB's own values are written as JSON by itself. */
const program = `
import { DuckDBInstance } from '@duckdb/node-api';
const connection = await (await DuckDBInstance.create(':memory:')).connect();
const reader = await connection.runAndReadAll(process.argv[2]);
process.stdout.write(JSON.stringify(reader.getRowObjectsJson()));
`;
/** As text, in which both databases write the same values. */
const columns = `date::varchar as date, app_id, keyword_id, keyword, store, country, device, state,
  position, depth, reason, provider, fallback_provider, fallback_position, fallback_depth`;

describe.skipIf(packages === null)('DuckDB', () => {
  let folder: string;
  let api: TestApi;
  let mine: Account;
  let reader: TestReader;

  beforeAll(async () => {
    const now = new Date();
    folder = await mkdtemp(join(tmpdir(), 'toprung-duckdb-'));
    await writeFile(join(packages!.folder, 'query.js'), program);
    // The views have the clock of the server.
    api = await startApi({ clock: new TestClock(now.toISOString()) });
    mine = await api.signUp();
    const theirs = await api.signUp();
    const world = { random: randomOf(11), now };
    await fillWorld(api.db.pool, [mine.workspaceId, theirs.workspaceId], world);
    reader = await makeReader(api.db, mine.workspaceId);
    const files = openPositionFolder(join(folder, 'exports'), '1.2.3');
    await writeParquetFiles(api.services, files, new AbortController().signal);
  });
  afterAll(async () => {
    await reader?.revoke();
    await api?.close();
    await packages?.remove();
    if (folder) await rm(folder, { recursive: true, force: true });
  });

  async function query(sql: string): Promise<Record<string, unknown>[]> {
    const text = sql.replaceAll("'exports/", `'${folder}/exports/`);
    const { code, out, errors } = await packages!.run('../query.js', [text]);
    expect([code, errors]).toEqual([0, '']);
    return JSON.parse(out) as Record<string, unknown>[];
  }

  async function queryViews(sql: string): Promise<Record<string, unknown>[]> {
    const client = await reader.connect();
    const { rows } = await client.query<Record<string, unknown>>(sql);
    await client.end();
    return rows;
  }

  test('reads from Parquet files the rows that reader.positions has', async () => {
    const inOrder = 'order by keyword_id, date';
    const found = await query(
      `select ${columns}, epoch_ms(checked_at)::varchar as at
       from read_parquet('exports/*/*/positions.parquet', hive_partitioning = true)
       where workspace = ${mine.workspaceId} ${inOrder}`,
    );
    const expected = await queryViews(
      `select ${columns}, (extract(epoch from checked_at) * 1000)::bigint::text as at
       from positions ${inOrder}`,
    );
    expect(expected.length).toBeGreaterThan(500);
    expect(found).toEqual(expected);
  });

  test('runs the example of the documentation', async () => {
    const page = await readPage('reading-with-other-tools.md');
    const example = /```sql\n([^`]*read_parquet[^`]*)```/.exec(page)![1]!;
    const found = await query(example.replace('workspace = 1', `workspace = ${mine.workspaceId}`));
    const expected = await queryViews(
      `select to_char(date, 'YYYY-MM') as month, keyword, avg(position)::float8 as mean
       from positions where state = 'ranked' group by 1, 2 order by 1, 2, 3`,
    );
    expect(expected.length).toBeGreaterThan(5);
    expect(found.map((row) => Object.values(row))).toEqual(
      expected.map(({ month, keyword, mean }) => [month, keyword, mean]),
    );
  });
});
