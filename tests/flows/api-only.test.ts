import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startSimulator, type Simulator } from '#simulator/server.ts';
import { createClient, type Client } from '#client/http.ts';
import { utcDayOf } from '#lib/dates.ts';
import { createTestDatabase, type TestDatabase } from '../harness/database.ts';
import { createDataDir, productEnvironment, removeDataDir } from '../harness/product.ts';
import { startRole, type RunningRole } from '../harness/start-role.ts';

const main = fileURLToPath(new URL('../../src/cli/main.js', import.meta.url));
let simulator: Simulator;
let db: TestDatabase;
let dataDir: string;
let product: RunningRole;
let token: string;
let api: Client;
beforeAll(async () => {
  simulator = await startSimulator({ compress: false, world: { androidMode: 'web30' } });
  db = await createTestDatabase();
  dataDir = await createDataDir();
  product = await startRole('all', {
    ...productEnvironment(dataDir, simulator),
    DATABASE_URL: db.url,
  });
  token = await signUpAndMakeToken();
  api = createClient({ baseUrl: `${product.url}/api/backend`, token });
});
afterAll(async () => {
  await product.stop();
  await simulator.close();
  await db.drop();
  await removeDataDir(dataDir);
});

const phrases = ['habit tracker', 'mood journal', 'daily planner', 'journal'];
const addresses = {
  ios: 'https://apps.apple.com/us/app/lumen/id1500000001',
  android: 'https://play.google.com/store/apps/details?id=app.lumen.habits&gl=us',
};

test('a script signs up, creates a token, tracks apps and reads positions by API', async () => {
  for (const [store, url] of Object.entries(addresses) as ['ios' | 'android', string][]) {
    const { app } = await api('POST /apps', { body: { url } });
    expect(app).toMatchObject({ store, archived: false });
    const { added, budgetDelta } = await api('POST /apps/{id}/keywords', {
      params: { id: app.id },
      body: { phrases, countries: ['us', 'de'] },
    });
    expect(added).toHaveLength(8);
    expect(budgetDelta.searchesPerDay).toBe(8);
    const { job } = await api('POST /apps/{id}/run-daily', { params: { id: app.id } });
    const done = await poll(api, job.id);
    expect(done.state).toBe('succeeded');
    const { items } = await api('GET /apps/{id}/rankings', { params: { id: app.id } });
    expect(items).toHaveLength(8);
    const today = utcDayOf(new Date());
    for (const cell of items) {
      if (cell.state === 'not_checked') throw new Error('a checked day reads as not checked');
      const keyword = added.find((row) => row.id === cell.keywordId)!;
      const truth = simulator.groundTruth({
        store,
        phrase: keyword.phrase,
        country: keyword.country,
        storeAppId: app.storeAppId,
        day: today,
      });
      expect(cell.depth).toBe(store === 'ios' ? 200 : 30);
      expect(cell.position).toBe(
        truth.position !== null && truth.position <= cell.depth ? truth.position : null,
      );
    }
  }
});

test('the command line adds keywords and waits for their first positions', async () => {
  const { items } = await api('GET /store/apps/search', {
    query: { store: 'ios', q: 'habit tracker', country: 'us' },
  });
  const { storeAppId } = items.find(
    ({ tracked, ...one }) => !tracked && one.storeAppId !== '1500000001',
  )!;
  const { app } = await api('POST /apps', { body: { store: 'ios', storeAppId } });
  const add = ['keywords', 'add', storeAppId, ...phrases, '--country', 'fr,gb', '--yes', '--wait'];
  const ran = await runToprung([...add, '--json']);
  expect(ran).toMatchObject({
    code: 0,
    error: expect.stringMatching(/8 new keywords.*8 more searches/s),
  });
  const { added } = JSON.parse(ran.out) as {
    added: { phrase: string; country: string; latest: { position: number | null } | null }[];
  };
  expect(added).toHaveLength(8);
  for (const { phrase, country, latest } of added)
    expect([phrase, country, latest?.position]).toEqual([
      phrase,
      country,
      simulator.groundTruth({
        store: 'ios',
        phrase,
        country,
        storeAppId,
        day: utcDayOf(new Date()),
      }).position,
    ]);
  // The same again adds and waits for nothing.
  const again = await runToprung(add);
  expect([again.code, again.out]).toEqual([0, expect.stringContaining('tracked already')]);
  const table = await runToprung(['keywords', 'list', String(app.id)]);
  expect(table.out.split('\n').filter((line) => line.includes('habit tracker'))).toHaveLength(2);
});

/** The command line as a process of its own, over the API. */
async function runToprung(args: string[]) {
  const child = spawn(process.execPath, [main, ...args], {
    env: {
      PATH: process.env.PATH ?? '',
      HOME: '/nowhere',
      TOPRUNG_URL: product.url,
      TOPRUNG_TOKEN: token,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const [out, error, [code]] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, 'close'),
  ]);
  return { out, error, code: code as number };
}

/** The first account comes from loopback, with a cookie; everything after it with the token. */
async function signUpAndMakeToken(): Promise<string> {
  const json = { 'content-type': 'application/json', origin: product.url };
  const signUp = await fetch(`${product.url}/api/backend/auth/sign-up`, {
    method: 'POST',
    headers: json,
    body: JSON.stringify({ email: 'script@example.org', password: 'a long enough password' }),
  });
  expect(signUp.status).toBe(201);
  const cookie = signUp.headers.getSetCookie()[0]!.split(';')[0]!;
  const made = await fetch(`${product.url}/api/backend/tokens`, {
    method: 'POST',
    headers: { ...json, cookie },
    body: JSON.stringify({ name: 'script' }),
  });
  expect(made.status).toBe(201);
  return ((await made.json()) as { token: string }).token;
}

async function poll(api: Client, jobId: number) {
  for (let tries = 0; tries < 300; tries++) {
    const job = await api('GET /jobs/{jobId}', { params: { jobId } });
    if (job.finishedAt !== null) return job;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  throw new Error(`job ${jobId} did not end`);
}
