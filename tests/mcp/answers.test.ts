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
