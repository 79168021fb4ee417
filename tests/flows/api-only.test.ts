import { afterAll, beforeAll, expect, test } from 'vitest';
import { startSimulator, type Simulator } from '#simulator/server.ts';
import { createClient, type Client } from '#client/http.ts';
import { utcDayOf } from '#lib/dates.ts';
import { createTestDatabase, type TestDatabase } from '../harness/database.ts';
import { createDataDir, productEnvironment, removeDataDir } from '../harness/product.ts';
import { startRole, type RunningRole } from '../harness/start-role.ts';

let simulator: Simulator;
let db: TestDatabase;
let dataDir: string;
let product: RunningRole;
beforeAll(async () => {
  simulator = await startSimulator({ compress: false, world: { androidMode: 'web30' } });
  db = await createTestDatabase();
  dataDir = await createDataDir();
  product = await startRole('all', {
    ...productEnvironment(dataDir, simulator),
    DATABASE_URL: db.url,
  });
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
  const api = await signUpAndMakeToken();
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

/** The first account comes from loopback, with a cookie; everything after it with the token. */
async function signUpAndMakeToken(): Promise<Client> {
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
  const { token } = (await made.json()) as { token: string };
  return createClient({ baseUrl: `${product.url}/api/backend`, token });
}

async function poll(api: Client, jobId: number) {
  for (let tries = 0; tries < 300; tries++) {
    const job = await api('GET /jobs/{jobId}', { params: { jobId } });
    if (job.finishedAt !== null) return job;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  throw new Error(`job ${jobId} did not end`);
}
