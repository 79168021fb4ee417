import type pg from 'pg';
import type { Statement } from '#scripts/statements/find-statements.ts';
import { sampleParameters } from './parameter-samples.ts';

/** A node of a plan as PostgreSQL writes it in JSON, as far as it is read here. */
export interface PlanNode {
  'Node Type': string;
  'Relation Name'?: string;
  'Plan Rows': number;
  'Actual Rows'?: number;
  'Actual Loops'?: number;
  'Parent Relationship'?: string;
  'Index Cond'?: string;
  Filter?: string;
  Plans?: PlanNode[];
}

export interface ExplainedStatement {
  name: string;
  /** False where sample values fail, so that only estimates are known. */
  hasRun: boolean;
  plan: PlanNode;
}

/** Plans each statement with sample values, or runs it and undoes it. */
export async function explainStatements(
  client: pg.ClientBase,
  statements: readonly Statement[],
  isRun: boolean,
): Promise<ExplainedStatement[]> {
  const explained: ExplainedStatement[] = [];
  for (const { name, texts } of statements)
    for (const text of texts) explained.push({ name, ...(await explain(client, text, isRun)) });
  return explained;
}

async function explain(
  client: pg.ClientBase,
  text: string,
  isRun: boolean,
): Promise<Omit<ExplainedStatement, 'name'>> {
  const values = sampleParameters(text, await readTypes(client, text));
  for (const options of isRun ? ['analyze, timing off', ''] : ['']) {
    const plan = await tryExplain(client, options, text, values);
    if (plan) return { hasRun: options !== '', plan };
  }
  const plan = await tryExplain(client, 'generic_plan', text, []);
  if (!plan) throw new Error(`no plan: ${text}`);
  return { hasRun: false, plan };
}

async function readTypes(client: pg.ClientBase, text: string): Promise<string[]> {
  await client.query(`prepare sampled as ${text}`);
  const { rows } = await client.query<{ types: string[] }>(
    `select parameter_types::text[] as types from pg_prepared_statements where name = 'sampled'`,
  );
  await client.query('deallocate sampled');
  return rows[0]!.types;
}

async function tryExplain(
  client: pg.ClientBase,
  options: string,
  text: string,
  values: readonly string[],
): Promise<PlanNode | undefined> {
  const listed = ['format json', options].filter(Boolean).join(', ');
  await client.query('begin');
  try {
    const { rows } = await client.query<{ 'QUERY PLAN': [{ Plan: PlanNode }] }>(
      `explain (${listed}) ${text}`,
      [...values],
    );
    return rows[0]!['QUERY PLAN'][0].Plan;
  } catch {
    return undefined;
  } finally {
    await client.query('rollback');
  }
}
