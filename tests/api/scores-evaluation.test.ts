import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startApi, type Account, type TestApi } from '../harness/api.ts';
import { makeLines, writeCsvFile, writeXlsx, type MadeRow } from '../harness/popularity-file.ts';
import { lastMonth } from '../harness/popularity-import.ts';
import { startToprung } from '../harness/process.ts';
import { describeTables } from './keywords.fixtures.ts';
import { follow, insertHintEvidence, insertSerp } from './scores.fixtures.ts';

const today = '2026-11-21';
const phrases = Array.from(
  { length: 12 },
  (_, index) => `labelled phrase ${'abcdefghijkl'[index]}`,
);
const month = lastMonth();
const columns = [
  'month',
  'country',
  'genre',
  'term',
  'rank',
  'popularityInGenre',
  'popularity',
  'level',
] as const satisfies (keyof MadeRow)[];
let nextRank = 1;

const row = (term: string, popularity: number, genre: string, country = 'United States') => ({
  month,
  country,
  genre,
  term,
  rank: nextRank++,
  popularityInGenre: 50,
  popularity,
  level: 3,
});

interface Printed {
  file: unknown;
  stores: {
    genres: { name: string; n: number; unlisted: number }[];
    worst: { phrase: string }[];
  }[];
}

let api: TestApi;
let ann: Account;
let folder: string;

beforeAll(async () => {
  api = await startApi();
  ann = await api.signUp();
  folder = await mkdtemp(join(tmpdir(), 'toprung-labels-'));
  for (const [index, phrase] of phrases.entries()) {
    const { marketId } = await follow(api, ann, phrase);
    // The phrase is in two titles, of which the stronger is first.
    await insertSerp(api, marketId, today, [
      { name: `Alpha: ${phrase}`, ratingCount: 900_000 },
      { name: `Beta: ${phrase}`, ratingCount: 90 + index },
      { name: 'Gamma', ratingCount: 5_000 },
    ]);
    await insertHintEvidence(api, marketId, today, [[phrase.slice(0, 3 + index), 1]]);
  }
});
afterAll(async () => {
  await rm(folder, { recursive: true });
  await api.close();
});

describe('the evaluation without labels', () => {
  it('orders the positions of apps in the results of the workspace, by store', async () => {
    const before = await describeTables(api);
    const { seed, items } = await api.ok('GET /scores/evaluation', null, ann);
    expect(await describeTables(api)).toEqual(before);
    expect(seed).toBe(1);
    const [ios, android] = items;
    expect(ios).toMatchObject({
      store: 'ios',
      formula: 'difficulty.ios@2',
      markets: phrases.length,
      apps: 2 * phrases.length,
    });
    expect(ios!.correlation!.value).toBeGreaterThan(0.8);
    expect(ios!.correlation!.low).toBeLessThanOrEqual(ios!.correlation!.value);
    expect(android).toMatchObject({ store: 'android', markets: 0, apps: 0, correlation: null });
    expect((await api.ok('GET /scores/evaluation', null, ann)).items).toEqual(items);
  });

  it('uses nothing of other workspaces, nor of days before the keyword was tracked', async () => {
    const ben = await api.signUp();
    expect((await api.ok('GET /scores/evaluation', null, ben)).items[0]!.markets).toBe(0);
    const { marketId } = await follow(api, ben, 'tracked since today', { country: 'fr' });
    await insertSerp(api, marketId, '2026-11-01', [
      { name: 'tracked since today', ratingCount: 9_000 },
    ]);
    expect((await api.ok('GET /scores/evaluation', null, ben)).items[0]!.markets).toBe(0);
  });
});

describe('toprung scores evaluate', () => {
  // The name of a file says nothing about its content.
  const evaluate = async (content: string | Buffer, ...options: string[]) => {
    const path = join(folder, 'labels.csv');
    await writeFile(path, content);
    const child = startToprung(['scores', 'evaluate', path, ...options], {
      DATABASE_URL: api.db.url,
      DATA_DIR: join(folder, 'data'),
    });
    return { ...(await child.exited), output: child.output() };
  };

  it('compares labels with the stored evidence, as text and JSON, and writes nothing', async () => {
    // The earlier a phrase is suggested, the more popular it is in these labels.
    const labels = phrases.map((phrase, index) => `${phrase},us,${90 - 5 * index},ios,Games`);
    const csv = ['phrase,country,popularity,store,genre', ...labels, 'unknown one,us,50,ios,'];
    const before = await describeTables(api);
    const text = await evaluate(csv.join('\n'));
    expect(text.output).toContain('1 phrases without stored evidence');
    expect(text.output).toMatch(/^Games +12 /m);
    expect(text.code).toBe(0);
    const { output } = await evaluate(csv.join('\n'), '--json', '--seed', '7');
    const { seed, stores } = JSON.parse(output) as {
      seed: number;
      stores: { n: number; withoutEstimate: number; worst: unknown[] }[];
    };
    expect([seed, stores[0]!.n, stores[0]!.withoutEstimate]).toEqual([7, 12, 1]);
    expect(stores[0]!.worst).toHaveLength(12);
    expect(await describeTables(api)).toEqual(before);
  });

  it('compares a monthly file in any order of columns; others are unlisted', async () => {
    const listed = phrases.slice(0, 8).map((term, index) => row(term, 90 - 5 * index, 'Finance'));
    const more = [
      row('tracked by nobody here', 99, 'Games'),
      { ...row(phrases[0]!, 80, 'Games'), rank: 7 },
      row(phrases[1]!, 101, 'Games'),
      row('elsewhere', 70, 'Games', 'Japan'),
    ];
    const sheet = makeLines([...listed, ...more], { month, columns: columns.toReversed() });
    // The results of the last phrase are in the store's category of travel.
    await api.db.pool.query(
      `insert into snapshots (listing_id, country, taken_at, content_hash, fields)
       select id, 'us', now(), 'x', '{"categoryId": "6003"}' from listings where name like $1`,
      [`%${phrases.at(-1)}`],
    );
    await api.db.pool.query(
      `insert into last_serps (market_id, on_date, depth, result_count, ended, provider, ids,
         strengths, whole_on)
       select market_id, on_date, depth, result_count, ended, provider, ids, strengths, on_date
       from serps s join markets m on m.id = s.market_id where m.phrase = $1`,
      [phrases.at(-1)],
    );
    // Keywords that Apple's numbers do not count: another device, store or country.
    await api.db.pool.query(
      `insert into markets (store, country, device, phrase) values
         ('ios', 'us', 'mac', 'only on a mac'), ('android', 'us', 'phone', 'only on android'),
         ('ios', 'de', 'iphone', 'nur hier')`,
    );
    const before = await describeTables(api);
    const workbook = await evaluate(writeXlsx(sheet), '--json');
    expect(workbook.output).toMatch(/^\{/);
    const { file, stores } = JSON.parse(workbook.output) as Printed;
    expect(file).toEqual({ form: 'month', months: [month], rowsRead: 12, rowsRefused: 1 });
    expect(stores).toHaveLength(1);
    expect(stores[0]).toMatchObject({
      store: 'ios',
      n: 8,
      unlisted: 4,
      withoutEstimate: 0,
      auc: 1,
    });
    expect(stores[0]!.genres.map(({ name, n, unlisted }) => [name, n, unlisted])).toEqual([
      ['finance', 8, 0],
      ['travel', 0, 1],
      ['unknown', 0, 3],
    ]);
    expect(stores[0]!.worst).toContainEqual(
      expect.objectContaining({ phrase: phrases[0], popularity: 90, genre: 'finance' }),
    );
    expect(JSON.stringify(stores)).not.toContain('marketId');

    const csv = makeLines([...listed, ...more], { month, columns: columns.toReversed() });
    const text = await evaluate(writeCsvFile(csv, { delimiter: ';' }));
    expect(text.output).toContain(`Month ${month}: 12 rows, 1 of them refused.`);
    expect(text.output).toMatch(/^all +8 .* 4 +1\.000$/m);
    expect(await describeTables(api)).toEqual(before);

    const elsewhere = await evaluate(
      writeXlsx(makeLines([row('x', 9, 'Games', 'Fiji')], { month })),
    );
    expect([elsewhere.code, elsewhere.output]).toEqual([
      0,
      expect.stringContaining('no keyword in the countries of the file'),
    ]);
  });

  it('says what to change in a file that it cannot read', async () => {
    const columnless = makeLines([row('x', 1, 'Games')], { month, columns: columns.slice(2, 5) });
    for (const [content, remedy] of [
      ['phrase,country\nx,us\n', 'popularity'],
      [writeXlsx(columnless), 'Export the file with all columns'],
      [Buffer.from('PK\x05\x06 broken'), 'damaged'],
      ['Search Term,Rank in Genre\nx,1\n', 'no header'],
    ] as const) {
      const wrong = await evaluate(content);
      expect([wrong.code, wrong.output]).toEqual([1, expect.stringContaining(remedy)]);
      expect(wrong.output).not.toContain(' at ');
    }
    for (const [path, reason] of [
      [join(folder, 'none.csv'), 'cannot be read (ENOENT)'],
      [folder, 'is not a file'],
    ] as const) {
      const child = startToprung(['scores', 'evaluate', path], {
        DATABASE_URL: api.db.url,
        DATA_DIR: join(folder, 'data'),
      });
      expect((await child.exited).code).toBe(1);
      expect(child.output()).toContain(reason);
    }
  });
});
