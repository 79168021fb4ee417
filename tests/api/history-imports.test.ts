import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { openDatabase } from '#db/database.ts';
import { insertHistoryChunk } from '#db/queries/history-imports/parts-and-chunks.ts';
import { packRows, type StoredRow } from '#domain/transfer/history/chunks.ts';
import { runHistoryImport } from '#domain/transfer/history/run-import.ts';
import { startApi, type Account, type TestApi } from '../harness/api.ts';
import { seedHistory } from '../harness/history.ts';
import { runHistoryJob } from '../harness/run-history-import.ts';
import {
  checkHistory,
  countReadRanks,
  runHistory,
  uploadHistory,
} from './history-imports.fixtures.ts';
import { insertApp } from './keywords.fixtures.ts';

let api: TestApi;
let ann: Account;
let appId: number;
let storeAppId: string;
let names: { id: number; phrase: string; country: string }[];

beforeAll(async () => {
  api = await startApi();
  ann = await api.signUp();
  const history = await seedHistory(api.db.pool, {
    workspaceId: ann.workspaceId,
    apps: 1,
    markets: 4,
    days: 5,
    lastDay: '2026-11-21',
  });
  appId = history.appIds[0]!;
  const { rows } = await api.db.pool.query(
    'select l.store_app_id from apps a join listings l on l.id = a.listing_id where a.id = $1',
    [appId],
  );
  storeAppId = rows[0].store_app_id as string;
  names = (await api.db.pool.query('select id, phrase, country from keywords order by id'))
    .rows as typeof names;
});
afterAll(() => api.close());

const lines = (...rows: string[]) => `${rows.join('\r\n')}\r\n`;
const check = (file: string | Buffer, change: object = {}) =>
  checkHistory(api, ann, { appId, file }, change);
type Row = Awaited<ReturnType<typeof check>>['rows'][number];
const results = (rows: readonly Row[]) =>
  rows.map(({ outcome, reason, date, position, depth }) =>
    outcome === 'refused' ? reason : [outcome, date, position, depth],
  );

async function daysOf(index: number) {
  const { rows } = await api.db.pool.query(
    `select on_date as day, position, depth from imported_daily_ranks where keyword_id = $1
     order by on_date`,
    [names[index]!.id],
  );
  return rows.map(({ day, position, depth }) => [String(day).slice(0, 10), position, depth]);
}

describe('files of other tools', () => {
  test('OpenASO’s history: 1000, failed checks, and days in UTC', async () => {
    const { phrase, country } = names[0]!;
    const row = (at: string, rank: string, error = '', app = storeAppId) =>
      `My App,${app},iphone,${phrase},${country},USA,${at},${rank},0,2,5,6,180,web,${error}`;
    const file = lines(
      'App Name,App Id,Platform,Keyword,Store Domain,Store,Observed At,Ranking,Change,' +
        'Period Change,Popularity,Difficulty,Apps in Ranking,Source,Error',
      row('2026-03-01 23:30:00 -0500', '7'),
      row('2026-03-03 04:00:00 +0000', '1000'),
      row('2026-03-04 04:00:00 +0000', '1000', 'timed out'),
      row('2026-03-05 04:00:00 +0000', '4', '', '999'),
      row('2026-03-06 04:00:00 +0000', ''),
    ).replaceAll('\r', '');
    const unknown = await check(file);
    expect(unknown.preview).toMatchObject({ preset: 'openaso-history', missing: [] });
    expect(results(unknown.rows)).toEqual([
      ['written', '2026-03-02', 7, 7],
      'depth_unknown',
      'failed_check',
      'other_app',
      'no_position',
    ]);
    // The person says how deep the tool looked.
    const known = await check(file, { depth: 150 });
    expect(results(known.rows).slice(0, 2)).toEqual([
      ['written', '2026-03-02', 7, 150],
      ['written', '2026-03-03', null, 150],
    ]);
    expect(known.detail).toMatchObject({
      phase: 'checked',
      counts: { written: 2, known: 0, refused: 3 },
    });
    const before = await daysOf(0);
    const done = await runHistory(api, ann, known.importId);
    expect(done).toMatchObject({ phase: 'imported', counts: { written: 2, refused: 3 } });
    expect((await daysOf(0)).length).toBe(before.length + 2);
    const again = await check(file, { depth: 150 });
    expect(again.detail.counts).toEqual({ written: 0, known: 2, refused: 3 });
    await runHistory(api, ann, again.importId);
    expect((await daysOf(0)).length).toBe(before.length + 2);
  });

  test('RespectASO: an empty rank needs an app and a depth', async () => {
    const { phrase, country } = names[1]!;
    const row = (app: string, rank: string, day: string) =>
      `${phrase},${app},,${country.toUpperCase()},5,5,,internal,no,,9,Easy,3,,,,,,x,${rank},10,` +
      `${day} 10:15`;
    const file = lines(
      'Keyword,App,Labels,Country,Popularity,Popularity (RespectASO),Popularity (Apple Ads),' +
        'Popularity Source,Popularity Fallback,Apple Popularity Trend,Difficulty,' +
        'Difficulty Label,Opportunity,Scored For,App Ratings Used,Expected Rank,' +
        'Downloads/Day at Expected Rank,Downloads/Day at #1,Insight,Rank,Competitors,Date',
      row('My App', '12', '2026-03-01'),
      row('My App', '', '2026-03-02'),
      row('', '', '2026-03-03'),
      '',
      'Privacy-first mobile analytics: https://respectlytics.com',
    );
    const { preview, rows } = await check(file, { depth: 200 });
    expect(preview.preset).toBe('respectaso');
    expect(results(rows)).toEqual([
      ['written', '2026-03-01', 12, 200],
      ['written', '2026-03-02', null, 200],
      'broken_row',
      'broken_row',
    ]);
  });

  test('AsoBeast’s rankings: a column for each keyword, and gaps', async () => {
    const head = names
      .slice(0, 2)
      .map(({ phrase, country }) => `${phrase} (${country.toUpperCase()})`);
    const file = `\ufeff${lines(`date,${head.join(',')}`, '2026-04-01,5,>200', '2026-04-02,,17')}`;
    const { preview, rows } = await check(file);
    expect(preview.preset).toBe('asobeast-rankings');
    expect(results(rows)).toEqual([
      ['written', '2026-04-01', 5, 5],
      ['written', '2026-04-01', null, 200],
      ['written', '2026-04-02', 17, 17],
    ]);
    expect(rows[0]).toMatchObject({ line: 2, column: head[0], phrase: names[0]!.phrase });
  });

  test('AsoBeast’s account: apps and keywords by their ids, null with its depth', async () => {
    const { phrase, country } = names[2]!;
    const json = (table: string, row: object) => JSON.stringify({ table, row });
    const ranking = { workspaceId: 'w', createdAt: 'x', keywordId: 'k1', appId: 'a1' };
    const file = [
      JSON.stringify({ manifest: { workspaceId: 'w', format: 'ndjson', tables: [] } }),
      json('app', { id: 'a1', store: 'APP_STORE', storeAppId }),
      json('app', { id: 'a2', store: 'APP_STORE', storeAppId: '42' }),
      json('trackedKeyword', { keyword: { id: 'k1', text: phrase, store: 'APP_STORE', country } }),
      json('keywordRanking', {
        ...ranking,
        date: '2026-05-01T00:00:00.000Z',
        position: 3,
        depth: 200,
      }),
      json('keywordRanking', {
        ...ranking,
        date: '2026-05-02T00:00:00.000Z',
        position: null,
        depth: 200,
      }),
      json('keywordRanking', {
        ...ranking,
        date: '2026-05-03T00:00:00.000Z',
        position: 0,
        depth: 200,
      }),
      json('keywordRanking', { ...ranking, keywordId: 'gone', date: '2026-05-04', position: 1 }),
      json('keywordRanking', { ...ranking, appId: 'a2', date: '2026-05-05', position: 1 }),
      '{"table":"keywordRanking","row":',
    ].join('\n');
    const { preview, rows } = await check(file);
    expect(preview.preset).toBe('asobeast-account');
    expect(results(rows)).toEqual([
      ['written', '2026-05-01', 3, 200],
      ['written', '2026-05-02', null, 200],
      'bad_position',
      'no_phrase',
      'other_app',
      'broken_row',
    ]);
  });

  test('SerpBear: “-” is not found, and a comma in a phrase shifts no position', async () => {
    const { phrase, country } = names[3]!;
    const countryName = new Intl.DisplayNames('en', { type: 'region' }).of(country.toUpperCase());
    const row = (words: string, rank: string, url: string) =>
      `1, ${words}, ${rank}, ${url}, ${countryName}, -, -, mobile, 2026-06-01T08:00:00.000Z, x, a`;
    const file = lines(
      'ID,Keyword,Position,URL,Country,State,City,Device,Updated,Added,Tags',
      row(phrase, '9', 'https://example.org/'),
      row(phrase.replace(' ', ', '), '3', '-'),
      row(phrase, '-', '-').replace('06-01', '06-02'),
    );
    const { preview, rows } = await check(file, { depth: 100 });
    expect(preview.preset).toBe('serpbear');
    expect(results(rows).filter((result) => Array.isArray(result))).toEqual([
      ['written', '2026-06-01', 9, 100],
      ['written', '2026-06-02', null, 100],
    ]);
    expect(results(rows)[1]).toBe('broken_row');
  });

  test('keywords of Astro and AsoBeast: day and country are stated', async () => {
    const { phrase, country } = names[0]!;
    const astro = lines('Keyword,Popularity,Difficulty,Position', `${phrase},5,6,1000`);
    const { importId } = await uploadHistory(api, ann, { appId, file: astro });
    const preview = await api.ok(
      'POST /history-imports/{importId}/preview',
      { params: { importId }, body: {} },
      ann,
    );
    expect(preview).toMatchObject({ preset: 'astro', missing: ['date', 'country'] });
    const stated = { country, date: '2026-07-01', depth: 100 };
    expect(results((await check(astro, stated)).rows)).toEqual([
      ['written', '2026-07-01', null, 100],
    ]);
    const beast = lines(
      'keyword,source,active,bucket,relevance,position,delta1d,delta7d,volatility',
      `${phrase},A,true,x,1,>200,"'-3",0,0`,
    );
    const other = await check(beast, { ...stated, date: '2026-07-02' });
    expect(other.preview.preset).toBe('asobeast-keywords');
    expect(results(other.rows)).toEqual([['written', '2026-07-02', null, 200]]);
  });

  test('presets are listed, each with its word for “not found”', async () => {
    const { items } = await api.ok('GET /history-imports/presets', null, ann);
    expect(items.map(({ id, notFound, depth }) => [id, notFound.join(), depth])).toEqual([
      ['openaso-history', '1000', 'unknown'],
      ['openaso-keywords', '1000', 'unknown'],
      ['respectaso', '', 'unknown'],
      ['asobeast-rankings', '', 'in_file'],
      ['asobeast-keywords', '', 'in_file'],
      ['asobeast-account', 'null', 'in_file'],
      ['serpbear', '-', 'unknown'],
      ['astro', '1000', 'unknown'],
      ['converted', 'not found', 'unknown'],
    ]);
  });
});

describe('files whose columns a person maps', () => {
  const columns = { phrase: 'Wort', position: 'Rang', date: 'Tag' };

  test('an ambiguous order of day and month is not guessed', async () => {
    const { phrase, country } = names[0]!;
    const file = lines('Keyword;Rank;Date', `${phrase};4;03/04/2025`, `${phrase};5;05/04/2025`);
    const { importId } = await uploadHistory(api, ann, { appId, file });
    const preview = await api.ok(
      'POST /history-imports/{importId}/preview',
      { params: { importId }, body: {} },
      ann,
    );
    expect(preview).toMatchObject({
      dateFormats: ['dmy', 'mdy'],
      missing: ['dateFormat', 'country'],
      reading: { delimiter: ';' },
    });
    const dates = async (dateFormat: string) =>
      (await check(file, { dateFormat, country })).rows.map(({ date }) => date);
    expect(await dates('dmy')).toEqual(['2025-04-03', '2025-04-05']);
    expect(await dates('mdy')).toEqual(['2025-03-04', '2025-05-04']);
  });

  test('a table with a column for each day', async () => {
    const { phrase, country } = names[1]!;
    const file = lines(
      'Keyword\tCountry\tVolume\t2026-08-01\t2026-08-02\t2026-08-03\t2026-08-04',
      `${phrase}\t${country.toUpperCase()}\t40\t3\tN/A\t\t101`,
    );
    const { preview, rows } = await check(file, { notFound: ['n/a', '101'], depth: 100 });
    expect(preview.reading.layout).toBe('day_columns');
    expect(results(rows)).toEqual([
      ['written', '2026-08-01', 3, 100],
      ['written', '2026-08-02', null, 100],
      ['written', '2026-08-04', null, 100],
    ]);
  });

  test('empty cells of a wide table are counted, and not stored as rows', async () => {
    const own = await insertApp(api, ann);
    const params = { id: own.id };
    const added = await api.ok(
      'POST /apps/{id}/keywords',
      { params, body: { phrases: ['kept', 'removed'], countries: ['us'] } },
      ann,
    );
    const file = lines(
      'Keyword,2026-08-01,2026-08-02,2026-08-03',
      'kept,3,,0',
      'removed,,4,',
      ',,,',
      ',5,,',
    );
    const upload = { appId: own.id, file };
    const { importId, detail, preview, rows } = await checkHistory(api, ann, upload, {
      country: 'us',
    });
    expect(preview.rows).toHaveLength(12);
    expect(results(rows)).toEqual([
      ['written', '2026-08-01', 3, 3],
      'bad_position',
      ['written', '2026-08-02', 4, 4],
      'no_phrase',
    ]);
    expect([detail.rowsRead, detail.counts]).toEqual([12, { written: 2, known: 0, refused: 10 }]);
    expect(detail.reasons[0]).toEqual({ reason: 'no_position', rows: 8 });
    const keywordId = added.added.find(({ phrase }) => phrase === 'removed')!.id;
    await api.ok('DELETE /keywords/{keywordId}', { params: { keywordId } }, ann);
    const done = await runHistory(api, ann, importId);
    expect(done.counts).toEqual({ written: 1, known: 0, refused: 11 });
    expect(done.reasons).toContainEqual({ reason: 'not_tracked', rows: 1 });
    expect(done.reasons).toContainEqual({ reason: 'no_position', rows: 8 });
    // Where an empty cell means “not found”, it is a row.
    const stated = await checkHistory(api, ann, upload, { country: 'us', notFound: [''] });
    expect(stated.rows).toHaveLength(12);
  });

  test.each([
    ['utf-8', (text: string) => Buffer.from(`\ufeff${text}`)],
    ['utf-16le', (text: string) => Buffer.from(`\ufeff${text}`, 'utf16le')],
    ['utf-16be', (text: string) => Buffer.from(`\ufeff${text}`, 'utf16le').swap16()],
    ['windows-1252', (text: string) => Buffer.from(text, 'latin1')],
  ] as const)('%s is recognized', async (encoding, encode) => {
    const { phrase, country } = names[2]!;
    const file = encode(lines('Keyword,Rank,Date,Größe', `${phrase},4,2026-08-20,für`));
    const { preview, rows } = await check(file, { country });
    expect(preview.reading.encoding).toBe(encoding);
    expect(preview.columns[3]).toBe('Größe');
    expect(rows[0]).toMatchObject({ outcome: 'written', date: '2026-08-20', position: 4 });
  });

  test('Excel’s first line names the separator and is no header', async () => {
    const { phrase, country } = names[2]!;
    const row = `${phrase};4;2026-08-22`;
    const file = `\ufeff${lines('"sep=;"', 'Keyword;Rank, of all, today;Date', row)}`;
    const mapped = { phrase: 'Keyword', position: 'Rank, of all, today', date: 'Date' };
    const { preview, rows } = await check(file, { country, columns: mapped });
    expect([preview.reading.delimiter, preview.columns]).toEqual([';', Object.values(mapped)]);
    expect(rows[0]).toMatchObject({ line: 3, outcome: 'written', position: 4 });
  });

  test('Shift-JIS is recognized by its kana', async () => {
    // キーワード,順位 in Shift-JIS.
    const head = Buffer.from('834c815b838f815b83682c8f8788ca', 'hex');
    const file = Buffer.concat([
      head,
      Buffer.from(`,Date\r\n${names[2]!.phrase},4,2026-08-21\r\n`),
    ]);
    const { preview, rows } = await check(file, {
      country: names[2]!.country,
      columns: { phrase: 'キーワード', position: '順位', date: 'Date' },
    });
    expect(preview.reading.encoding).toBe('shift_jis');
    expect(rows[0]).toMatchObject({ outcome: 'written', position: 4 });
  });

  test('a value that nobody called “not found” is refused with its reason', async () => {
    const { phrase, country } = names[3]!;
    const values = [
      '0',
      '-',
      'N/A',
      '',
      '101',
      '201',
      '1000',
      '-1',
      '1.5',
      '1e2',
      '+3',
      '７',
      '3rd',
    ];
    const file = lines(
      'Wort;Rang;Tag',
      ...values.map(
        (value, day) => `${phrase};${value};2026-09-${String(day + 1).padStart(2, '0')}`,
      ),
    );
    const { rows } = await check(file, { columns, country, dateFormat: 'ymd', depth: 100 });
    expect(rows.map(({ reason, position }) => reason ?? position)).toEqual([
      'bad_position',
      'bad_position',
      'bad_position',
      'no_position',
      101,
      'beyond_200',
      'beyond_200',
      'bad_position',
      'bad_position',
      'bad_position',
      'bad_position',
      'bad_position',
      'bad_position',
    ]);
    expect(rows[0]).toMatchObject({ value: '0', line: 2 });
  });

  test('what is missing is named, and a day that is repeated counts once', async () => {
    const { phrase, country } = names[0]!;
    const file = lines(
      'Wort,Rang,Tag,Land',
      `${phrase},4,2026-09-20,${country}`,
      `${phrase},5,2026-09-20,${country}`,
      `nobody tracks this,5,2026-09-20,${country}`,
      `${phrase},5,2026-11-21,${country}`,
      `${phrase},5,2026-09-20,Atlantis`,
    );
    const { detail, rows } = await check(file, {
      columns: { ...columns, country: 'Land' },
      dateFormat: 'ymd',
    });
    expect(results(rows)).toEqual([
      ['written', '2026-09-20', 4, 4],
      'repeated_day',
      'not_tracked',
      'day_not_past',
      'unknown_country',
    ]);
    expect(detail.missing).toMatchObject([{ phrase: 'nobody tracks this', rows: 1 }]);
  });

  test('the results are a CSV without formulas, also by outcome', async () => {
    const { phrase, country } = names[0]!;
    const file = lines(
      'Wort,Rang,Tag',
      `"=HYPERLINK(""x"")",4,2026-09-21`,
      `${phrase},4,2026-09-22`,
    );
    const { importId } = await check(file, { columns, country, dateFormat: 'ymd' });
    const all = await api.raw(`/history-imports/${importId}/rows/file`, {}, ann);
    expect(all.text).toContain(`"'=hyperlink(""x"")"`);
    expect(all.text.split('\r\n').length).toBe(4);
    const written = await api.raw(
      `/history-imports/${importId}/rows/file?outcome=written`,
      {},
      ann,
    );
    expect(written.text.split('\r\n').length).toBe(3);
  });

  test('rows are paged by outcome', async () => {
    const { phrase, country } = names[0]!;
    const days = Array.from(
      { length: 20 },
      (_, day) => `2025-01-${String(day + 1).padStart(2, '0')}`,
    );
    const file = lines(
      'Wort,Rang,Tag',
      ...days.map((day, at) => `${phrase},${at % 2 ? 'x' : 3},${day}`),
    );
    const { importId } = await check(file, { columns, country, dateFormat: 'ymd' });
    const seen: (string | null)[] = [];
    let cursor: string | undefined;
    do {
      const page = await api.ok(
        'GET /history-imports/{importId}/rows',
        {
          params: { importId },
          query: { limit: 3, outcome: 'refused', ...(cursor && { cursor }) },
        },
        ann,
      );
      expect(page.total).toBe(10);
      seen.push(...page.items.map(({ date }) => date));
      cursor = page.nextCursor ?? undefined;
    } while (cursor !== undefined);
    expect(seen).toEqual(days.filter((_, at) => at % 2));
  });

  test('a page reads a limited part of the rows, and the next one continues', async () => {
    const { importId } = await uploadHistory(api, ann, { appId, file: 'a,b' });
    const row = (line: number, outcome: 'written' | 'refused') =>
      ({ line, column: null, phrase: 'a', reason: null, outcome }) as StoredRow;
    for (let number = 1; number <= 45; number += 1)
      await insertHistoryChunk(openDatabase(api.db.pool), ann.workspaceId, {
        importId,
        number,
        outcomes: { written: 1, known: 0, refused: 1 },
        data: await packRows([row(2 * number, 'refused'), row(2 * number + 1, 'written')]),
      });
    const pages: number[] = [];
    const seen: number[] = [];
    let cursor: string | undefined;
    do {
      const page = await api.ok(
        'GET /history-imports/{importId}/rows',
        { params: { importId }, query: { limit: 500, outcome: 'written', cursor } },
        ann,
      );
      expect(page.total).toBe(45);
      pages.push(page.items.length);
      seen.push(...page.items.map(({ line }) => line));
      cursor = page.nextCursor ?? undefined;
    } while (cursor !== undefined);
    expect(pages).toEqual([20, 20, 5]);
    expect(seen).toEqual(Array.from({ length: 45 }, (_, at) => 2 * at + 3));
  });
});

describe('hostile files', () => {
  const reading = { columns: { phrase: 'a', position: 'b' }, country: 'us', date: '2026-09-01' };
  const refusalOf = async (file: string | Buffer, change: object = reading) => {
    const { importId, parts } = await uploadHistory(api, ann, { appId, file });
    const params = { importId };
    await api.ok(
      'POST /history-imports/{importId}/checks',
      { params, body: { parts, reading: change } },
      ann,
    );
    const { runAcceptedJobs } = await import('./exports.fixtures.ts');
    await runAcceptedJobs(api);
    return api.ok('GET /history-imports/{importId}', { params }, ann);
  };

  test.each([
    [
      '10,000 columns',
      () => `${Array.from({ length: 10_000 }, (_, n) => `c${n}`).join()}\n`,
      'columns',
    ],
    ['a line of 50 MB', () => `a,b\n${'x'.repeat(50_000_000)}`, 'characters'],
    ['a quote that does not end', () => `a,b\n"${'x,1\n'.repeat(300_000)}`, 'Line'],
    ['text in another encoding', () => Buffer.from('a,b\nf\xfcr,1\n', 'latin1'), 'encoding'],
  ])('%s: refused with the line, and nothing is written', async (_name, make, word) => {
    const { phase, refusal } = await refusalOf(make());
    expect([phase, refusal?.message]).toEqual(['refused', expect.stringContaining(word)]);
  });

  test.each([
    ['a ZIP archive', 'PK\x03\x04 bomb'],
    ['a database', 'SQLite format 3\0'],
    ['gzip', Buffer.from('1f8b0800', 'hex')],
    ['nothing that is text', Buffer.from([1, 2, 3, 0, 255])],
  ])('%s: a preview refuses it or finds no columns', async (_name, file) => {
    const { importId } = await uploadHistory(api, ann, { appId, file });
    const { status, body } = await api.raw(
      `/history-imports/${importId}/preview`,
      { method: 'POST', body: '{}', headers: { 'content-type': 'application/json' } },
      ann,
    );
    expect([status === 400 || body.missing.length > 0, status < 500]).toEqual([true, true]);
  });

  test('NUL bytes and lone surrogates are shown, not stored as they are', async () => {
    const { importId } = await refusalOf('a,b\nx\0y,1\n\ud800z,2\n').then(({ id }) => ({
      importId: id,
    }));
    const { items } = await api.ok(
      'GET /history-imports/{importId}/rows',
      { params: { importId } },
      ann,
    );
    expect(items.map(({ reason }) => reason)).toEqual(['not_tracked', 'not_tracked']);
  });

  test('a run needs a check, and nothing of another workspace is found', async () => {
    const { importId } = await uploadHistory(api, ann, { appId, file: 'a,b\n' });
    const run = (who: Account) =>
      api.raw(`/history-imports/${importId}/runs`, { method: 'POST' }, who);
    expect((await run(ann)).status).toBe(400);
    expect((await run(await api.signUp())).status).toBe(404);
  });
});

/** Accepts the run of a checked import, and returns its job. */
async function acceptRun(importId: number, who: Account, ofApp: number) {
  await api.ok('POST /history-imports/{importId}/runs', { params: { importId } }, who);
  const { rows } = await api.db.pool.query(
    'select job_id::int as id from history_imports where id = $1',
    [importId],
  );
  return { id: rows[0].id as number, workspaceId: who.workspaceId, appId: ofApp, importId };
}

const waitForLocks = (count: number) =>
  vi.waitUntil(async () => {
    const { rows } = await api.db.pool.query(
      'select from pg_stat_activity where datname = current_database() and ' +
        "wait_event_type = 'Lock'",
    );
    return rows.length === count;
  }, 60_000);

const daysColumns = {
  columns: { phrase: 'phrase', country: 'country', date: 'day', position: 'position' },
};

test('two attempts at once of an import count what the first one wrote as written', async () => {
  const { importId } = await check(
    lines(
      'phrase,country,day,position',
      ...names.map(({ phrase, country }) => `${phrase},${country},2025-07-07,7`),
    ),
    daysColumns,
  );
  const work = await acceptRun(importId, ann, appId);
  const blocker = await api.db.pool.connect();
  await blocker.query('begin; lock table imported_daily_ranks in share mode');
  const attempts = [1, 2].map(() => runHistoryJob(api.db.url, work));
  await waitForLocks(attempts.length);
  await blocker.query('rollback');
  blocker.release();
  await Promise.all(attempts);
  await api.db.pool.query("update jobs set state = 'succeeded' where id = $1", [work.id]);
  const detail = await api.ok('GET /history-imports/{importId}', { params: { importId } }, ann);
  expect(detail.counts).toEqual({ written: names.length, known: 0, refused: 0 });
  const { rows: entries } = await api.db.pool.query(
    "select from audit where action = 'import.done' and workspace_id = $1 and detail->>'rows' = $2",
    [ann.workspaceId, String(names.length)],
  );
  expect(entries).toHaveLength(1);
});

test('a run updates newest and best ranks without reading those of earlier imports', async () => {
  const { phrase, country, id } = names[3]!;
  const { importId } = await check(
    lines(
      'phrase,country,day,position',
      ...['2025-01-03,8', '2025-01-02,3', '2025-01-01,3'].map((day) =>
        [phrase, country, day].join(','),
      ),
    ),
    daysColumns,
  );
  await api.db.pool.query(
    `update keywords set latest_on = null, latest_position = null, latest_depth = null,
       latest_at = null, best_on = null, best_position = null where id = $1`,
    [id],
  );
  const job = await acceptRun(importId, ann, appId);
  const { actor, workspaceState } = ann.ctx;
  const payload = { importId, actor, workspaceState };
  const read = await countReadRanks(api, (appDb) =>
    runHistoryImport(
      { ...ann.ctx, appDb },
      { ...job, kind: 'history-import', payload, attempts: 1 },
      AbortSignal.timeout(60_000),
    ),
  );
  await api.db.pool.query("update jobs set state = 'succeeded' where id = $1", [job.id]);
  expect(read).toBe(0);
  const { rows } = await api.db.pool.query(
    `select latest_on::text, latest_position, best_on::text, best_position from keywords
     where id = $1`,
    [id],
  );
  expect(rows).toEqual([
    { latest_on: '2025-01-03', latest_position: 8, best_on: '2025-01-01', best_position: 3 },
  ]);
});

test('an app can be deleted while its history is being written', async () => {
  const bob = await api.signUp();
  const { appIds, keywords } = await seedHistory(api.db.pool, {
    workspaceId: bob.workspaceId,
    apps: 1,
    markets: 2,
    days: 1,
    lastDay: '2026-11-21',
    fill: 'none',
  });
  const { rows: tracked } = await api.db.pool.query(
    'select phrase, country from keywords where id = $1',
    [keywords[0]!.id],
  );
  const { phrase, country } = tracked[0] as { phrase: string; country: string };
  const { importId } = await checkHistory(
    api,
    bob,
    {
      appId: appIds[0]!,
      file: lines('phrase,country,day,position', `${phrase},${country},2025-07-07,7`),
    },
    daysColumns,
  );
  const work = await acceptRun(importId, bob, appIds[0]!);
  // The deletion waits with the first keyword deleted, and the import still there.
  const blocker = await api.db.pool.connect();
  await blocker.query('begin');
  await blocker.query('select from keywords where id = $1 for key share', [keywords[1]!.id]);
  const deletion = api.call(
    'DELETE /apps/{id}',
    { params: { id: appIds[0]! }, query: { purge: true } },
    bob,
  );
  await waitForLocks(1);
  const run = runHistoryJob(api.db.url, work);
  await waitForLocks(2);
  await blocker.query('rollback');
  blocker.release();
  const [{ status }] = await Promise.all([deletion, run]);
  expect(status).toBe(200);
});

describe('the files of a workspace', () => {
  const create = async (who: Account, app: number) =>
    (await api.ok('POST /history-imports', { body: { appId: app, fileName: 'history.csv' } }, who))
      .id;
  const put = (who: Account, importId: number) =>
    api.call(
      'PUT /history-imports/{importId}/parts/{part}',
      { params: { importId, part: 1 }, body: { data: Buffer.from('a,b\n').toString('base64') } },
      who,
    );
  const check = (who: Account, importId: number) =>
    api.call(
      'POST /history-imports/{importId}/checks',
      { params: { importId }, body: { parts: 1, reading: minimalReading } },
      who,
    );
  const minimalReading = { columns: { phrase: 'a', position: 'b' } } as never;
  const listFiles = async (who: Account) =>
    (
      await api.db.pool.query(
        `select distinct import_id::int as id from history_import_parts where workspace_id = $1
         order by 1`,
        [who.workspaceId],
      )
    ).rows.map(({ id }) => id as number);

  async function createEight() {
    const who = await api.signUp();
    const app = await insertApp(api, who);
    const ids: number[] = [];
    for (let count = 0; count < 8; count += 1) ids.push(await create(who, app.id));
    return { who, ids };
  }

  test('are at most five, also of imports that were created before', async () => {
    const { who, ids } = await createEight();
    for (const importId of ids) expect((await put(who, importId)).status).toBe(200);
    expect(await listFiles(who)).toEqual(ids.slice(3));
    const refused = await check(who, ids[0]!);
    expect([refused.status, refused.body.code]).toEqual([400, 'invalid_request']);
    expect(refused.body.issues[0].message).toContain('uploaded before');
  });

  test('are at most five when they are uploaded at the same time', async () => {
    const { who, ids } = await createEight();
    await Promise.all(ids.map((importId) => put(who, importId)));
    expect(await listFiles(who)).toHaveLength(5);
  });

  test('are not replaced while they are read, and five of these refuse another one', async () => {
    const { who, ids } = await createEight();
    for (const importId of ids.slice(0, 5)) {
      await put(who, importId);
      expect((await check(who, importId)).status).toBe(202);
    }
    const refused = await put(who, ids[5]!);
    expect([refused.status, refused.body.code]).toEqual([400, 'invalid_request']);
    expect(await listFiles(who)).toEqual(ids.slice(0, 5));
  });
});

describe('a cursor of the rows', () => {
  const cursorOf = (parts: unknown[]) => Buffer.from(JSON.stringify(parts)).toString('base64url');
  test('works in its own list, and nothing else is a cursor', async () => {
    const file = lines('keyword,country,date,position', ...Array(4).fill('x,us,2026-03-01,1'));
    const { importId } = await check(file);
    const second = await check(file);
    const list = (id: number, query: object) =>
      api.call(
        'GET /history-imports/{importId}/rows',
        { params: { importId: id }, query: query },
        ann,
      );
    const page = await list(importId, { limit: 2 });
    const cursor = page.body.nextCursor;
    expect((await list(importId, { limit: 2, cursor })).body.items).toHaveLength(2);
    const name = `history rows ${importId}`;
    const forged = [
      [name, 1, -1],
      [name, 0, 0],
      [name, -1, 0],
      [name, 1, 5_000],
      [name, 2 ** 31, 0],
      [name, 1.5, 0],
      [name, '1', 0],
      ['history rows', 1, -1],
      ['history rows', 1, 1],
    ].map(cursorOf);
    const responses = await Promise.all([
      ...forged.map((text) => list(importId, { cursor: text })),
      list(second.importId, { cursor }),
    ]);
    for (const { status, body } of responses)
      expect([status, body.code]).toEqual([400, 'invalid_cursor']);
  });
});
