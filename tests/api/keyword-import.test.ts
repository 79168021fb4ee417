import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startApi, type Account, type Credential, type TestApi } from '../harness/api.ts';
import { describeTables, insertApp } from './keywords.fixtures.ts';

let api: TestApi;
beforeAll(async () => {
  api = await startApi();
});
afterAll(() => api.close());

const seen = ['sessions', 'tokens'];
const send = (who: Credential, id: number, body: object) =>
  api.call('POST /apps/{id}/keywords/import', { params: { id }, body: body as never }, who);
const csv = (me: Account, id: number, text: string, more: object = {}) =>
  send(me, id, { format: 'csv', text, ...more });
const list = async (me: Account, id: number) =>
  (
    await api.ok('GET /apps/{id}/keywords', { params: { id }, query: { limit: 500 } }, me)
  ).items.map((item) => ({
    phrase: item.phrase,
    country: item.country,
    depth: item.depth,
    tags: item.tags,
  }));

describe('importing keywords', () => {
  it('maps the columns of another tool and reports every row', async () => {
    const me = await api.signUp();
    const app = await insertApp(api, me);
    await api.ok(
      'POST /apps/{id}/keywords',
      { params: { id: app.id }, body: { phrases: ['known'], countries: ['us'] } },
      me,
    );
    const text =
      '\u{feff}Keyword;Store;Deep;Labels;Popularity\r\n"Photo; ' +
      'Editor";us;50;brand|core;61\r\nKNOWN;us;;;5\r\n"photo;  ' +
      'EDITOR";us;;;\r\nsleep;;30;;\r\n';
    const mapping = { phrase: 'Keyword', country: 'Store', depth: 'Deep', tags: 'Labels' };
    const response = await csv(me, app.id, text, {
      delimiter: ';',
      mapping,
      country: 'de',
      depth: 100,
      tags: ['imported'],
    });
    expect(response.status).toBe(200);
    expect(
      response.body.rows.map((row: { outcome: string; phrase: string; country: string }) => [
        row.phrase,
        row.country,
        row.outcome,
      ]),
    ).toEqual([
      ['photo; editor', 'us', 'added'],
      ['known', 'us', 'existing'],
      ['photo; editor', 'us', 'duplicate'],
      ['sleep', 'de', 'added'],
    ]);
    const { rows, added, existing, duplicates, ignoredColumns, job, budgetDelta } = response.body;
    expect([added, existing, duplicates, ignoredColumns]).toEqual([2, 1, 1, ['Popularity']]);
    expect(rows[0].keywordId).toBe(rows[2].keywordId);
    expect(rows.map((row: { row: number }) => row.row)).toEqual([1, 2, 3, 4]);
    expect(job).toMatchObject({ kind: 'first-check', state: 'queued' });
    expect(budgetDelta).toMatchObject({ searchesPerDay: 2 });
    expect(await list(me, app.id)).toEqual([
      { phrase: 'known', country: 'us', depth: 200, tags: [] },
      { phrase: 'photo; editor', country: 'us', depth: 50, tags: ['brand', 'core', 'imported'] },
      { phrase: 'sleep', country: 'de', depth: 30, tags: ['imported'] },
    ]);
  });

  it('reads the device of a row, in other tools’ words; else that of the request', async () => {
    const me = await api.signUp();
    const app = await insertApp(api, me);
    const text = 'phrase,country,device\na,us,iPad\na,us,\na,us,Mac \na,us,ipad';
    const imported = await csv(me, app.id, text);
    type Row = { device: string; outcome: string };
    const outcomes = (rows: Row[]) => rows.map(({ device, outcome }) => `${device} ${outcome}`);
    expect(outcomes(imported.body.rows)).toEqual([
      'ipad added',
      'iphone added',
      'mac added',
      'ipad duplicate',
    ]);
    expect(imported.body.budgetDelta).toMatchObject({ searchesPerDay: 3 });
    const again = await csv(me, app.id, 'phrase,country\na,us', { device: 'mac' });
    expect(outcomes(again.body.rows)).toEqual(['mac existing']);
    const mapping = { device: 'Gerät' };
    const mapped = await csv(me, app.id, 'phrase,country,Gerät\nb,us,IPAD', { mapping });
    expect(outcomes(mapped.body.rows)).toEqual(['ipad added']);
    const before = await describeTables(api, seen);
    for (const bad of [
      { text: 'phrase,country,device\na,us,ipad\na,us,phone' },
      { text: 'phrase,country\na,us\na,us', device: 'watch' },
    ]) {
      const refused = await csv(me, app.id, bad.text, bad);
      expect([refused.status, refused.body.code]).toEqual([400, 'invalid_request']);
      expect(refused.body.issues.at(-1)).toMatchObject({
        path: 'rows.2.device',
        message: 'one of iphone, ipad, mac',
      });
    }
    expect(await describeTables(api, seen)).toEqual(before);
  });

  it('reads a table with unnamed columns, and with the first line of Excel', async () => {
    const me = await api.signUp();
    const app = await insertApp(api, me);
    const unnamed = await csv(me, app.id, 'phrase,country,,\na,us,,\nb,us,x,\n');
    expect([unnamed.status, unnamed.body.added, unnamed.body.ignoredColumns]).toEqual([200, 2, []]);
    const excel = await csv(me, app.id, 'sep=;\r\nphrase;country\r\nc;us\r\n', {
      delimiter: ';',
    });
    expect([excel.status, excel.body.added]).toEqual([200, 1]);
  });

  it('restores what an export writes, also what looks like a formula', async () => {
    const me = await api.signUp();
    const app = await insertApp(api, me);
    const phrases = ["'+x", '+1 game', '@home'];
    const known = phrases.map((phrase) => ({ phrase, country: 'us', tags: [phrase, 'b'] }));
    await api.ok(
      'POST /apps/{id}/keywords',
      { params: { id: app.id }, body: { keywords: known } },
      me,
    );
    const exported = await fetch(`${api.url}/apps/${app.id}/exports/keywords?format=csv`, {
      headers: me.headers,
    });
    const text = await exported.text();
    expect(text).toContain("'+1 game");
    const other = await insertApp(api, me);
    expect((await csv(me, other.id, text)).status).toBe(200);
    expect(await list(me, other.id)).toEqual(await list(me, app.id));
    const json = JSON.stringify([{ phrase: "'+y", country: 'us' }]);
    const { body } = await send(me, other.id, { format: 'json', text: json });
    expect(body.rows[0].phrase).toBe("'+y");
  });

  it('accepts a JSON list, and columns by their own names', async () => {
    const me = await api.signUp();
    const app = await insertApp(api, me);
    const text = JSON.stringify([
      { phrase: 'alpha', country: 'us', depth: 20, tags: ['x'], position: 3 },
      { phrase: 'bravo', country: 'us' },
    ]);
    const { rows, ignoredColumns } = await api.ok(
      'POST /apps/{id}/keywords/import',
      { params: { id: app.id }, body: { format: 'json', text } },
      me,
    );
    expect(rows.map((row) => row.outcome)).toEqual(['added', 'added']);
    expect(ignoredColumns).toEqual(['position']);
    expect(await list(me, app.id)).toEqual([
      { phrase: 'alpha', country: 'us', depth: 20, tags: ['x'] },
      { phrase: 'bravo', country: 'us', depth: 200, tags: [] },
    ]);
  });

  it('accepts exactly 5,000 rows, and is idempotent with a key', async () => {
    const me = await api.signUp();
    const app = await insertApp(api, me);
    const rows = (count: number) =>
      `phrase\n${Array.from({ length: count }, (_, index) => `row ${index}`).join('\n')}`;
    const over = await csv(me, app.id, rows(5_001), { country: 'us' });
    expect([over.status, over.body.issues]).toEqual([
      400,
      [
        {
          path: 'text',
          code: 'too_large',
          message: 'rows in an import',
          limit: 5_000,
          actual: 5_001,
        },
      ],
    ]);
    const body = JSON.stringify({ format: 'csv', text: rows(5_000), country: 'us' });
    const headers = { 'content-type': 'application/json', 'idempotency-key': 'import-1' };
    const [first, again] = [
      await api.raw(`/apps/${app.id}/keywords/import`, { method: 'POST', body, headers }, me),
      await api.raw(`/apps/${app.id}/keywords/import`, { method: 'POST', body, headers }, me),
    ];
    expect([first.status, first.body.added, again.text === first.text]).toEqual([200, 5_000, true]);
    const { rows: counted } = await api.db.pool.query(
      'select (select count(*)::int from keywords where app_id = $1) as keywords, (select ' +
        'total from jobs where app_id = $1) as job',
      [app.id],
    );
    expect(counted[0]).toEqual({ keywords: 5_000, job: 5_000 });
  });

  it.each([
    [
      'a phrase of 101 characters',
      `phrase,country\nfine,us\n${'x'.repeat(101)},us`,
      'phrase_too_long',
      'rows.2.phrase',
    ],
    [
      'a phrase of 6 words',
      'phrase,country\nfine,us\na b c d e f,us',
      'too_many_words',
      'rows.2.phrase',
    ],
    ['an unreadable character', 'phrase,country\ncaf\ufffd,us', 'invalid_request', 'rows.1.phrase'],
    ['an uppercase country', 'phrase,country\nfine,us\nb,US', 'invalid_country', 'rows.2.country'],
    ['no country', 'phrase\nfine', 'invalid_request', 'rows.1.country'],
    ['an empty phrase', 'phrase,country\n ,us', 'invalid_request', 'rows.1.phrase'],
    ['a missing phrase', 'phrase,country\n,us', 'invalid_request', 'rows.1.phrase'],
    ['a depth of 201', 'phrase,country,depth\na,us,201', 'invalid_request', 'rows.1.depth'],
    ['a depth of 0', 'phrase,country,depth\na,us,0', 'invalid_request', 'rows.1.depth'],
    [
      'a depth that is not a number',
      'phrase,country,depth\na,us,1e2',
      'invalid_request',
      'rows.1.depth',
    ],
    [
      'a tag of 41 characters',
      `phrase,country,tags\na,us,${'t'.repeat(41)}`,
      'invalid_request',
      'rows.1.tags',
    ],
    [
      '21 tags',
      `phrase,country,tags\na,us,${Array.from({ length: 21 }, (_, index) => index).join(';')}`,
      'invalid_request',
      'rows.1.tags',
    ],
    ['an extra field', 'phrase,country\na,us\nb,us,more', 'invalid_request', 'rows.2'],
    ['a broken quote', 'phrase,country\n"a,us', 'invalid_request', 'rows.1'],
    ['no rows', 'phrase,country\n', 'invalid_request', 'text'],
    ['no phrase column', 'word,country\na,us', 'invalid_request', 'mapping.phrase'],
    ['a duplicate column', 'phrase,phrase\na,b', 'invalid_request', 'text'],
  ])('refuses %s with 400, naming the row, and writes nothing', async (_name, text, code, path) => {
    const me = await api.signUp();
    const app = await insertApp(api, me);
    const before = await describeTables(api, seen);
    const response = await csv(me, app.id, text);
    expect([response.status, response.body.code, response.body.issues[0].path]).toEqual([
      400,
      code,
      path,
    ]);
    expect(await describeTables(api, seen)).toEqual(before);
  });

  it('refuses hostile JSON, shapes and mappings', async () => {
    const me = await api.signUp();
    const app = await insertApp(api, me);
    const before = await describeTables(api, seen);
    const json = (value: unknown, more: object = {}) => ({
      format: 'json',
      text: typeof value === 'string' ? value : JSON.stringify(value),
      ...more,
    });
    const bodies: object[] = [
      json('{'),
      json('[1]'),
      json('[[]]'),
      json('{"phrase":"a"}'),
      json('[]'),
      json([{ phrase: 5, country: 'us' }]),
      json([{ phrase: 'a\0b', country: 'us' }]),
      json('[{"phrase":"\\ud800","country":"us"}]'),
      json([{ phrase: 'a', country: ['us'] }]),
      json([{ phrase: 'a', country: 'us', tags: [5] }]),
      json([{ phrase: 'a', country: 'us', tags: ['a\0'] }]),
      json([{ phrase: 'a', country: 'us', depth: 1.5 }]),
      json([{ phrase: 'a', country: 'us', depth: '-3' }]),
      json([{ phrase: 'a', country: 'us' }], { mapping: { phrase: 'missing' } }),
      json([{ phrase: 'a', country: 'us' }], { mapping: { phrase: 'phrase', tags: 'phrase' } }),
      json([{ phrase: 'a', country: 'us' }], { mapping: { position: 'x' } }),
      json([{ phrase: 'a', country: 'us' }], { historyFormat: 'other' }),
      json('[{"__proto__":{"phrase":"a"},"country":"us"}]'),
      { format: 'xml', text: '<a/>' },
      { format: 'csv', text: '' },
      { format: 'csv', text: 'phrase,country\na,us', delimiter: '"' },
      { text: 'phrase' },
    ];
    for (const body of bodies) {
      const response = await send(me, app.id, body);
      expect([response.status, JSON.stringify(body)]).toEqual([400, JSON.stringify(body)]);
    }
    expect(await describeTables(api, seen)).toEqual(before);
  });

  it('reports at most 100 errors', async () => {
    const me = await api.signUp();
    const app = await insertApp(api, me);
    const response = await csv(me, app.id, `phrase,country\n${'a,US\n'.repeat(500)}`);
    expect([response.status, response.body.code, response.body.issues.length]).toEqual([
      400,
      'invalid_country',
      100,
    ]);
  });

  it('is refused for others, archived apps, read-only tokens and a full queue', async () => {
    const [me, you] = [await api.signUp(), await api.signUp()];
    const app = await insertApp(api, me);
    const text = 'phrase,country\nalpha,us';
    expect((await csv(you, app.id, text)).body.code).toBe('not_found');
    const reader = await api.token(me, { readOnly: true });
    expect((await send(reader, app.id, { format: 'csv', text })).body.code).toBe('read_only_token');
    const full = await startApi({
      db: api.db,
      services: { queueCapacity: { usedBytes: () => Promise.resolve(1), capBytes: 1 } },
      deps: { authSecret: api.authSecret },
    });
    const before = await describeTables(api, seen);
    expect(
      (
        await full.call(
          'POST /apps/{id}/keywords/import',
          { params: { id: app.id }, body: { format: 'csv', text } },
          me,
        )
      ).body.code,
    ).toBe('queue_full');
    await full.close();
    expect(await describeTables(api, seen)).toEqual(before);
    await api.ok('DELETE /apps/{id}', { params: { id: app.id } }, me);
    expect((await csv(me, app.id, text)).body.code).toBe('invalid_request');
  });
});
