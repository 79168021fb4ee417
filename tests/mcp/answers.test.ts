import type { Client } from '@modelcontextprotocol/client';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Account } from '../harness/api.ts';
import { call, fillApp, startMcpStage, type FilledApp, type McpStage } from './stage.ts';

let stage: McpStage;
let ann: Account;
let app: FilledApp;
let client: Client;

beforeAll(async () => {
  stage = await startMcpStage();
  ann = await stage.api.signUp();
  app = await fillApp(stage.api, ann);
  client = await stage.connect((await stage.api.token(ann)).secret);
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
