import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { fillGrowthDatabase, openGrowthDatabase } from '#bench/growth-database.ts';
import { undescribedStatements } from '#db/statements.ts';
import { findStatements } from '#scripts/statements/find-statements.ts';
import { createTestDatabase } from '../harness/database.ts';
import { tree } from '../rules/tree.ts';
import { explainStatements, type ExplainedStatement } from './explain-statements.ts';
import { findWholeScans, findWrongEstimates } from './find-plan-faults.ts';

const isLong = process.env.TORTURE !== undefined;
const smallest = { workspaces: 2 };
/** Tables with fewer rows are as well read as a whole. */
const leastRows = isLong ? 10_000 : 500;

/** Statements that may read a whole table. */
const scanning: Record<string, string> = {
  'count-budget-counts: budget_counts': 'merge-counts keeps it small',
  'list-instance-budgets: budget_counts': 'merge-counts keeps it small',
  'count-visited: budget_counts': 'merge-counts keeps it small',
  'merge-budget-counts: budget_counts': 'it merges what is there',
  'newest-series: market_schedule': 'it ends at the first checked market',
  'list-shed-day-counts: store_task_gaps': 'in the bench they are all of one day',
  'first-checked-day: markets': 'once, in an import of an operator',
  'end-publication: scores': 'for few scores; many are read by the index',
  'set-store-task-days: store_tasks': 'of the demo alone',
};

const isOfOneApp = 'an app belongs to one workspace; the planner multiplies both conditions';
const isOfCounts = 'merge-counts merges the rows; the bench does not';
/** Statements whose plan is the right one although an estimate is not. */
const misjudged: Record<string, string> = {
  'action-app-texts': isOfOneApp,
  'compared-snapshots': isOfOneApp,
  'count-changes': isOfOneApp,
  'count-followed-snapshots': isOfOneApp,
  'followed-review-feeds': isOfOneApp,
  'list-digest-apps': isOfOneApp,
  'list-exported-apps': isOfOneApp,
  'count-due-store-tasks': isOfCounts,
  'count-budget-counts': isOfCounts,
  'list-instance-budgets': isOfCounts,
  'count-markets-now': 'groups by computed columns, of which there are no statistics',
  'count-run-day': 'groups by computed columns, of which there are no statistics',
  'list-country-tracking-periods': 'groups by a part of a document',
  'list-tags': 'no keyword of the bench has tags',
};

let close: () => Promise<unknown>;
let explained: ExplainedStatement[];
let growing: Set<string>;

beforeAll(async () => {
  const database = isLong ? await openGrowthDatabase('huge') : await createTestDatabase();
  close = () => ('drop' in database ? database.drop() : database.close());
  if (!isLong) await fillGrowthDatabase(database.pool, smallest);
  const client = new pg.Client({ connectionString: database.url });
  await client.connect();
  // A small table is scanned because it is small, unless that is forbidden.
  if (!isLong) await client.query('set enable_seqscan = off');
  const { rows } = await client.query<{ name: string }>(
    `select relname as name from pg_class where relkind = 'r' and reltuples >= $1
       and relnamespace = 'public'::regnamespace`,
    [leastRows],
  );
  growing = new Set(rows.map(({ name }) => name));
  const commands = new Set<string>(undescribedStatements);
  const statements = findStatements(tree).filter(({ name }) => !commands.has(name));
  explained = await explainStatements(client, statements, isLong);
  await client.end();
  // Filling the large database takes ten minutes, once.
}, 30 * 60_000);
afterAll(() => close());

describe('the plan of every statement', () => {
  it('has an index for each growing table that it reads', () => {
    expect([...growing]).toEqual(expect.arrayContaining(['keywords', 'market_schedule', 'events']));
    expect(findWholeScans(explained, growing).filter((scan) => !(scan in scanning))).toEqual([]);
  });

  it.runIf(isLong)('expects numbers of rows within a factor of 100', () => {
    const findings = findWrongEstimates(explained);
    expect(findings.filter((found) => !(found.split(':')[0]! in misjudged))).toEqual([]);
  });
});
