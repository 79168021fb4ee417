import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { importPartsMax } from '#contract/body-limits.ts';
import { importedRows } from '#contract/import-rows.ts';
import { eventSamples } from '#contract/events.ts';
import { factTables, tenantTables } from '#domain/transfer/exports/exported-tables.ts';
import { importText } from '#domain/transfer/imports/workspace-imports.ts';
import { goneId } from '#domain/transfer/imports/id-map.ts';
import { startApi, type Account, type TestApi } from '../harness/api.ts';
import { draw } from '../harness/short-form.ts';
import { runAcceptedJobs } from './exports.fixtures.ts';
import {
  finishImportFile,
  makeFile,
  sampleRows,
  withMember,
  type TableRow,
} from './imports.fixtures.ts';
import { describeTables, insertApp } from './keywords.fixtures.ts';
import { offsetSequences } from './workspace.fixtures.ts';

let api: TestApi;
beforeAll(async () => {
  api = await startApi();
  await offsetSequences(api.db.pool, 0);
});
afterAll(() => api.close());

const send = (who: Account, text: string, on = api) =>
  on.call('POST /workspace/imports', { body: { format: 'ndjson', text } }, who);
const deep = (levels: number): unknown => JSON.parse('['.repeat(levels) + ']'.repeat(levels));
/** An event with JSON inside JSON. */
function openedAction(change: (body: string) => string): TableRow[] {
  const envelope = {
    timestamp: '2026-11-01T08:00:00.000Z',
    id: 'evt_0123456789',
    sequence: 1,
    workspaceId: 99,
    app: null,
    links: {},
  };
  const data = { ...eventSamples['action.opened'], evidence: { a: 'deep' } };
  const body = change(JSON.stringify({ type: 'action.opened', ...envelope, data }));
  return [['events', { type: 'action.opened', app_id: null, body }]];
}

/** The long form tries every value for every member, the short one these many. */
const valuesEach = 2;
/** The rows of a new workspace. */
const given = ['memberships', 'sessions'];

/**
 * Counts refused files. Refused files leave no row in the workspace; an accepted one fills it, and
 * the next workspace is used.
 */
async function sendAll(files: readonly { name: string; text: string }[]) {
  const used = [await api.signUp()];
  const filled = new Set<number>();
  for (const { name, text } of files) {
    const who = used.at(-1)!;
    const response = await send(who, text);
    if (response.status === 200) {
      filled.add(who.workspaceId);
      used.push(await api.signUp());
    } else
      expect([
        name,
        response.status,
        response.body.code !== 'internal',
        response.body.issues.length > 0,
      ]).toEqual([name, 400, true, true]);
  }
  const refused = used.map(({ workspaceId }) => workspaceId).filter((id) => !filled.has(id));
  expect(refused).toHaveLength(1);
  for (const { name } of tenantTables.filter((table) => !given.includes(table.name))) {
    const { rows } = await api.db.pool.query(
      `select * from "${name}" where workspace_id = any($1)`,
      [refused],
    );
    expect([name, rows]).toEqual([name, []]);
  }
  return files.length - filled.size;
}

test('the unmodified sample is accepted, with every row', async () => {
  const who = await api.signUp();
  const response = await send(who, makeFile(sampleRows()));
  expect([
    response.status,
    response.body.tables.map(
      (table: { rows: number; imported: number }) => table.rows - table.imported,
    ),
  ]).toEqual([200, sampleRows().map(() => 0)]);
  expect(
    sampleRows()
      .map(([table]) => table)
      .toSorted(),
  ).toEqual(Object.keys(importedRows).toSorted());
});

describe('members of every table', () => {
  const values: [string, unknown][] = [
    ['null', null],
    ['10,000 characters', 'x'.repeat(10_000)],
    ['a number beyond 53 bits', 2 ** 63],
    ['a fraction', 1.5],
    ['an object', { a: { b: 1 } }],
    ['a deep list', deep(70)],
    ['a day that is none', '2026-02-30T00:00:00+00:00'],
  ];
  test.each(sampleRows())(
    '%s: invalid values are refused, and nothing is written',
    async (table, row) => {
      const members = Object.keys(
        (importedRows[table as keyof typeof importedRows] as { shape?: object }).shape ?? row,
      );
      const files = members.flatMap((member) =>
        draw(`values of ${table}.${member}`, valuesEach, values).map(([name, value]) => ({
          name: `${member}: ${name}`,
          text: makeFile(withMember(table, member, value)),
        })),
      );
      const missing = members.map((member) => {
        const rows = withMember(table, member, undefined);
        return { name: `${member} is missing`, text: makeFile(rows) };
      });
      expect(await sendAll([...files, ...missing])).toBeGreaterThanOrEqual(files.length / 2);
    },
  );
});

describe('a file that is not an export', () => {
  const lines = (text: string) => text.trimEnd().split('\n').slice(0, -1);
  const sample = makeFile(sampleRows());
  const first = (table: string) => sampleRows().find(([name]) => name === table)!;
  const files: [string, () => string][] = [
    [
      'of another version',
      () => makeFile(sampleRows(), { format: 'toprung-workspace', version: 2 }),
    ],
    ['of another format', () => makeFile(sampleRows(), { format: 'other', version: 1 })],
    ['without a manifest', () => finishImportFile(lines(sample).slice(1))],
    ['of a list', () => finishImportFile(['[]', '[]'])],
    [
      'of deep JSON',
      () => finishImportFile([lines(sample)[0]!, '['.repeat(100_000) + ']'.repeat(100_000)]),
    ],
    [
      'of deep JSON in a body',
      () => makeFile(withMember('events', 'body', '['.repeat(100_000) + ']'.repeat(100_000))),
    ],
    [
      'of deep evidence in a body',
      () =>
        makeFile(
          openedAction((body) =>
            body.replace('"deep"', `${'['.repeat(50_000)}${']'.repeat(50_000)}`),
          ),
        ),
    ],
    ['of a table that is no name', () => makeFile([['; drop table apps', {}]])],
    ['with apps after their keywords', () => makeFile([first('keywords'), first('apps')])],
    [
      'with a keyword of an app that is not in it',
      () => makeFile(sampleRows().filter(([table]) => table !== 'apps')),
    ],
    [
      'with one app twice',
      () => makeFile([first('apps'), ['apps', { ...first('apps')[1], id: 9 }]]),
    ],
    [
      'with one id twice',
      () =>
        makeFile([
          first('apps'),
          ['apps', { ...first('apps')[1], listing: { store: 'ios', storeAppId: '1' } }],
        ]),
    ],
    [
      'with one keyword twice',
      () =>
        makeFile([
          first('apps'),
          first('keywords'),
          ['keywords', { ...first('keywords')[1], id: 9, phrase: ' HABIT tracker' }],
        ]),
    ],
    [
      'with a competitor of another store',
      () =>
        makeFile(withMember('competitors', 'listing', { store: 'android', storeAppId: 'a.b.c' })),
    ],
    ['with settings twice', () => makeFile([first('settings'), first('settings')])],
    ['with a setting that is none', () => makeFile([['settings', { settings: { surprise: 1 } }]])],
    [
      'with 51 webhooks',
      () =>
        makeFile(
          Array.from({ length: 51 }, (_, index): TableRow => [
            'webhooks',
            { ...first('webhooks')[1], id: index + 1 },
          ]),
        ),
    ],
    ['with an action of no type', () => makeFile(withMember('actions', 'type', 'surprise'))],
    [
      'with the key of another action',
      () => makeFile(withMember('actions', 'key', 'keyword-gap:1:2')),
    ],
    [
      'with an action that is open and ended',
      () => makeFile(withMember('actions', 'status', 'open')),
    ],
    ['with an event that is another', () => makeFile(withMember('events', 'type', 'serp.entrant'))],
    [
      'with an event of no shape',
      () => makeFile(withMember('events', 'body', '{"type":"rank.dropped"}')),
    ],
    [
      'with a webhook of no scheme we know',
      () => makeFile(withMember('webhooks', 'url', 'file:///etc/passwd')),
    ],
    ['with a result below its depth', () => makeFile(withMember('serp', 'depth', 0))],
    [
      'with a picture that is a script',
      () => makeFile(withMember('serp', 'iconUrl', 'javascript:alert(1)')),
    ],
    [
      'with texts of no listing',
      () => makeFile(withMember('snapshots', 'fields', { name: 'A listing' })),
    ],
    ['with a chart that is none', () => makeFile(withMember('category_ranks', 'chart', 'best'))],
    ['with a phrase of six words', () => makeFile(withMember('keywords', 'phrase', 'a b c d e f'))],
    [
      'with a keyword field past its 100',
      () => makeFile(withMember('keyword_fields', 'text', 'a'.repeat(101))),
    ],
    [
      'with an app purged but not archived',
      () => makeFile(withMember('apps', 'purge_at', '2026-11-30T00:00:00+00:00')),
    ],
    [
      'with NUL',
      () =>
        finishImportFile([
          lines(sample)[0]!,
          String.raw`{"table":"tag_styles","row":{"name":"a\u0000","color":null}}`,
        ]),
    ],
    [
      'with half of a pair',
      () =>
        finishImportFile([
          lines(sample)[0]!,
          String.raw`{"table":"tag_styles","row":{"name":"a\ud800","color":null}}`,
        ]),
    ],
  ];
  test.each(files)('%s: nothing is written, shared facts included', async (_name, make) => {
    const who = await api.signUp();
    const before = await describeTables(api);
    const response = await send(who, make());
    expect([response.status, response.body.issues.length > 0]).toEqual([400, true]);
    expect(await describeTables(api)).toEqual(before);
  });

  test.each([
    ['of quotes', '"', 250_000],
    ['of non-Latin letters', 'é日', 625_000],
    ['of pairs', '😀', 500_000],
    ['of characters that JSON escapes as six bytes', '\u001f', 250_000],
  ])('the largest part, all %s, fits into a request', async (_name, characters, bytes) => {
    const who = await api.signUp();
    const text = characters.repeat(250_000 / characters.length);
    expect(
      await api.ok(
        'PUT /workspace/imports/parts/{part}',
        { params: { part: 1 }, body: { text } },
        who,
      ),
    ).toEqual({ part: 1, bytes });
    const response = await send(who, text);
    expect([response.status, response.body.code]).toEqual([400, 'invalid_request']);
  });

  test('a request, a part or a line that is too long is reported', async () => {
    const who = await api.signUp();
    expect((await send(who, 'x'.repeat(250_001))).body.issues[0].path).toMatch(/text/);
    const put = (part: number, text: string) =>
      api.call('PUT /workspace/imports/parts/{part}', { params: { part }, body: { text } }, who);
    expect([
      (await put(1, 'x'.repeat(250_001))).status,
      (await put(importPartsMax + 1, 'x')).status,
      (await put(0, 'x')).status,
    ]).toEqual([400, 400, 400]);
    expect(
      (
        await api.call(
          'POST /workspace/imports',
          { body: { format: 'ndjson', parts: importPartsMax + 1 } },
          who,
        )
      ).status,
    ).toBe(400);
    const file = makeFile([
      ['tag_styles', { name: 'a', color: null, more: 'x'.repeat(1_250_000) }],
    ]);
    const parts = Math.ceil(file.length / 250_000);
    for (let part = 1; part <= parts; part += 1)
      await put(part, file.slice((part - 1) * 250_000, part * 250_000));
    const { poll } = (await api.ok(
      'POST /workspace/imports',
      { body: { format: 'ndjson', parts } },
      who,
    )) as { poll: string };
    const late = await put(1, 'another file');
    expect([late.status, late.body.issues[0].path]).toEqual([400, 'params.part']);
    await runAcceptedJobs(api);
    const { refusal } = await api.ok(
      'GET /workspace/imports/{importId}',
      { params: { importId: Number(poll.split('/').at(-1)) } },
      who,
    );
    expect(refusal!.issues).toEqual([
      expect.objectContaining({ message: 'characters in a line', limit: 1_000_000 }),
    ]);
    expect((await put(1, 'another file')).status).toBe(200);
  });
});

describe('limits of an imported file', () => {
  test('ids of another workspace resolve to nothing', async () => {
    const victim = await api.signUp();
    const { id: theirs } = await insertApp(api, victim, { storeAppId: '90001' });
    const { added } = await api.ok(
      'POST /apps/{id}/keywords',
      { params: { id: theirs }, body: { phrases: ['theirs'], countries: ['us'] } },
      victim,
    );
    const keywordId = added[0]!.id;
    const before = await api.db.pool.query(
      'select apps::text as row from apps where id = $1 union all select keywords::text from ' +
        'keywords where id = $2',
      [theirs, keywordId],
    );
    const rows = sampleRows(700_000).map(([table, row]): TableRow => {
      if (table === 'alert_rules')
        return [table, { ...row, rules: [{ event: 'rank.dropped', scope: { appIds: [theirs] } }] }];
      if (table === 'annotations') return [table, { ...row, keyword_ids: [keywordId] }];
      if (table === 'actions') {
        const evidence = {
          keywordId,
          keywordIds: [keywordId],
          appId: theirs,
          nested: [{ keywordId }],
          exampleReviewIds: [1],
        };
        return [
          table,
          {
            ...row,
            keyword_ids: [keywordId],
            evidence,
            key: `rank-drop:${theirs}:${keywordId}`,
            reason: `GET /apps/${theirs}/x`,
          },
        ];
      }
      if (table !== 'events') return [table, row];
      const body = JSON.parse(row['body'] as string) as {
        data: object;
        app: unknown;
        links: object;
      };
      body.data = { ...body.data, keywordId };
      body.app = { id: theirs, store: 'ios', storeAppId: '1', name: 'x' };
      body.links = {
        keyword: `/keywords/${keywordId}`,
        bad: 'javascript:alert(1)',
        off: 'https://evil.example/keywords/1',
        up: '/apps/../admin',
      };
      return [table, { ...row, app_id: theirs, body: JSON.stringify(body) }];
    });
    const who = await api.signUp();
    expect((await send(who, makeFile(rows))).status).toBe(200);
    for (const { name } of tenantTables.filter(({ is }) => is === 'restored')) {
      const { rows: own } = await api.db.pool.query(
        `select t::text as row from "${name}" t where workspace_id = $1`,
        [who.workspaceId],
      );
      const named = own
        .map(({ row }) => (row as string).replaceAll(/gone-\d+/g, ''))
        .filter((row) => [theirs, keywordId].some((id) => row.includes(String(id))));
      expect([name, named]).toEqual([name, []]);
    }
    const { items } = await api.ok('GET /events', null, who);
    expect(items[0]).toMatchObject({
      app: { id: goneId },
      workspaceId: who.workspaceId,
      links: { keyword: `/keywords/${goneId}` },
    });
    expect(Object.keys(items[0]!.links)).toEqual(['app', 'keyword']);
    const after = await api.db.pool.query(
      'select apps::text as row from apps where id = $1 union all select keywords::text from ' +
        'keywords where id = $2',
      [theirs, keywordId],
    );
    expect(after.rows).toEqual(before.rows);
  });

  test('dates of tracking, purges and digests are corrected, and quotas hold', async () => {
    const who = await api.signUp();
    const future = {
      archived_at: '2999-01-01T00:00:00+00:00',
      purge_at: '2999-01-01T00:00:00+00:00',
    };
    const rows = sampleRows().map(([table, row]): TableRow => {
      if (table === 'apps')
        return [
          table,
          {
            ...row,
            ...future,
            tracked_since: '2001-01-01T00:00:00+00:00',
            created_at: '2001-01-01T00:00:00+00:00',
            archived_spans: [['2001-01-01T00:00:00Z', '2026-11-20T00:00:00Z']],
          },
        ];
      return [
        table,
        table === 'sent_digests'
          ? { week: '2999-01-07' }
          : {
              ...row,
              tracking_periods: [['2001-01-01', 200]],
              created_at: '2026-01-01T00:00:00+00:00',
              ...(table === 'competitors' && {
                archived_at: '2999-01-01T00:00:00+00:00',
                archived_spans: [['2001-01-01T00:00:00Z', '2026-11-20T00:00:00Z']],
              }),
            },
      ];
    });
    const report = await send(who, makeFile(rows));
    expect(
      report.body.tables.find(({ table }: { table: string }) => table === 'sent_digests'),
    ).toMatchObject({ imported: 0 });
    const { rows: apps } = await api.db.pool.query(
      `select created_at, archived_at, purge_at, archived_spans from apps where workspace_id = $1
       union all select followed_at, archived_at, null, archived_spans from competitors
       where workspace_id = $1`,
      [who.workspaceId],
    );
    const archivedNow = {
      created_at: api.clock.now(),
      archived_at: api.clock.now(),
      archived_spans: [],
    };
    expect(apps).toEqual([
      {
        ...archivedNow,
        purge_at: new Date('2026-12-21T12:00:00Z'),
      },
      { ...archivedNow, purge_at: null },
    ]);
    const { rows: keywords } = await api.db.pool.query(
      'select created_at, tracking_periods from keywords where workspace_id = $1',
      [who.workspaceId],
    );
    expect(keywords).toEqual([
      { created_at: api.clock.now(), tracking_periods: [['2026-11-21', 0]] },
    ]);
  });

  test('a file beyond the plan’s quota is refused before anything is written', async () => {
    const metered = await startApi({
      db: api.db,
      settings: { billingEnabled: true },
      deps: { authSecret: api.authSecret },
    });
    const who = await metered.signUp();
    const [, app] = sampleRows().find(([table]) => table === 'apps')!;
    const apps = Array.from({ length: 11 }, (_, index): TableRow => [
      'apps',
      { ...app, id: index + 1, listing: { store: 'ios', storeAppId: `88${index}` } },
    ]);
    const before = await describeTables(metered, ['request_days', 'on_demand_hours']);
    const response = await send(who, makeFile(apps), metered);
    expect([response.status, response.body.code, response.body.quota]).toMatchObject([
      403,
      'quota_apps',
      { limit: 10, used: 0, requested: 11 },
    ]);
    const [, keyword] = sampleRows().find(([table]) => table === 'keywords')!;
    const keywords = Array.from({ length: 1_001 }, (_, index): TableRow => [
      'keywords',
      { ...keyword, id: index + 1, app_id: 1, phrase: `p ${index}`, note: null },
    ]);
    await expect(importText(who.ctx, makeFile([apps[0]!, ...keywords]))).rejects.toMatchObject({
      code: 'quota_keyword_markets',
      detail: { quota: { limit: 1_000, requested: 1_001 } },
    });
    expect(await describeTables(metered, ['request_days', 'on_demand_hours'])).toEqual(before);
    await metered.close();
  });
});

describe('a repeated import', () => {
  test('is written once and returns the same report when sent twice at once', async () => {
    const who = await api.signUp();
    const responses = await Promise.all(
      Array.from({ length: 4 }, () => send(who, makeFile(sampleRows()))),
    );
    expect(responses.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
    for (const { body } of responses) expect(body).toEqual(responses[0]!.body);
    const { rows } = await api.db.pool.query(
      'select count(*)::int as count from apps where workspace_id = $1',
      [who.workspaceId],
    );
    expect(rows[0].count).toBe(1);
    const { rows: audit } = await api.db.pool.query(
      "select from audit where workspace_id = $1 and action = 'import.done'",
      [who.workspaceId],
    );
    expect(audit).toHaveLength(1);
  });

  test('of another file into a workspace with data is refused, with what is there', async () => {
    const who = await api.signUp();
    await send(who, makeFile(sampleRows()));
    const response = await send(who, makeFile(withMember('apps', 'note', 'another')));
    expect([response.status, response.body.issues[0]]).toMatchObject([
      400,
      { path: 'workspace', message: expect.stringContaining('apps') },
    ]);
  });

  test('continues the event numbers of a workspace that already had events', async () => {
    const who = await api.signUp();
    const { emitEvents } = await import('#domain/alerting/events/emit-events.ts');
    const { inSystem } = await import('#domain/base/context.ts');
    const fact = { workspaceId: who.workspaceId, appId: null, occurredAt: api.clock.now() };
    const week = eventSamples['digest.weekly'];
    await inSystem(api.services, (tx) =>
      emitEvents(tx, api.services, [
        { ...fact, type: 'digest.weekly', key: 'digest.weekly:2026-11-16', data: week },
      ]),
    );
    const [, sample] = sampleRows().find(([table]) => table === 'events')!;
    const body = {
      ...(JSON.parse(sample['body'] as string) as object),
      type: 'digest.weekly',
      data: week,
      id: 'evt_digest_00000',
    };
    const digest: TableRow = [
      'events',
      { type: 'digest.weekly', app_id: null, body: JSON.stringify(body) },
    ];
    const response = await send(
      who,
      makeFile([...sampleRows().filter(([table]) => !factTables.includes(table)), digest]),
    );
    expect(
      response.body.tables.find(({ table }: { table: string }) => table === 'events'),
    ).toMatchObject({
      rows: 2,
      imported: 1,
      reason: expect.any(String),
    });
    const { items } = await api.ok('GET /events', null, who);
    expect(items.map(({ sequence, type }) => [sequence, type])).toEqual([
      [1, 'digest.weekly'],
      [2, 'rank.dropped'],
    ]);
  });
});
