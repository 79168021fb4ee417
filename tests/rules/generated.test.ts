import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { promisify } from 'node:util';
import pg from 'pg';
import { inject, describe, expect, it } from 'vitest';
import { buildOpenApi } from '#api/openapi.ts';
import { generateTables } from '#scripts/generate-tables.ts';
import { findDrift, makeGeneratedFiles } from '#scripts/generated-files.ts';
import { root } from '#scripts/rules/source-tree.ts';

const run = promisify(execFile);
const schemaUrl = () =>
  Object.assign(new URL(inject('clusterUrl')), { pathname: '/toprung_schema' }).href;

describe('generated files', () => {
  it('match their sources', async () => {
    expect(await findDrift()).toEqual([]);
  });

  it('are the same when generated twice', () => {
    expect(makeGeneratedFiles()).toEqual(makeGeneratedFiles());
  });

  it('src/db/tables.ts matches the migrations', async () => {
    expect(readFileSync(`${root}src/db/tables.ts`, 'utf8')).toBe(await generateTables(schemaUrl()));
  });

  it('npm run openapi prints the document that the API serves', async () => {
    const script = `${root}scripts/openapi.ts`;
    const { stdout } = await run(process.execPath, [script], { maxBuffer: 16 * 1024 * 1024 });
    expect(stdout).toBe(`${JSON.stringify(buildOpenApi(), null, 2)}\n`);
  });
});

it('ids of rows that accumulate have 64 bits', async () => {
  const client = new pg.Client({ connectionString: schemaUrl() });
  await client.connect();
  const { rows } = await client.query<{ table: string }>(`
    select c.relname as table from pg_attribute a join pg_class c on c.oid = a.attrelid
    where c.relnamespace = 'public'::regnamespace and a.attidentity <> ''
      and a.atttypid = 'int4'::regtype order by 1`);
  await client.end();
  // There is one for each person, app, phrase, device or decision, or for a country and a week, and
  // not one for each day.
  const known =
    'annotations apps competitors invites keyword_fields keywords listing_draft_versions ' +
    'listing_drafts listings markets popularity_sets reports response_anomalies saved_views ' +
    'sessions store_tasks tokens users webhooks workspaces';
  expect(rows.map(({ table }) => table)).toEqual(known.split(' '));
});

interface Tenant {
  table: string;
  enabled: boolean;
  forced: boolean;
  policies: { name: string; roles: string[]; using: string | null; check: string | null }[];
}

describe('row-level security', () => {
  async function readTenants(): Promise<Tenant[]> {
    const client = new pg.Client({ connectionString: schemaUrl() });
    await client.connect();
    try {
      const { rows } = await client.query<Tenant>(`
        select c.relname as table, c.relrowsecurity as enabled, c.relforcerowsecurity as forced,
          coalesce((
            select json_agg(json_build_object('name', p.policyname, 'roles', p.roles, 'using',
              p.qual, 'check', p.with_check))
            from pg_policies p where p.schemaname = 'public' and p.tablename = c.relname),
              '[]') as policies
        from pg_class c
        join pg_namespace n on n.oid = c.relnamespace and n.nspname = 'public'
        join pg_attribute a on a.attrelid = c.oid and a.attname = 'workspace_id'
          and not a.attisdropped
        where c.relkind in ('r', 'p')
        order by 1`);
      return rows;
    } finally {
      await client.end();
    }
  }

  it('is forced on every table with a workspace_id, and limits the app to its own', async () => {
    const tenants = await readTenants();
    expect(tenants.map((tenant) => tenant.table)).toContain('keywords');
    for (const { table, enabled, forced, policies } of tenants) {
      expect({ table, enabled, forced }).toEqual({ table, enabled: true, forced: true });
      const own = policies.filter(
        (policy) => policy.roles.includes('toprung_app') || policy.roles.includes('public'),
      );
      expect(
        own.map((policy) => policy.roles),
        table,
      ).toEqual([['toprung_app']]);
      expect(own[0]!.using, table).toMatch(/workspace_id = .*app\.workspace/);
      expect(own[0]!.check, table).toMatch(/workspace_id = .*app\.workspace/);
    }
  });

  it('is not bypassed by the product’s roles: no superusers, no owners', async () => {
    const client = new pg.Client({ connectionString: schemaUrl() });
    await client.connect();
    const { rows } = await client.query<{ name: string; mighty: boolean; owned: number }>(`
      select r.rolname as name, r.rolsuper or r.rolbypassrls or r.rolcreaterole as mighty,
        (select count(*)::int from pg_class c where c.relowner = r.oid) as owned
      from pg_roles r where r.rolname in ('toprung_app', 'toprung_system') order by 1`);
    await client.end();
    expect(rows).toEqual([
      { name: 'toprung_app', mighty: false, owned: 0 },
      { name: 'toprung_system', mighty: false, owned: 0 },
    ]);
  });
});
