import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { buildGateway } from '../../src/gateway/server.ts';
import { silentLogger } from '../../src/lib/logger.ts';
import { startApi, type TestApi } from '../harness/api.ts';
import { launchBrowser, newPage } from '../harness/browser.ts';

let api: TestApi;
let browser: Browser | null;
let webDist: string;
beforeAll(async () => {
  api = await startApi();
  browser = await launchBrowser();
  webDist = await mkdtemp(join(tmpdir(), 'toprung-docs-'));
});
afterAll(async () => {
  await browser?.close();
  await api.close();
  await rm(webDist, { recursive: true });
});

test('the reference page shows the operations behind the web origin, under its policy, without another host', async ({ skip }) => {
  if (browser === null) return skip('no Chromium');
  const owner = await api.signUp();
  const gateway = await buildGateway({ apiUrl: api.url, webDist, trustProxy: [], publicUrl: null, log: silentLogger });
  const url = await gateway.listen({ port: 0, host: '127.0.0.1' });
  const watched = await newPage(browser);
  const [name, value] = owner.headers.cookie!.split('=') as [string, string];
  await watched.context.addCookies([{ name, value, url }]);
  await watched.page.goto(`${url}/api/backend/docs`);
  await watched.page.getByText('How the service is').first().waitFor();
  expect(watched.consoleErrors).toEqual([]);
  expect(watched.foreignRequests).toEqual([]);
  await watched.close();
  await gateway.close();
});
