import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startApi, type Account, type TestApi } from '../harness/api.ts';
import { startToprung } from '../harness/process.ts';
import { describeTables } from './keywords.fixtures.ts';
import { follow, insertHintEvidence, insertSerp } from './scores.fixtures.ts';

const today = '2026-11-21';
const phrases = Array.from(
  { length: 12 },
  (_, index) => `labelled phrase ${'abcdefghijkl'[index]}`,
);
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
    const { marketId } = await follow(api, ben, 'tracked since today');
    await insertSerp(api, marketId, '2026-11-01', [
      { name: 'tracked since today', ratingCount: 9_000 },
    ]);
    expect((await api.ok('GET /scores/evaluation', null, ben)).items[0]!.markets).toBe(0);
  });
});

describe('toprung scores evaluate', () => {
  const evaluate = async (csv: string, ...options: string[]) => {
    const path = join(folder, 'labels.csv');
    await writeFile(path, csv);
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

  it('says what to change in a file that it cannot read', async () => {
    const wrong = await evaluate('phrase,country\nx,us\n');
    expect([wrong.code, wrong.output]).toEqual([1, expect.stringContaining('popularity')]);
    const child = startToprung(['scores', 'evaluate', join(folder, 'none.csv')], {
      DATABASE_URL: api.db.url,
      DATA_DIR: join(folder, 'data'),
    });
    expect((await child.exited).code).toBe(1);
    expect(child.output()).toContain('cannot be read (ENOENT)');
  });
});
