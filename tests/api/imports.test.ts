import { createHash } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { exportBytesMax, importPartsMax, importTextMax } from '#contract/body-limits.ts';
import { importedFacts } from '#contract/imported-facts.ts';
import { purgeImportParts, storeImportPart } from '#domain/transfer/imports/workspace-imports.ts';
import { startApi, type Account, type TestApi } from '../harness/api.ts';
import { seedHistory, type History } from '../harness/history.ts';
import { runAcceptedJobs } from './exports.fixtures.ts';
import { makeFile, sampleRows, type TableRow } from './imports.fixtures.ts';
import { describeTables, insertApp } from './keywords.fixtures.ts';

let api: TestApi;
let ann: Account;
let history: History;
let file: string;

interface Line {
  table?: string;
  row?: Record<string, unknown>;
}

beforeAll(async () => {
  api = await startApi();
  ann = await api.signUp();
  const plan = { apps: 2, markets: 12, days: 60, lastDay: '2026-11-21', gapShare: 0.2 };
  history = await seedHistory(api.db.pool, { workspaceId: ann.workspaceId, ...plan });
  const [appId, keyword] = [history.appIds[0]!, history.keywords[0]!];
  await api.ok(
    'PATCH /apps/{id}',
    { params: { id: appId }, body: { displayName: 'Our app', note: 'ours', tags: ['main'] } },
    ann,
  );
  await api.ok(
    'PATCH /keywords/{keywordId}',
    { params: { keywordId: keyword.id }, body: { note: '=1+1', favorite: true, tags: ['brand'] } },
    ann,
  );
  await api.ok(
    'PATCH /keywords/{keywordId}',
    { params: { keywordId: history.keywords[1]!.id }, body: { paused: true } },
    ann,
  );
  await api.ok(
    'PUT /apps/{id}/keyword-field',
    { params: { id: appId }, body: { text: 'one,two' } },
    ann,
  );
  const note = { date: '2026-11-01', text: 'a new icon', keywordIds: [keyword.id] };
  await api.ok('POST /apps/{id}/annotations', { params: { id: appId }, body: note }, ann);
  const [second] = history.keywords.slice(1);
  // The same phrase on another device.
  await api.db.pool.query(
    `insert into markets (store, country, device, phrase)
     select store, country, 'ipad', phrase from markets where id = $1`,
    [keyword.marketId],
  );
  await api.db.pool.query(
    `update keywords k set device = 'ipad', phrase = m.phrase, country = m.country, market_id = o.id
     from markets m join markets o on o.phrase = m.phrase and o.device = 'ipad'
     where k.id = $2 and m.id = $1`,
    [keyword.marketId, second!.id],
  );
  file = await exportAll(ann);
});
afterAll(() => api.close());

async function exportAll(who: Account): Promise<string> {
  const { poll } = await api.ok('POST /workspace/exports', { body: {} }, who);
  await runAcceptedJobs(api);
  const response = await api.raw(`${poll}/file`, {}, who);
  expect(response.status).toBe(200);
  return response.text;
}

const linesOf = (text: string) =>
  text
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as Line);

/** A file with other rows and a matching last line. */
function rewrite(text: string, change: (line: Line) => Line | null): string {
  const body = linesOf(text)
    .slice(0, -1)
    .flatMap((line) => change(line) ?? [])
    .map((line) => `${JSON.stringify(line)}\n`);
  const end = {
    lines: body.length,
    sha256: createHash('sha256').update(body.join('')).digest('hex'),
  };
  return `${body.join('')}${JSON.stringify({ end })}\n`;
}

async function importInParts(who: Account, text: string, size = 50_000) {
  const parts = Math.ceil(text.length / size);
  for (let part = 1; part <= parts; part += 1) {
    await api.ok(
      'PUT /workspace/imports/parts/{part}',
      { params: { part }, body: { text: text.slice((part - 1) * size, part * size) } },
      who,
    );
  }
  const { poll } = (await api.ok(
    'POST /workspace/imports',
    { body: { format: 'ndjson', parts } },
    who,
  )) as { poll: string };
  await runAcceptedJobs(api);
  return api.ok(
    'GET /workspace/imports/{importId}',
    { params: { importId: Number(poll.split('/').at(-1)) } },
    who,
  );
}

/**
 * Rows of the restored tables without ids and without values that start anew; ids become names of
 * their targets.
 */
function content(text: string): Record<string, string[]> {
  const rows = linesOf(text).flatMap(({ table, row }) => (table && row ? [{ table, row }] : []));
  const appNames = new Map(
    rows
      .filter(({ table }) => table === 'apps')
      .map(({ row }) => [row['id'], (row['listing'] as { storeAppId: string }).storeAppId]),
  );
  const keywordNames = new Map(
    rows
      .filter(({ table }) => table === 'keywords')
      .map(({ row }) => [
        row['id'],
        [appNames.get(row['app_id']), row['country'], row['device'], row['phrase']].join(' '),
      ]),
  );
  const anew = [
    'id',
    'listing_id',
    'market_id',
    'tracking_periods',
    'created_at',
    'saved_at',
    'saved_by',
    'listing',
  ];
  const own = [
    'latest_on',
    'latest_position',
    'latest_depth',
    'latest_at',
    'best_position',
    'best_on',
  ];
  const name = ([key, value]: [string, unknown]): [string, unknown] => {
    if (key === 'app_id' || key === 'appId') return [key, appNames.get(value)];
    if (key === 'keywordId') return [key, keywordNames.get(value)];
    return [
      key,
      key === 'keyword_ids' ? (value as number[]).map((id) => keywordNames.get(id)) : value,
    ];
  };
  const named = rows
    .filter(({ table }) =>
      ['tag_styles', 'apps', 'keywords', 'annotations', 'keyword_fields', 'rankings'].includes(
        table,
      ),
    )
    .map(({ table, row }) => ({
      table,
      text: JSON.stringify(
        Object.entries(row)
          .filter(([key]) => ![...anew, ...own].includes(key))
          .map(name)
          .toSorted(),
      ),
    }));
  const tables = Map.groupBy(named, ({ table }) => table);
  return Object.fromEntries(
    [...tables].map(([table, list]) => [table, list.map((row) => row.text).toSorted()]),
  );
}

/** The backend that waits to insert an imported fact. */
async function findBlockedInsert(): Promise<number | undefined> {
  const { rows } = await api.db.pool.query(
    'select pid from pg_stat_activity where datname = current_database() and ' +
      "wait_event_type = 'Lock' and query like '%insert into imported_facts%'",
  );
  return rows[0]?.pid;
}

const factNames = Object.keys(importedFacts).toSorted();

async function countFacts({ workspaceId }: Account): Promise<{ kind: string; count: number }[]> {
  const { rows } = await api.db.pool.query(
    'select kind, count(*)::int as count from imported_facts where workspace_id = $1 ' +
      'group by kind order by kind collate "C"',
    [workspaceId],
  );
  return rows;
}

describe('an imported export', () => {
  test('and exported again is the same, except for ids and the start of tracking', async () => {
    const bob = await api.signUp();
    const done = await importInParts(bob, file);
    expect(done).toMatchObject({ state: 'succeeded', refusal: null });
    const tables = new Map(done.report!.tables.map((table) => [table.table, table]));
    expect(tables.get('keywords')).toMatchObject({
      table: 'keywords',
      rows: 12,
      imported: 12,
      reason: null,
    });
    expect(tables.get('rankings')).toMatchObject({ reason: null });
    expect(tables.get('audit')).toMatchObject({ imported: 0, reason: expect.any(String) });
    expect(content(await exportAll(bob))).toEqual(content(file));
  });

  test('without devices is one of the first device; one of another store is refused', async () => {
    const bob = await api.signUp();
    const withDevice = (device: unknown) =>
      rewrite(file, (line) => {
        if (line.table !== 'keywords') return line;
        const { device: _device, ...row } = line.row!;
        return { ...line, row: device === undefined ? row : { ...row, device } };
      });
    const refused = await api.call(
      'POST /workspace/imports',
      { body: { format: 'ndjson', text: withDevice('phone') } },
      bob,
    );
    expect([refused.status, refused.body.issues[0]]).toMatchObject([
      400,
      { message: 'one of iphone, ipad, mac', actual: 'phone' },
    ]);
    // Two keywords of one phrase would be one without their devices.
    const twice = await api.call(
      'POST /workspace/imports',
      { body: { format: 'ndjson', text: withDevice(undefined) } },
      bob,
    );
    expect([twice.status, twice.body.issues[0].path]).toEqual([400, 'keywords.phrase']);
    const older = rewrite(withDevice(undefined), (line) =>
      (line.table === 'keywords' && line.row!['id'] === history.keywords[1]!.id) ||
      (line.table === 'rankings' && line.row!['keywordId'] === history.keywords[1]!.id)
        ? null
        : line,
    );
    await importInParts(bob, older);
    const { rows } = await api.db.pool.query(
      'select device, count(*)::int from keywords where workspace_id = $1 group by device',
      [bob.workspaceId],
    );
    expect(rows).toEqual([{ device: 'iphone', count: 11 }]);
  });

  test('into the emptied workspace and exported again is the same', async () => {
    const carl = await api.signUp();
    await importInParts(carl, file);
    const first = await exportAll(carl);
    await api.db.pool.query('delete from apps where workspace_id = $1', [carl.workspaceId]);
    await importInParts(carl, first);
    expect(content(await exportAll(carl))).toEqual(content(file));
  });

  test('shows its positions; paused keywords stay paused; tracking starts today', async () => {
    const bob = await api.signUp();
    await importInParts(bob, file);
    const { rows } = await api.db.pool.query(
      'select k.id, k.phrase, k.country, k.device, k.paused, k.tracking_periods, k.app_id from ' +
        'keywords k ' +
        'where workspace_id = $1',
      [bob.workspaceId],
    );
    expect(rows.every((row) => row.tracking_periods[0][0] === '2026-11-21')).toBe(true);
    expect(rows.filter((row) => row.paused)).toHaveLength(1);
    const { rows: names } = await api.db.pool.query(
      'select phrase, country from keywords where id = $1',
      [history.keywords[0]!.id],
    );
    const mine = rows.find(
      (row) =>
        row.phrase === names[0].phrase &&
        row.country === names[0].country &&
        row.device === 'iphone',
    );
    const range = { from: '2026-09-23', to: '2026-11-20' };
    const read = (keywordId: number, who: Account) =>
      api.ok('GET /keywords/{keywordId}/rankings', { params: { keywordId }, query: range }, who);
    const bare = (items: { date: string; keywordId: number }[]) =>
      items.map(({ keywordId: _keywordId, ...cell }) => cell);
    const [theirs, ours] = [await read(mine.id, bob), await read(history.keywords[0]!.id, ann)];
    expect(bare(theirs.items)).toEqual(bare(ours.items));
    expect(theirs.items.length).toBeGreaterThan(30);
    const matrix = await api.ok(
      'GET /apps/{id}/rankings/matrix',
      { params: { id: mine.app_id }, query: range },
      bob,
    );
    expect(
      matrix.rows.find((row) => row.keywordId === mine.id)!.cells.filter((cell) => cell !== '-'),
    ).toHaveLength(theirs.items.length);
  });

  test('without positions reveals nothing that this instance checked before', async () => {
    const bob = await api.signUp();
    const bare = rewrite(file, (line) => (line.table === 'rankings' ? null : line));
    const report = await api.ok(
      'POST /workspace/imports',
      { body: { format: 'ndjson', text: bare } },
      bob,
    );
    expect(report).toHaveProperty('tables');
    const { rows } = await api.db.pool.query('select id from apps where workspace_id = $1', [
      bob.workspaceId,
    ]);
    for (const { id } of rows) {
      const cells = await api.ok(
        'GET /apps/{id}/rankings',
        { params: { id }, query: { from: '2026-09-23', to: '2026-11-20' } },
        bob,
      );
      expect(cells.items).toEqual([]);
    }
  });

  test('is whole after its connection died in the middle, and not twice', async () => {
    const who = await api.signUp();
    const body = { text: makeFile(sampleRows()) };
    await api.ok('PUT /workspace/imports/parts/{part}', { params: { part: 1 }, body }, who);
    const parts = { format: 'ndjson' as const, parts: 1 };
    const { poll } = (await api.ok('POST /workspace/imports', { body: parts }, who)) as {
      poll: string;
    };
    const blocker = await api.db.pool.connect();
    await blocker.query('begin; lock table imported_facts in share mode');
    const attempt = runAcceptedJobs(api).catch(() => {});
    const pid = await vi.waitUntil(findBlockedInsert, { timeout: 30_000 });
    await api.db.pool.query('select pg_terminate_backend($1)', [pid]);
    await blocker.query('rollback');
    blocker.release();
    await attempt;
    expect(await countFacts(who)).toEqual([]);
    api.clock.advance(120_000);
    await runAcceptedJobs(api);
    const params = { importId: Number(poll.split('/').at(-1)) };
    expect(await api.ok('GET /workspace/imports/{importId}', { params }, who)).toMatchObject({
      state: 'succeeded',
      refusal: null,
    });
    expect(await countFacts(who)).toEqual(factNames.map((kind) => ({ kind, count: 1 })));
  });

  test('has a snapshot once that the file has twice, and those of other apps', async () => {
    const who = await api.signUp();
    const rows = sampleRows();
    const [, app] = rows.find(([table]) => table === 'apps')!;
    const [, snapshot] = rows.find(([table]) => table === 'snapshots')!;
    const text = makeFile([
      ['apps', app],
      ['apps', { ...app, id: 900, listing: { store: 'ios', storeAppId: '4712', name: 'Other' } }],
      ...[app['id'], 900, app['id']].map((appId): TableRow => [
        'snapshots',
        { ...snapshot, appId, competitorId: null },
      ]),
    ]);
    const { report } = await importInParts(who, text);
    expect(report!.tables.find(({ table }) => table === 'snapshots')).toMatchObject({
      rows: 3,
      imported: 2,
      reason: expect.stringContaining('twice'),
    });
    const { items } = await api.ok('GET /apps', null, who);
    for (const { id } of items) {
      const range = { params: { id }, query: { from: '2026-10-01' } };
      expect((await api.ok('GET /apps/{id}/snapshots', range, who)).total).toBe(1);
    }
    expect(items).toHaveLength(2);
  });

  test('writes no shared facts: others see no change', async () => {
    const shared = [
      'rank_months',
      'market_months',
      'serps',
      'snapshots',
      'reviews',
      'scores',
      'listings',
      'changes',
      'markets',
      'charts',
    ];
    const before = await describeTables(api);
    const forged = rewrite(file, (line) =>
      line.table === 'rankings' ? { ...line, row: { ...line.row, position: 1 } } : line,
    );
    expect((await importInParts(await api.signUp(), forged)).refusal).toBeNull();
    const after = await describeTables(api);
    for (const table of shared) expect([table, after[table]]).toEqual([table, before[table]]);
  });
});

describe('a refused file', () => {
  const broken: [string, (text: string) => string][] = [
    ['cut off', (text) => text.slice(0, -200)],
    [
      'changed',
      (text) => text.replace('"position": 1', '"position": 2').replace('Our app', 'My apps'),
    ],
    ['no export', () => '{"hello":1}\n'],
    ['no JSON', () => 'hello\n'],
    [
      'of position 0',
      (text) =>
        rewrite(text, (line) =>
          line.table === 'rankings' ? { ...line, row: { ...line.row, position: 0 } } : line,
        ),
    ],
    [
      'deeper than examined',
      (text) =>
        rewrite(text, (line) =>
          line.table === 'rankings'
            ? { ...line, row: { ...line.row, position: 9, depth: 5 } }
            : line,
        ),
    ],
    [
      'of a phrase too long',
      (text) =>
        rewrite(text, (line) =>
          line.table === 'keywords'
            ? { ...line, row: { ...line.row, phrase: 'x'.repeat(101) } }
            : line,
        ),
    ],
    [
      'with an id that no store has',
      (text) =>
        rewrite(text, (line) =>
          line.table === 'apps'
            ? {
                ...line,
                row: { ...line.row, listing: { store: 'ios', storeAppId: 'x; drop table' } },
              }
            : line,
        ),
    ],
    [
      'with one app twice',
      (text) =>
        rewrite(text, (line) =>
          line.table === 'apps'
            ? { ...line, row: { ...line.row, listing: { store: 'ios', storeAppId: '5' } } }
            : line,
        ),
    ],
    ['with NUL', (text) => text.replace('Our app', String.raw`Our\u0000app`)],
  ];
  test.each(broken)('%s: nothing is written', async (_name, change) => {
    const who = await api.signUp();
    const small = rewrite(file, (line) =>
      line.table === 'rankings' && String(line.row!['date']) < '2026-11-15' ? null : line,
    );
    const before = await describeTables(api);
    const response = await api.call(
      'POST /workspace/imports',
      { body: { format: 'ndjson', text: change(small) } },
      who,
    );
    expect([response.status, response.body.issues?.length > 0]).toEqual([400, true]);
    expect(await describeTables(api)).toEqual(before);
  });

  test('in parts is reported in the import, and the job is not retried', async () => {
    const who = await api.signUp();
    const done = await importInParts(who, file.slice(0, -300));
    expect(done).toMatchObject({
      state: 'succeeded',
      report: null,
      refusal: { issues: [expect.anything()] },
    });
    const { rows } = await api.db.pool.query(
      'select count(*)::int as count from apps where workspace_id = $1',
      [who.workspaceId],
    );
    expect(rows[0].count).toBe(0);
  });

  test('is refused with existing apps or a missing part; old parts are deleted', async () => {
    const small = rewrite(file, (line) => (line.table === 'rankings' ? null : line));
    expect(
      (await api.call('POST /workspace/imports', { body: { format: 'ndjson', text: small } }, ann))
        .status,
    ).toBe(400);
    const who = await api.signUp();
    await api.ok(
      'PUT /workspace/imports/parts/{part}',
      { params: { part: 2 }, body: { text: 'x' } },
      who,
    );
    const response = await api.call(
      'POST /workspace/imports',
      { body: { format: 'ndjson', parts: 2 } },
      who,
    );
    expect([response.status, response.body.issues[0].path]).toEqual([400, 'parts']);
    api.clock.advance(86_400_001);
    await purgeImportParts(api.services);
    api.clock.advance(-86_400_001);
    expect((await api.db.pool.query('select from import_parts')).rows).toHaveLength(0);
  });
});

describe('the parts of an import', () => {
  test('hold the largest export, however its characters fall', async () => {
    expect(importPartsMax * (importTextMax - 1)).toBeGreaterThanOrEqual(exportBytesMax);
    const who = await api.signUp();
    const upload = (part: number, text = 'x') =>
      api.call('PUT /workspace/imports/parts/{part}', { params: { part }, body: { text } }, who);
    const statuses = [(await upload(importPartsMax)).status];
    statuses.push((await upload(importPartsMax + 1)).status, (await upload(1, '\ud83d')).status);
    expect(statuses).toEqual([200, 400, 400]);
  });

  test('have a limit together, which a part uploaded again does not use up', async () => {
    const { ctx } = await api.signUp();
    await storeImportPart(ctx, 1, 'a part');
    const { rows } = await api.db.pool.query(
      'select octet_length(data) as bytes from import_parts where workspace_id = $1',
      [ctx.workspaceId],
    );
    const limits = { bytesMax: 2 * rows[0].bytes };
    const store = (part: number) => storeImportPart(ctx, part, 'a part', limits);
    await store(2);
    await store(2);
    await expect(store(3)).rejects.toMatchObject({ code: 'invalid_request' });
  });
});

describe('access to imports', () => {
  test('is refused for read-only tokens, suspended workspaces and others', async () => {
    const token = await api.token(ann, { readOnly: true });
    const body = { format: 'ndjson' as const, parts: 1 };
    expect((await api.call('POST /workspace/imports', { body }, token)).body.code).toBe(
      'read_only_token',
    );
    expect(
      (
        await api.call(
          'POST /workspace/imports',
          { body },
          await api.signUp({ state: 'suspended' }),
        )
      ).body.code,
    ).toBe('workspace_suspended');
    const bob = await api.signUp();
    const { id } = await importInParts(bob, file.slice(0, 100));
    expect(
      (await api.call('GET /workspace/imports/{importId}', { params: { importId: id } }, ann))
        .status,
    ).toBe(404);
    const { id: appId } = await insertApp(api, ann);
    const csv = {
      format: 'csv' as const,
      appId,
      text: 'k,d,p\na,2026-11-01,1',
      mapping: { phrase: 'k', date: 'd', position: 'p' },
      country: 'us',
    };
    expect((await api.call('POST /workspace/imports', { body: csv }, bob)).body.code).toBe(
      'not_found',
    );
  });
});
