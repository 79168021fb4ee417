import { readFileSync } from 'node:fs';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { root } from '#scripts/rules/source-tree.ts';
import { startApi, type Account, type TestApi } from '../harness/api.ts';
import { makeReader, type TestReader } from './readers.fixtures.ts';

const page = readFileSync(`${root}docs/reading-with-other-tools.md`, 'utf8');

interface ViewColumn {
  view: string;
  about: string;
  name: string;
  type: string;
  meaning: string;
}

/** From the comments of the migration. */
async function readColumns(): Promise<ViewColumn[]> {
  const url = Object.assign(new URL(inject('clusterUrl')), { pathname: '/toprung_schema' }).href;
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  const { rows } = await client.query<ViewColumn>(`
    select c.relname as view, obj_description(c.oid) as about, a.attname as name,
      format_type(a.atttypid, null) as type, col_description(c.oid, a.attnum) as meaning
    from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attnum > 0
    where c.relnamespace = 'reader'::regnamespace and c.relkind = 'v'
    order by c.relname, a.attnum`);
  await client.end();
  return rows;
}

describe('docs/reading-with-other-tools.md', () => {
  let api: TestApi;
  let account: Account;
  let reader: TestReader;
  beforeAll(async () => {
    api = await startApi();
    account = await api.signUp();
    reader = await makeReader(api.db, account.workspaceId);
  });
  afterAll(async () => {
    await reader?.revoke();
    await api?.close();
  });

  test('describes every view and column as the database does', async () => {
    const columns = await readColumns();
    expect(columns.length).toBeGreaterThan(80);
    const views = Map.groupBy(columns, ({ view }) => view);
    const expected = [...views].map(([view, of]) => {
      const rows = of.map(({ name, type, meaning }) => `| \`${name}\` | ${type} | ${meaning} |`);
      return [
        `### reader.${view}`,
        '',
        of[0]!.about,
        '',
        '| column | type | meaning |',
        '|---|---|---|',
        ...rows,
      ].join('\n');
    });
    const start = page.indexOf('### reader.');
    const section = page.slice(start, page.indexOf('\n## ', start)).trim();
    expect(section).toBe(expected.join('\n\n'));
  });

  test('has queries that run', async () => {
    const examples = [...page.matchAll(/```sql\n([^`]+)```/g)].map(([, text]) => text!);
    const ofPostgres = examples.filter((text) => !/read_parquet|attach|install/i.test(text));
    expect(ofPostgres.length).toBeGreaterThan(4);
    const client = await reader.connect();
    for (const text of ofPostgres) {
      // Grafana replaces its macros before it sends a query.
      const query = text
        .replaceAll(/\$__timeFilter\((\w+)\)/g, "$1 between '2026-11-01T00:00:00Z' and now()")
        .replaceAll('$app', '1');
      await client.query(query);
    }
    await client.end();
  });
});
