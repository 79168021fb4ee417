import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startSimulator, type Simulator } from '#simulator/server.ts';
import { listServerPids } from '#embedded-postgres/server-processes.ts';
import { clusterName, findServerLocation } from '#embedded-postgres/server-location.ts';
import { until } from '../harness/load-recorder.ts';
import { copyMigratedDataDir } from '../harness/prepared-data-dir.ts';
import {
  createDataDir,
  productEnvironment,
  removeDataDir,
  signUpAt,
  startProduct,
  startWithNpm,
  type ProductStart,
} from '../harness/product.ts';

let simulator: Simulator;
let dataDir: string;

beforeAll(async () => {
  simulator = await startSimulator({ compress: false, world: { resultsPerSearch: 60 } });
  dataDir = await createDataDir();
  await copyMigratedDataDir(dataDir);
});
afterAll(async () => {
  await simulator.close();
  await removeDataDir(dataDir);
});

const home = async () => (await findServerLocation(dataDir)).home;
const databaseLog = async () => readFile(join(await home(), 'postgres.log'), 'utf8');
const listDatabasePids = async () => listServerPids(join(await home(), clusterName));

/** Work that takes a while: four checks a second at most. */
async function requestWork(apiUrl: string) {
  const { client } = await signUpAt(apiUrl);
  const { app } = await client('POST /apps', { body: { store: 'ios', storeAppId: '1500000001' } });
  const phrases = Array.from({ length: 50 }, (_, index) => `work ${index}`);
  const { job } = await client('POST /apps/{id}/keywords', {
    params: { id: app.id },
    body: { phrases, countries: ['us'] },
  });
  return { client, jobId: Number(job!.id) };
}

test('SIGTERM during checks exits 0; npm start resumes them, and ends on SIGINT', async () => {
  const pace = { SCRAPE_IOS_RPM: '240', SCRAPE_IOS_WEB_RPM: '240' };
  const product = await startProduct({ dataDir, simulator, environment: pace });
  const { client, jobId } = await requestWork(product.apiUrl);
  await until(
    async () => (await client('GET /jobs/{jobId}', { params: { jobId } })).progress.done >= 10,
    60_000,
    'checks',
  );
  const lookups = () => simulator.log().filter((entry) => entry.kind === 'lookup').length;
  const before = lookups();
  const [storeAppId = ''] = simulator.order({ store: 'ios', phrase: 'work 1', country: 'us' });
  const inFlight = client('POST /apps', { body: { store: 'ios', storeAppId } });
  await until(() => lookups() > before, 30_000, 'a request that asks the store');
  const start = performance.now();
  await product.child.kill('SIGTERM');
  expect(await product.child.exited).toEqual({ code: 0, signal: null });
  const stopMs = performance.now() - start;
  console.log(`shutdown while checks run: ${Math.round(stopMs)} ms`);
  expect(stopMs).toBeLessThan(30_000);
  expect((await inFlight).app.storeAppId).toBe(storeAppId);
  expect(await listDatabasePids()).toEqual([]);
  expect(await databaseLog()).not.toMatch(
    /not properly shut down|terminating connection due to administrator/,
  );
  expect(product.child.output()).not.toMatch(/a database connection broke|"level":"(error|fatal)"/);

  const again = await startWithNpm(productEnvironment(dataDir, simulator));
  try {
    const { token } = await signInAt(again.apiUrl);
    await until(
      async () => (await readJob(again.apiUrl, token, jobId)) === 'succeeded',
      70_000,
      'the job of before the stop',
    );
  } finally {
    await stopGroup(again, 'SIGINT');
  }
});

test('SIGTERM to all processes of npm start stops the database last and cleanly', async () => {
  await stopGroup(await startWithNpm(productEnvironment(dataDir, simulator)), 'SIGTERM');
});

/** Signals npm, its shell and the product at once: the database ends last, and cleanly. */
async function stopGroup(product: ProductStart, signal: NodeJS.Signals): Promise<void> {
  const pids = await listDatabasePids();
  const start = performance.now();
  product.signalGroup(signal);
  await product.exited;
  await until(async () => (await listDatabasePids()).length === 0, 30_000, 'the end of PostgreSQL');
  expect(pids.length).toBeGreaterThan(3);
  expect(performance.now() - start).toBeLessThan(30_000);
  expect(product.output()).not.toMatch(
    /a database connection broke|"level":"(error|fatal)"|stopping failed/,
  );
  expect((await databaseLog()).trimEnd().split('\n').at(-1)).toMatch(
    /database system is shut down/,
  );
  expect(await databaseLog()).not.toMatch(/not properly shut down/);
}

async function signInAt(apiUrl: string): Promise<{ token: string }> {
  const headers = { 'content-type': 'application/json', 'sec-fetch-site': 'same-origin' };
  const body = JSON.stringify({ email: 'first@example.org', password: 'grape-tunnel-oxide-41' });
  const response = await fetch(`${apiUrl}/auth/sign-in`, { method: 'POST', headers, body });
  const cookie = response.headers
    .getSetCookie()
    .map((line) => line.split(';')[0])
    .join('; ');
  return { token: cookie };
}

async function readJob(apiUrl: string, cookie: string, jobId: number): Promise<string> {
  const response = await fetch(`${apiUrl}/jobs/${jobId}`, {
    headers: { cookie, 'sec-fetch-site': 'same-origin' },
  });
  return ((await response.json()) as { state: string }).state;
}
