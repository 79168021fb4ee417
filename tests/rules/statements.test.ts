import { readFileSync } from 'node:fs';
import ts from 'typescript';
import { describe, expect, inject, it } from 'vitest';
import { statementHashes, undescribedStatements } from '#db/statements.ts';
import { findChangedStatements, generateStatements } from '#scripts/generate-statements.ts';
import { root } from '#scripts/rules/source-tree.ts';
import { describeStatements } from '#scripts/statements/describe-statements.ts';
import { findStatements } from '#scripts/statements/find-statements.ts';
import { inlineSource } from './inline-source.ts';
import { tree } from './tree.ts';

const url = Object.assign(new URL(inject('clusterUrl')), { pathname: '/toprung_schema' }).href;

const path = 'src/db/queries/planted.ts';

/** A query file with one function that executes `statement`. */
const query = (statement: string, before = '') =>
  inlineSource(
    path,
    `import { sql, type RawBuilder } from 'kysely';
import type { Db } from '#db/database.ts';
import type { Row } from '#db/row.ts';
${before}
export async function findPlanted(db: Db, filter: { id: number; tag?: string }) {
  return await ${statement}.execute(db);
}
`,
  );

const texts = (statement: string, before?: string) =>
  findStatements([query(statement, before)])[0]!.texts;

describe('statements of the query files', () => {
  it('match PostgreSQL’s description in src/db/statements.ts', async () => {
    expect(readFileSync(`${root}src/db/statements.ts`, 'utf8')).toBe(
      await generateStatements(url, tree),
    );
  });

  it('are all described but five, which are commands', () => {
    expect(undescribedStatements).toEqual([
      'analyze-restored',
      'disable-nested-loops',
      'read-table-rows',
      'read-table-rows-2',
      'read-table-rows-3',
    ]);
  });

  it('use Row for the type of their rows', () => {
    const stated = findStatements(tree).filter(({ claim }) => claim !== undefined);
    expect(stated.length).toBeGreaterThan(250);
    expect(
      stated.filter(({ claim }) => !claim!.startsWith('Row<')).map(({ name }) => name),
    ).toEqual(['read-table-rows-2']);
  });

  it('fail npm run check when changed, new or deleted, until generated', () => {
    const before = findStatements([query('sql`select id from apps`')]);
    const hashes = Object.fromEntries(before.map(({ name, hash }) => [name, hash]));
    const after = (statement: string) =>
      findChangedStatements(findStatements([query(statement)]), hashes);
    expect(after('sql`select\n  id from apps`')).toEqual([]);
    expect(after('sql`select id as "ID" from apps`')).toEqual([`${path}:6 find-planted changed`]);
    expect(after("sql<Row<'other'>>`select id from apps`")).toEqual([
      `${path}:6 other is new`,
      'find-planted is gone',
    ]);
    expect(findChangedStatements(findStatements(tree), statementHashes)).toEqual([]);
  });
});

describe('the text of a statement', () => {
  it('is read through constants, functions, conditions and lists', () => {
    expect(
      texts(
        'sql`select ${columns} from apps where ${matches(filter)} order by ${order[filter.by]}`',
        `const columns = sql\`id, name\`;
const order = { id: sql\`id\`, name: sql\`name desc\` };
function matches({ id, tag }: { id?: number; tag?: string }): RawBuilder<unknown> {
  const conditions = [sql\`true\`];
  if (id !== undefined) conditions.push(sql\`id = \${id}\`);
  if (tag !== undefined) conditions.push(sql\`\${tag} = any(tags)\`);
  return sql.join(conditions, sql\` and \`);
}`,
      ),
    ).toEqual([
      'select id, name from apps where true and id = $1 and $2 = any(tags) order by id',
      'select id, name from apps where true and $1 = any(tags) order by id',
      'select id, name from apps where true and id = $1 order by id',
      'select id, name from apps where true and id = $1 and $2 = any(tags) order by name desc',
    ]);
  });

  it('includes both sides of a condition, and every caller’s arguments', () => {
    expect(texts('sql`select 1 ${filter.tag ? sql`where true` : sql``}`')).toEqual([
      'select 1 where true',
      'select 1 ',
    ]);
    const shared = `async function list(db: Db, where: RawBuilder<unknown>) {
  return await sql\`select id from apps where \${where}\`.execute(db);
}
export const live = (db: Db) => list(db, sql\`archived_at is null\`);
export const dead = (db: Db) => list(db, sql\`archived_at < \${new Date()}\`);`;
    expect(findStatements([inlineSource(path, shared)])[0]!.texts).toEqual([
      'select id from apps where archived_at is null',
      'select id from apps where archived_at < $1',
    ]);
  });

  it('that cannot be read is an error with its location', () => {
    expect(() => texts('filter.statement')).toThrow(`${path}:6 is a statement whose text`);
  });

  it('that PostgreSQL refuses is an error with its location and the reason', async () => {
    const statements = findStatements([query('sql`select nmae from apps`')]);
    await expect(describeStatements(url, statements)).rejects.toThrow(
      `${path}:6 find-planted: column "nmae" does not exist`,
    );
  });

  it('with columns that depend on a condition is an error', async () => {
    const statements = findStatements([
      query('sql`select id ${filter.tag ? sql`, tags` : sql``} from apps`'),
    ]);
    await expect(describeStatements(url, statements)).rejects.toThrow('the columns depend');
  });
});

describe('nullable columns', () => {
  const nullable = async (statement: string) => {
    const { described } = await describeStatements(
      url,
      findStatements([query(`sql\`${statement}\``)]),
    );
    return Object.fromEntries(described[0]!.columns.map((one) => [one.name, one.isNullable]));
  };

  it.each([
    ['select id, note from apps', { id: false, note: true }],
    [
      'select a.id, k.id as k, l.id as l from apps a join listings l on l.id = a.listing_id ' +
        'left join keywords k on k.app_id = a.id',
      { id: false, k: true, l: false },
    ],
    [
      'select l.id as l, k.id as k from listings l right join keywords k on k.id = l.id',
      { l: true, k: false },
    ],
    [
      `select coalesce(note, '') as note, count(*) as n, max(id) as last from apps group by note`,
      { note: false, n: false, last: true },
    ],
    ['with w as (select note, id from apps) select * from w', { note: true, id: false }],
    ['select id from apps union select app_id from jobs', { id: true }],
    ['select (select id from apps limit 1) as one', { one: true }],
    [
      'select (select count(*) from apps) as n, exists (select from apps) as e',
      { n: false, e: false },
    ],
    ["select fields->>'name' as name, id + 1 as id from snapshots", { name: true, id: false }],
    [
      'select case when id = 1 then 2 end as a, case when id = 1 then 2 else 3 end as b from apps',
      { a: true, b: false },
    ],
    ['update apps set note = null where id = 1 returning id, note', { id: false, note: true }],
    [
      'select unnest as a, n from unnest(array[1, null]) with ordinality as u(unnest, n)',
      { a: true, n: false },
    ],
    ['select ${filter.tag}::text as given', { given: true }],
  ])('%s', async (statement, expected) => {
    expect(await nullable(statement)).toEqual(expected);
  });
});

describe('a declared row type', () => {
  const apps = `select id, display_name as "displayName", primary_country as country from apps`;
  const row = '{ id: number; displayName: string | null; country: string }';

  it.each([
    ['the type that PostgreSQL describes', "Row<'find-planted'>"],
    ['a type with the same columns', `Row<'find-planted', ${row}>`],
    ['a wider type', `Row<'find-planted', ${row.replace('number', 'unknown')}>`],
    [
      'a narrower type by declaration',
      `Row<'find-planted', { id: number; displayName: string; country: 'us' }, ` +
        `'displayName' | 'country'>`,
    ],
  ])('%s is accepted', async (_, claim) => {
    expect(await compile(claim, apps)).toEqual([]);
  });

  it.each([
    ['a misspelt alias', apps.replace('displayName', 'displayNmae'), row],
    ['a dropped column', apps.replace(', primary_country as country', ''), row],
    ['a superfluous column', apps.replace('select id', 'select id, note'), row],
    ['a column of another type', apps, row.replace('number', 'string')],
    ['a column that can be null', apps, row.replace(' | null', '')],
    ['a text that is one of a few', apps, row.replace('country: string', "country: 'us'")],
  ])('%s does not compile', async (_, statement, claim) => {
    expect(await compile(`Row<'find-planted', ${claim}>`, statement)).toEqual([
      expect.stringContaining('does not satisfy the constraint'),
    ]);
  });

  it.each([
    ['a narrowed column that PostgreSQL already describes so', `${row}, 'id'`],
    ['a narrowed column of another type', `${row.replace('number', 'string')}, 'id'`],
  ])('%s does not compile', async (_, claim) => {
    expect(await compile(`Row<'find-planted', ${claim}>`, apps)).toHaveLength(1);
  });
});

/** Parsed once for all compilations. */
const parsed = new Map<string, ts.SourceFile | undefined>();

/** The compiler's errors in a planted query, with the types that are generated for it. */
async function compile(claim: string, statement: string): Promise<string[]> {
  const file = query(`sql<${claim}>\`${statement}\``);
  const planted = new Map([
    [root + path, file.text],
    [`${root}src/db/statements.ts`, await generateStatements(url, [file])],
  ]);
  const { config } = ts.readConfigFile(`${root}tsconfig.json`, ts.sys.readFile) as {
    config: { compilerOptions: object };
  };
  const { options } = ts.convertCompilerOptionsFromJson(config.compilerOptions, root);
  const host = ts.createCompilerHost(options);
  const { readFile, fileExists, getSourceFile } = host;
  host.readFile = (name) => planted.get(name) ?? readFile(name);
  host.fileExists = (name) => planted.has(name) || fileExists(name);
  host.getSourceFile = (name, version) => {
    if (planted.has(name)) return ts.createSourceFile(name, planted.get(name)!, version);
    if (!parsed.has(name)) parsed.set(name, getSourceFile(name, version));
    return parsed.get(name);
  };
  const program = ts.createProgram(
    [root + path],
    { ...options, noUnusedLocals: false, noUnusedParameters: false },
    host,
  );
  return program
    .getSemanticDiagnostics(program.getSourceFile(root + path))
    .map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, '\n'));
}
