import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type pg from 'pg';
import { TestClock } from '#lib/clock.ts';
import { startApi, type Account, type TestApi } from '../harness/api.ts';
import { makeReader, type TestReader } from './readers.fixtures.ts';

const keywordsEach = 1_000;
const others = 3;

let api: TestApi;
let mine: Account;
let reader: TestReader;
let client: pg.Client;

/**
 * Four workspaces with a thousand keywords each in the same markets: every row of a market and a
 * month exists for four listings.
 */
const fill = `
  with shown as (
    insert into listings (store, store_app_id, name, named_in)
    select 'ios', n::text, 'App ' || n, 'us' from generate_series(1, $2::int + 1) n
    returning id, store_app_id::int as n
  ), searched as (
    insert into markets (store, country, device, phrase)
    select 'ios', 'us', 'iphone', 'phrase ' || n from generate_series(1, $1::int) n
    returning id, phrase
  ), homes as (
    insert into workspaces (name) select 'other' from generate_series(1, $2::int) returning id
  ), owned as (
    select id, row_number() over (order by id) as n
    from (select id from homes union select $3::int) h
  ), tracked as (
    insert into apps (workspace_id, listing_id, primary_country, created_at)
    select o.id, s.id, 'us', now() - interval '100 days' from owned o join shown s using (n)
    returning id, workspace_id, listing_id
  ), followed as (
    insert into keywords (workspace_id, app_id, market_id, country, phrase, device, depth,
      tracking_periods, created_at)
    select t.workspace_id, t.id, m.id, 'us', m.phrase, 'iphone', 200,
      jsonb_build_array(jsonb_build_array((current_date - 90)::text, 200)), now()
    from tracked t, searched m
  ), months as (
    select date_trunc('month', current_date)::date - make_interval(months => n) as month
    from generate_series(0, 3) n
  ), market_days as (
    insert into market_months (market_id, month, days)
    select m.id, month, decode(repeat('c8001000', 31), 'hex') from searched m, months
  )
  insert into rank_months (listing_id, month, market_id, daily_ranks, depths)
  select t.listing_id, month, m.id, decode(repeat('07', 31), 'hex'), decode(repeat('c8', 31), 'hex')
  from tracked t, searched m, months`;

beforeAll(async () => {
  api = await startApi({ clock: new TestClock(new Date().toISOString()) });
  mine = await api.signUp();
  await api.db.pool.query(fill, [keywordsEach, others, mine.workspaceId]);
  await api.db.pool.query('vacuum analyze');
  reader = await makeReader(api.db, mine.workspaceId);
  client = await reader.connect();
});
afterAll(async () => {
  await client?.end();
  await reader?.revoke();
  await api?.close();
});

interface Plan {
  'Node Type': string;
  'Relation Name'?: string;
  'Actual Rows': number;
  'Actual Loops': number;
  'Rows Removed by Filter'?: number;
  Plans?: Plan[];
}

function flatten(plan: Plan): Plan[] {
  return [plan, ...(plan.Plans ?? []).flatMap(flatten)];
}

describe('a month of positions of a thousand keywords', () => {
  const month = `select date, keyword, position, depth, reason, provider from positions
    where date between current_date - 29 and current_date`;

  test('has a row for each keyword and day', async () => {
    const { rows } = await client.query(
      `select count(*)::int as rows, min(position) as best from (${month}) m`,
    );
    expect(rows).toEqual([{ rows: 30 * keywordsEach, best: 7 }]);
  });

  test('reads no row of another workspace', async () => {
    const { rows } = await client.query<{ 'QUERY PLAN': [{ Plan: Plan }] }>(
      `explain (analyze, timing off, format json) ${month}`,
    );
    const nodes = flatten(rows[0]!['QUERY PLAN'][0].Plan);
    const read = (table: string) =>
      nodes
        .filter((node) => node['Relation Name'] === table)
        .map((node) => ({
          type: node['Node Type'],
          rows: node['Actual Rows'] * node['Actual Loops'],
          removed: (node['Rows Removed by Filter'] ?? 0) * node['Actual Loops'],
        }));
    for (const table of ['keywords', 'rank_months']) {
      expect(read(table).length, table).toBeGreaterThan(0);
      for (const { type, removed } of read(table)) {
        expect(type, table).toMatch(/Index|Bitmap/);
        expect(removed, table).toBe(0);
      }
    }
    const [keywords] = read('keywords');
    expect(keywords!.rows).toBe(keywordsEach);
    // Each day of a keyword looks its month up, at most once.
    const months = read('rank_months').reduce((sum, { rows: count }) => sum + count, 0);
    expect(months).toBeLessThanOrEqual(30 * keywordsEach);
  });

  test('reads the rows of one keyword alone when one is requested', async () => {
    const { rows } = await client.query<{ 'QUERY PLAN': [{ Plan: Plan }] }>(
      `explain (analyze, timing off, format json) ${month} and keyword_id =
         (select min(keyword_id) from keywords)`,
    );
    const nodes = flatten(rows[0]!['QUERY PLAN'][0].Plan);
    const months = nodes.filter((node) => node['Relation Name'] === 'rank_months');
    for (const node of months)
      expect(node['Actual Rows'] * node['Actual Loops']).toBeLessThanOrEqual(30);
  });
});
