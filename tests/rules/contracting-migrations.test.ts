import { describe, expect, it } from 'vitest';
import { findContractingMigrations } from '#scripts/rules/contracting-migrations.ts';
import { inlineSource, print } from './inline-source.ts';
import { tree } from './tree.ts';

const releases = ['0.3.0 0009_b.sql', '0.4.0 0010_a.sql'].map((release) => {
  const [version, schema] = release.split(' ');
  return inlineSource(`tests/releases/${version}.json`, JSON.stringify({ version, schema }));
});

function evaluate(sql: string, name = '0011_b.sql'): string[] {
  const file = inlineSource(`src/db/migrations/${name}`, sql);
  const released = inlineSource('src/db/migrations/0001_a.sql', 'create table apps (a int);');
  return print(findContractingMigrations([...releases, released, file]));
}

describe('a migration after the last release', () => {
  it('is compatible with it, as all of ours are', () => {
    expect(print(findContractingMigrations(tree))).toEqual([]);
  });

  it.each([
    ['drop table apps', 'drops a table'],
    ['drop function if exists f(int)', 'drops a function'],
    ['drop materialized view if exists v', 'drops a materialized view'],
    ['alter table apps drop column name', 'drops a column'],
    ['alter table apps drop name', 'drops a column'],
    ['ALTER TABLE only public.apps\n  RENAME name TO title', 'renames a column or table'],
    ['alter table apps add column a int, rename to b', 'renames a column or table'],
    ['alter table apps rename to old; create table apps (a int)', 'renames a column or table'],
    ['alter type kind rename value', 'renames an object'],
    ['alter table apps alter column name type bigint using 1', 'changes the type of a column'],
    ['alter table apps alter name set not null', 'forbids null'],
    ['alter table apps alter name drop default', 'drops a default'],
    ["alter table apps add check (name <> '')", 'adds a constraint'],
    ['alter table apps add constraint c unique (a, b)', 'adds a constraint'],
    ['alter table apps add column a int not null', 'requires a new column'],
    ['alter table apps add column a int default 1, add b int not null', 'requires a new column'],
    ['create unique index i on apps (name)', 'adds a unique index'],
    ['revoke select on apps from toprung_app', 'revokes a right'],
    ['alter table apps force row level security', 'hides rows'],
    ['do $$ begin alter table apps drop column name; end $$', 'drops a column'],
    ["do $x$ begin execute format('drop table %I', 'a'); end $x$", 'executes computed SQL'],
  ])('fails the check for `%s`', (sql, what) => {
    const [found, ...others] = evaluate(`-- why\nselect 1;\n\n${sql};\n`);
    expect(others).toEqual([]);
    expect(found).toContain(`src/db/migrations/0011_b.sql:4 ${what}, which processes of 0.4.0`);
  });

  it.each([
    'alter table apps add column a int not null default 0',
    'alter table apps add column a int generated always as (b) stored not null',
    'alter table apps alter column a drop not null, drop constraint apps_a_check',
    'create index i on apps (name)',
    'create table t (a int not null, check (a > 0)); alter table t add unique (a)',
    'create table "t" (a int); create unique index i on public.t (a); alter table t drop a',
    "insert into apps (name) values ('drop table apps')",
    'select 1 /* drop table apps */ -- drop table apps',
    'create or replace function f() returns int language sql as $$ drop table apps $$',
    'create trigger t after insert on apps for each row execute function f()',
  ])('passes it for `%s`', (sql) => {
    expect(evaluate(`${sql};`)).toEqual([]);
  });

  it('passes it with a line that says why the last release is not affected', () => {
    const sql = 'alter table apps drop column name;';
    expect(evaluate(`-- Compatible with 0.4.0: it does not read names.\n${sql}`)).toEqual([]);
    expect(evaluate(`-- Compatible with 0.3.0: it does not read names.\n${sql}`)).toHaveLength(1);
    expect(evaluate(`-- Compatible with 0.4.0:\n${sql}`)).toHaveLength(1);
  });

  it('is compared with the last release: earlier ones have no processes any more', () => {
    expect(evaluate('drop table apps;', '0010_a.sql')).toEqual([]);
    expect(evaluate('drop table apps;', '0010_b.sql')).toHaveLength(1);
  });
});
