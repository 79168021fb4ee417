/** Reads parameters and columns of statements from a migrated database, without running them. */
import pg from 'pg';
import type { Statement } from './find-statements.ts';
import { parseTree, TreeNode } from './node-tree.ts';
import { Query, type Catalog, type Column } from './nullability.ts';

export interface DescribedStatement extends Statement {
  /** PostgreSQL's names of the types of $1, $2 and so on; undefined where variants differ. */
  parameters: string[] | undefined;
  /** Empty for a statement that returns no rows. */
  columns: (Column & { type: string })[];
}

export interface DescribedStatements {
  described: DescribedStatement[];
  /** Those that PostgreSQL can only run, such as a cursor's FETCH. */
  undescribed: Statement[];
}

/** Commands without a plan cannot be prepared. */
const command = /^\s*(declare|fetch|close|set|analyze|lock)\b/i;

/** Throws at the first statement that PostgreSQL refuses, with its location and the reason. */
export async function describeStatements(
  url: string,
  statements: readonly Statement[],
): Promise<DescribedStatements> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    const catalog = await readCatalog(client);
    const undescribed = statements.filter(({ texts }) => command.test(texts[0]!));
    const described: DescribedStatement[] = [];
    await client.query('begin');
    for (const statement of statements)
      if (!undescribed.includes(statement))
        described.push(await describe(client, catalog, statement));
    await client.query('rollback');
    return { described, undescribed };
  } finally {
    await client.end();
  }
}

async function describe(
  client: pg.Client,
  catalog: Catalog,
  statement: Statement,
): Promise<DescribedStatement> {
  const variants: Pick<DescribedStatement, 'parameters' | 'columns'>[] = [];
  for (const text of statement.texts)
    try {
      variants.push(await describeText(client, catalog, text));
    } catch (error) {
      const { path, line, name } = statement;
      const reason = (error as Error).message;
      throw new Error(`${path}:${line} ${name}: ${reason}\n${text}`, { cause: error });
    }
  const [first] = variants;
  for (const { columns } of variants)
    if (shapeOf(columns) !== shapeOf(first!.columns))
      throw new Error(`${statement.name}: the columns depend on how the statement is put together`);
  return {
    ...statement,
    parameters: variants.length === 1 ? first!.parameters : undefined,
    columns: first!.columns.map((column, index) => ({
      ...column,
      isNullable: variants.some(({ columns }) => columns[index]!.isNullable),
    })),
  };
}

const shapeOf = (columns: DescribedStatement['columns']): string =>
  columns.map(({ name, type }) => `${name} ${type}`).join();

/**
 * PREPARE gives the types. The body of a function, which PostgreSQL keeps as a tree, gives the
 * names and says which can be null.
 */
async function describeText(
  client: pg.Client,
  catalog: Catalog,
  text: string,
): Promise<Pick<DescribedStatement, 'parameters' | 'columns'>> {
  const { parameters, types } = await askInOrder<{ parameters: string[]; types: string[] | null }>(
    client,
    `prepare described as ${text}`,
    `select parameter_types::text[] as parameters, result_types::text[] as types
    from pg_prepared_statements where name = 'described'`,
    'deallocate described',
  );
  const { tree } = await askInOrder<{ tree: string }>(
    client,
    `create function described(${parameters.join(', ')}) returns void
    language sql begin atomic ${text}; end`,
    `select prosqlbody::text as tree from pg_proc where proname = 'described'`,
    'drop function described',
  );
  const columns = new Query(findQuery(parseTree(tree)), catalog).columns();
  if (columns.length !== (types ?? []).length) throw new Error('columns and types do not match');
  return {
    parameters,
    columns: columns.map((column, index) => ({ ...column, type: types![index]! })),
  };
}

/** Three statements in one round trip; the row of the second. */
async function askInOrder<Row>(client: pg.Client, ...texts: string[]): Promise<Row> {
  const results = (await client.query(texts.join(';\n'))) as unknown as pg.QueryResult[];
  return results[1]!.rows[0] as Row;
}

/** The tree is a list of one list of one query. */
function findQuery(tree: ReturnType<typeof parseTree>): TreeNode {
  if (tree instanceof TreeNode) return tree;
  return findQuery((tree as (typeof tree)[])[0]!);
}

async function readCatalog(client: pg.Client): Promise<Catalog> {
  const { rows: columns } = await client.query<{ column: string }>(
    `select attrelid || ' ' || attnum as column from pg_attribute where attnotnull`,
  );
  const { rows: functions } = await client.query<{ oid: string; source: string; strict: boolean }>(
    `select oid::text, prosrc as source, proisstrict as strict from pg_proc
    where pronamespace = 'pg_catalog'::regnamespace`,
  );
  const notNull = new Set(columns.map(({ column }) => column));
  const known = new Map(functions.map((row) => [row.oid, row]));
  return {
    isNotNull: (table, column) => notNull.has(`${table} ${column}`),
    functionSource: (oid) => known.get(oid)?.source ?? null,
    isStrict: (oid) => known.get(oid)?.strict ?? false,
  };
}
