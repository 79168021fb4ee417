import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createWebhookSender } from '#outbound/webhook-sender.ts';
import { refreshStaleBudgets } from '#domain/base/budget/refresh-budget.ts';
import { purgeDeleted } from '#domain/accounts/auth/purge-deleted.ts';
import { startApi, type Account, type Credential, type TestApi } from '../harness/api.ts';
import { keepOrder } from '../harness/keep-order.ts';
import { runAcceptedJobs } from './exports.fixtures.ts';
import { describeTables } from './keywords.fixtures.ts';
import { seedWorkspace, finishJobs, startInstance, type Instance } from './workspace.fixtures.ts';
import { anyId, hashesOf, readContent, restoredTables, type Content } from './workspace-content.ts';

keepOrder('an export is imported, imported again, and then lives a day');

let here: Instance;
let ann: Account;
let file: string;
let original: Record<string, Content>;
/** The facts of each keyword in a file, by names. */
let facts: Record<string, string[]>;
const keywordFacts = ['rankings', 'serp', 'scores'];
const partCharacters = 200_000;

beforeAll(async () => {
  here = await startInstance(0);
  ann = await here.api.signUp({ email: 'ann@example.org' });
  const token = await here.api.token(ann);
  await seedWorkspace(here, token);
  file = await exportAll(here, token);
  original = await readContent(here.api.db.pool, ann.workspaceId);
  facts = factsOf(file);
});
afterAll(() => here.close());

async function exportAll(on: Instance, who: Credential): Promise<string> {
  const { poll } = await on.api.ok('POST /workspace/exports', { body: {} }, who);
  await finishJobs(on);
  return readFile(on.api, poll, who);
}

async function readFile(api: TestApi, poll: string, who: Credential): Promise<string> {
  const response = await api.raw(`${poll}/file`, {}, who);
  expect(response.status).toBe(200);
  return response.text;
}

/** Uploads the parts and requests the import; the caller runs the job. */
async function leaveFile(api: TestApi, who: Credential): Promise<number> {
  const parts = Math.ceil(file.length / partCharacters);
  for (let part = 1; part <= parts; part += 1) {
    const text = file.slice((part - 1) * partCharacters, part * partCharacters);
    await api.ok('PUT /workspace/imports/parts/{part}', { params: { part }, body: { text } }, who);
  }
  const { poll } = (await api.ok(
    'POST /workspace/imports',
    { body: { format: 'ndjson', parts } },
    who,
  )) as { poll: string };
  return Number(poll.split('/').at(-1));
}

async function importFile(api: TestApi, who: Credential) {
  const importId = await leaveFile(api, who);
  await runAcceptedJobs(api);
  const done = await api.ok('GET /workspace/imports/{importId}', { params: { importId } }, who);
  expect(done).toMatchObject({ state: 'succeeded', refusal: null });
  return done.report!;
}

const rowsOf = (text: string) =>
  text
    .split('\n')
    .flatMap((line) =>
      line.startsWith('{"table":"') ? [JSON.parse(line) as { table: string; row: Row }] : [],
    );

/** PostgreSQL's jsonb has an order of its own. */
const sortMembers = (_name: string, value: unknown) =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
    ? Object.fromEntries(Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1)))
    : value;

function factsOf(text: string): Record<string, string[]> {
  const rows = rowsOf(text);
  const apps = new Map(
    rows.flatMap(({ table, row }) =>
      table === 'apps' ? [[row['id'], row['listing'] as { storeAppId: string }]] : [],
    ),
  );
  const describe = ({ row: { appId, keywordId: _, ...fact } }: { row: Row }) =>
    JSON.stringify({ ...fact, app: apps.get(appId)?.storeAppId }, sortMembers);
  return Object.fromEntries(
    keywordFacts.map((name) => [
      name,
      rows
        .filter(({ table }) => table === name)
        .map(describe)
        .toSorted(),
    ]),
  );
}
type Row = Record<string, unknown>;

/**
 * Hints are fetched once a week, and their cost is learned from one's own fetches: both start anew,
 * also in the sums over markets.
 */
function countWork({
  workspace_id: _,
  store_tasks: storeTasks,
  market_sums: _sums,
  ...row
}: Row): Row {
  const {
    hints: _hints,
    firstHints: _firstHints,
    ...daily
  } = storeTasks as Record<string, [number, number]>;
  return {
    ...row,
    store_tasks: Object.fromEntries(Object.entries(daily).map(([kind, [jobs]]) => [kind, jobs])),
  };
}

async function expectSame(api: TestApi, workspaceId: number): Promise<void> {
  const content = await readContent(api.db.pool, workspaceId);
  // The rows show the difference better than their hash does.
  for (const [table, { rows }] of Object.entries(original))
    expect({ table, rows: content[table]!.rows }).toEqual({ table, rows });
  expect(hashesOf(content)).toEqual(hashesOf(original));
}

describe('the filled workspace of these tests', () => {
  test('has a value in every column of every restored table, and various events', async () => {
    for (const { name, secret = [] } of restoredTables) {
      const { rows } = await here.api.db.pool.query<Row>(
        `select * from "${name}" where workspace_id = $1`,
        [ann.workspaceId],
      );
      const isEmpty = (value: unknown) =>
        value === null || (Array.isArray(value) && value.length === 0);
      const columns = Object.keys(rows[0] ?? { rows: null }).filter(
        (column) =>
          ![...secret, 'tracked_since', 'failing_since', 'has_succeeded'].includes(column),
      );
      expect([name, columns.filter((column) => rows.every((row) => isEmpty(row[column])))]).toEqual(
        [name, []],
      );
    }
    const kinds = async (column: string, table: string) =>
      (
        await here.api.db.pool.query(
          `select distinct ${column} as kind from ${table} where workspace_id = $1`,
          [ann.workspaceId],
        )
      ).rows.length;
    expect([
      await kinds('type', 'events'),
      await kinds('status', 'actions'),
      await kinds('type', 'actions'),
    ]).toEqual([7, 4, expect.any(Number)]);
    expect(original['events']!.rows.length).toBeGreaterThan(50);
    expect(facts['rankings']!.length).toBeGreaterThan(30);
    const rows = rowsOf(file);
    const deleted = rows.find(({ table, row }) => table === 'keywords' && row['archived_at']);
    const known = rows.filter(({ row }) => row['keywordId'] === deleted!.row['id']);
    expect([...new Set(known.map(({ table }) => table))].toSorted()).toEqual(
      keywordFacts.toSorted(),
    );
  });

  test('is described without ids, so that a forgotten one would show', () => {
    for (const [table, { rows }] of Object.entries(original)) {
      expect([table, rows.filter((row) => row.search(anyId) >= 0)]).toEqual([table, []]);
      expect([table, rows.some((row) => row.includes('marker-webhook-secret'))]).toEqual([
        table,
        false,
      ]);
    }
  });
});

describe('imported into another workspace of the instance', () => {
  let bob: Account;
  beforeAll(async () => {
    bob = await here.api.signUp();
  });

  test('it has equal table hashes, and the report covers every table', async () => {
    const report = await importFile(here.api, bob);
    await expectSame(here.api, bob.workspaceId);
    for (const { name } of restoredTables) {
      const table = report.tables.find((one) => one.table === name)!;
      expect([name, table.imported, table.reason]).toEqual([name, table.rows, null]);
    }
    const reasons = new Map(
      report.tables.map(({ table, reason, anew }) => [
        table,
        { reason, anew: anew.map(({ member }) => member) },
      ]),
    );
    expect(reasons.get('webhooks')!.anew).toContain('secret');
    expect(reasons.get('audit')!.reason).toMatch(/proves nothing/);
    expect(reasons.get('rankings')).toEqual({ reason: null, anew: [] });
    expect(report.omitted.map(({ table }) => table)).toEqual(
      expect.arrayContaining(['tokens', 'sessions', 'memberships', 'budgets', 'deliveries']),
    );
  });

  test('it has the same history, of archived apps and deleted keywords too', async () => {
    const { poll } = await here.api.ok('POST /workspace/exports', { body: {} }, bob);
    await runAcceptedJobs(here.api);
    expect(factsOf(await readFile(here.api, poll, bob))).toEqual(facts);
  });

  test('it is unchanged by a second import, which returns the same report', async () => {
    const first = await here.api.db.pool.query(
      'select report from imports where workspace_id = $1',
      [bob.workspaceId],
    );
    const tables = await describeTables(here.api, ['jobs', 'imports', 'import_parts']);
    expect(await importFile(here.api, bob)).toEqual(first.rows[0].report);
    expect(await describeTables(here.api, ['jobs', 'imports', 'import_parts'])).toEqual(tables);
  });

  test('its events are readable, numbered without gaps, and not delivered again', async () => {
    const items: { sequence: number; app: { id: number } | null; workspaceId: number }[] = [];
    for (let cursor: string | undefined; ;) {
      const page = await here.api.ok(
        'GET /events',
        { query: { limit: 500, ...(cursor && { cursor }) } },
        bob,
      );
      items.push(...page.items);
      if (page.nextCursor === null) break;
      cursor = page.nextCursor;
    }
    expect(items.map(({ sequence }) => sequence)).toEqual(items.map((_, index) => index + 1));
    expect(items.every(({ workspaceId }) => workspaceId === bob.workspaceId)).toBe(true);
    const { items: apps } = await here.api.ok('GET /apps', null, bob);
    const ofApp = await here.api.ok('GET /events', { query: { appId: apps[0]!.id } }, bob);
    expect(ofApp.items.length).toBeGreaterThan(0);
    expect(
      (
        await here.api.db.pool.query('select from deliveries where workspace_id = $1', [
          bob.workspaceId,
        ])
      ).rows,
    ).toEqual([]);
  });

  test('its webhooks have new signing secrets', async () => {
    const { rows } = await here.api.db.pool.query('select secret from webhooks order by id');
    expect(new Set(rows.map((row) => (row.secret as Buffer).toString('hex'))).size).toBe(
      rows.length,
    );
  });

  test('a day later both computed the same and emitted nothing twice', async () => {
    await here.pipeline.runDay('2026-06-09');
    await finishJobs(here);
    // A tick ends its budgets after a third of a second.
    while ((await refreshStaleBudgets(here.pipeline.runtime.services)) > 0);
    const read = async (query: string) => {
      const of = async (id: number) => (await here.api.db.pool.query(query, [id])).rows;
      return [await of(bob.workspaceId), await of(ann.workspaceId)];
    };
    const [budgets, originals] = await read(
      'select * from budgets where workspace_id = $1 order by store',
    );
    expect(budgets!.map(countWork)).toEqual(originals!.map(countWork));
    expect(
      await read(
        'select sequence - (select count(*) from events where workspace_id = $1) as missing ' +
          'from event_counters where workspace_id = $1',
      ),
    ).toEqual([[{ missing: 0n }], [{ missing: 0n }]]);
    const rankEvents = `select type, key ~ '^elsewhere' as elsewhere,
                        body::jsonb->'data'->>'phrase' as phrase, body::jsonb->'data'->'to' as at,
                          count(*)
      from events where workspace_id = $1 and type like 'rank.%' group by 1, 2, 3, 4
        order by 1, 3, 4`;
    const [copied, own] = await read(rankEvents);
    expect(copied).toEqual(own);
    const [newest, ownNewest] =
      await read(`select l.store_app_id, k.country, k.phrase, k.latest_on, k.latest_position,
                    k.latest_depth, k.best_position, k.best_on
      from keywords k join apps a on a.id = k.app_id join listings l on l.id = a.listing_id
        where k.workspace_id = $1 order by 1, 2, 3`);
    expect(newest).toEqual(ownNewest);
    const { items: apps } = await here.api.ok('GET /apps', null, bob);
    const params = { id: apps.find((app) => app.displayName === 'Ours')!.id };
    const { items } = await here.api.ok(
      'GET /apps/{id}/reviews',
      { params, query: { tag: 'bug' } },
      bob,
    );
    expect(items).toEqual([expect.objectContaining({ note: 'replied', read: true })]);
  });
});

describe('emptied and imported', () => {
  test('into a new account, it has equal table hashes', async () => {
    const { api } = here;
    const body = JSON.stringify({ email: ann.email, password: ann.password });
    const headers = { 'content-type': 'application/json', 'sec-fetch-site': 'same-origin' };
    const signIn = await api.raw('/auth/sign-in', { method: 'POST', headers, body });
    const session = {
      headers: {
        cookie: signIn.headers.get('set-cookie')!.split(';')[0]!,
        'sec-fetch-site': 'same-origin',
      },
    };
    await api.ok(
      'DELETE /workspace',
      { body: { confirmName: (await api.ok('GET /workspace', null, session)).name } },
      session,
    );
    await api.db.pool.query('update workspaces set delete_at = $2 where id = $1', [
      ann.workspaceId,
      api.clock.now(),
    ]);
    expect(await purgeDeleted(api.services)).toBe(1);
    for (const { name } of restoredTables) {
      expect([
        name,
        (
          await api.db.pool.query(`select from "${name}" where workspace_id = $1`, [
            ann.workspaceId,
          ])
        ).rows,
      ]).toEqual([name, []]);
    }
    const anew = await api.signUp({ email: ann.email });
    expect(anew.workspaceId).not.toBe(ann.workspaceId);
    await importFile(api, anew);
    await expectSame(api, anew.workspaceId);
  });
});

describe('imported into an empty second instance', () => {
  let second: Instance;
  let there: TestApi;
  beforeAll(async () => {
    second = await startInstance(1_000_000, '2026-06-09');
    there = second.api;
  });
  afterAll(() => second.close());

  test('it has equal table hashes, and the stores are requested for its markets', async () => {
    const cleo = await there.signUp();
    await importFile(there, cleo);
    await expectSame(there, cleo.workspaceId);
    const { rows } = await there.db.pool.query(
      'select count(*)::int as count from market_schedule where depth > 0 and urgent_at is ' +
        'not null',
    );
    expect(rows[0].count).toBeGreaterThan(3);
  });

  test('and exported there, it is the same file except ids and start dates', async () => {
    const dora = await there.signUp();
    await importFile(there, dora);
    const { poll } = await there.ok('POST /workspace/exports', { body: {} }, dora);
    await runAcceptedJobs(there);
    expect(factsOf(await readFile(there, poll, dora))).toEqual(facts);
  });

  test('it omits webhooks to addresses that the instance blocks, with the reason', async () => {
    const strict = await startApi({
      db: there.db,
      clock: there.clock,
      services: { webhooks: createWebhookSender({ allowedSubnets: [] }) },
    });
    const report = await importFile(strict, await strict.signUp());
    expect(report.tables.find(({ table }) => table === 'webhooks')).toMatchObject({
      rows: 2,
      imported: 0,
      reason: expect.stringContaining('blocks such'),
    });
    await strict.close();
  });
});
