import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { buildGateway } from '#gateway/server.ts';
import { openPool } from '#db/pool.ts';
import { silentLogger } from '#lib/logger.ts';
import { createBoard } from '#queue/board.ts';
import { openQueueStore } from '#queue/queue.ts';
import { closeServer } from '#lib/listen.ts';
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

test('the reference page shows the operations under its policy, without another host', async ({
  skip,
}) => {
  if (browser === null) return skip('no Chromium');
  const owner = await api.signUp();
  const gateway = await buildGateway({
    apiUrl: api.url,
    webDist,
    trustProxy: [],
    publicUrl: null,
    log: silentLogger,
  });
  const url = await gateway.listen({ port: 0, host: '127.0.0.1' });
  const watched = await newPage(browser);
  const [name, value] = owner.headers.cookie!.split('=') as [string, string];
  await watched.context.addCookies([{ name, value, url }]);
  await watched.page.goto(`${url}/api/backend/docs`);
  await watched.page.getByText('Get service health').first().waitFor();
  expect(watched.consoleErrors).toEqual([]);
  expect(watched.foreignRequests).toEqual([]);
  await watched.close();
  await closeServer(gateway);
});

test('the queue dashboard shows its queues to owners and our own 404 to others', async ({
  skip,
}) => {
  if (browser === null) return skip('no Chromium');
  const pool = openPool({
    url: api.db.url,
    role: 'owner',
    max: 4,
    statementTimeoutMs: 10_000,
    searchPath: 'bullmq',
    log: silentLogger,
  });
  const store = openQueueStore({ queueUrl: null, pool, log: silentLogger });
  await store.migrate();
  await store
    .queue('rank-checks')
    .addAll([{ id: 'check-1', name: 'check', data: {}, priority: 1 }]);
  const shown = await startApi({
    db: api.db,
    deps: { board: () => createBoard(store), authSecret: api.authSecret },
    settings: { operatorEmails: ['boss@example.org'] },
  });
  const owner = await shown.signUp({ email: 'boss@example.org' });
  const gateway = await buildGateway({
    apiUrl: shown.url,
    webDist,
    trustProxy: [],
    publicUrl: null,
    log: silentLogger,
  });
  const url = await gateway.listen({ port: 0, host: '127.0.0.1' });
  const watched = await newPage(browser);
  const [name, value] = owner.headers.cookie!.split('=') as [string, string];
  await watched.context.addCookies([{ name, value, url }]);
  await watched.page.goto(`${url}/api/backend/admin/queues`);
  await watched.page.getByText('rank-checks').first().waitFor();
  expect(watched.consoleErrors).toEqual([]);
  expect(watched.foreignRequests).toEqual([]);
  const stranger = await shown.raw('/admin/queues/api/queues');
  expect(stranger.body).toMatchObject({
    statusCode: 404,
    code: 'not_found',
    path: '/admin/queues/api/queues',
  });
  await watched.close();
  await closeServer(gateway);
  await shown.close();
  await store.close();
  await pool.end();
});
