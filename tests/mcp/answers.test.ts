import type { Client } from '@modelcontextprotocol/client';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { insertCompetitor } from '../api/competitors-arrange.ts';
import type { Account } from '../harness/api.ts';
import { call, fillApp, startMcpStage, type FilledApp, type McpStage } from './stage.ts';

let stage: McpStage;
let ann: Account;
let app: FilledApp;
let client: Client;
/** Row ids of Rival 1, Rival 2, … */
let rivals: number[];

beforeAll(async () => {
  stage = await startMcpStage();
  ann = await stage.api.signUp();
  app = await fillApp(stage.api, ann);
  client = await stage.connect((await stage.api.token(ann)).secret);
  const { rows } = await stage.api.db.pool.query(`select id from listings where name like 'Rival %' order by id`);
  rivals = rows.map((row) => row.id as number);
});
afterAll(() => stage.close());

describe('find_app', () => {
  const url = 'https://apps.apple.com/de/app/x/id1500000001';

  test.each([
    ['an address is looked up in the country that it names', { query: url }, /^1 found in the ios store \(de\)/],
    ['… unless another is asked for', { query: url, country: 'fr' }, /^1 found in the ios store \(fr\)/],
    ['an id is looked up in us, where nothing else is said', { query: '1500000001' }, /^1 found in the ios store \(us\)/],
    ['a search says that there may be more', { query: 'habit tracker' }, /^10 found in the ios store \(us\); no more than 10 are asked for/],
  ])('%s', async (_name, args, expected) => {
    const { said } = await call(client, 'find_app', { store: 'ios', ...args });
    expect(said).toMatch(expected);
  });
});

test('add_app says of an archived app that it is back', async () => {
  const { structuredContent } = await call(client, 'add_app', { store: 'android', storeAppId: 'app.lumen.habits' });
  const { appId: id } = structuredContent as { appId: number };
  await stage.api.ok('DELETE /apps/{id}', { params: { id } }, ann);
  const again = await call(client, 'add_app', { store: 'android', storeAppId: 'app.lumen.habits' });
  expect(again.said).toMatch(new RegExp(`^It is here already, as app ${id}: .*If it was archived, it is back now`));
  expect(again.structuredContent).toMatchObject({ appId: id, added: false });
  expect((await stage.api.ok('GET /apps/{id}', { params: { id } }, ann)).archived).toBe(false);
});

describe('compare_competitors', () => {
  const compare = async (country?: string) => {
    const { said, structuredContent } = await call(client, 'compare_competitors', { appId: app.appId, ...(country && { country }) });
    const { titlesIn, competitors } = structuredContent as { titlesIn: string; competitors: { compared: number; losses: number }[] };
    return { said, titlesIn, ...competitors[0]! };
  };

  test('counts wins and losses where it says, and says whose the other figures are', async () => {
    const all = await compare();
    expect(all).toMatchObject({ titlesIn: 'us', losses: 1 });
    expect(all.said).toContain('gaps are of all countries, titles of us, ratings of the app’s primary country.');
    expect(await compare('us')).toMatchObject({ titlesIn: 'us', losses: 1 });
    const de = await compare('de');
    expect(de).toMatchObject({ titlesIn: 'de', compared: 0, losses: 0 });
    expect(de.said).toContain('gaps are of de, titles of de, ratings of the app’s primary country.');
  });
});

test('suggest_keywords says of how many it shows the first', async () => {
  await insertCompetitor(stage.api, ann.workspaceId, { appId: app.appId, listingId: rivals[1]!, since: '2026-10-01T00:00:00Z' });
  const all = await call(client, 'suggest_keywords', { appId: app.appId, askStore: false, limit: 50 });
  const { total, suggestions } = all.structuredContent as { total: number; suggestions: object[] };
  expect(total).toBeGreaterThan(1);
  expect([suggestions.length, all.said.startsWith(`${total} suggestions`)]).toEqual([total, true]);
  const some = await call(client, 'suggest_keywords', { appId: app.appId, askStore: false, limit: 1 });
  expect(some.said).toMatch(new RegExp(`^1 of ${total} suggestions .*narrow with seed, or raise limit`));
  expect(some.structuredContent).toMatchObject({ total });
});
