/**
 * Runs in a copy of the tree that has a third store. Starts the product on a virtual clock, tracks
 * an app of that store over the HTTP API, lets the daily run of the next day do its work, and
 * prints what came of it as JSON.
 */
import pg from 'pg';
import { openDatabaseServer } from '#boot/database.ts';
import { createRuntime } from '#boot/services.ts';
import { startApi } from '#boot/start-api.ts';
import { startWorker } from '#boot/start-worker.ts';
import type { CallOutput, Client } from '#client/http.ts';
import { readConfig } from '#config/env.ts';
import { registry } from '#jobs/registry.ts';
import { TestClock } from '#lib/clock.ts';
import type { UtcDay } from '#lib/dates.ts';
import { silentLogger } from '#lib/logger.ts';
import { ShutdownStack } from '#lib/shutdown-stack.ts';
import { generateConfigurationPage, generateEnvExample } from '#scripts/generate-settings.ts';
import { startSimulator, type Simulator } from '#simulator/server.ts';
import type { StoreName } from '#stores/profiles.ts';
import { until } from '#tests/harness/load-recorder.ts';
import { signUpAt } from '#tests/harness/product.ts';

export interface Outcome {
  settings: { documented: boolean; default: unknown; given: unknown };
  app: { store: string; storeAppId: string };
  countries: object[];
  categories: object[];
  /** The part of the third store. */
  budget: { store: string; kinds: Record<string, { jobs: number }>; capacity: object };
  score: Pick<CallOutput<'GET /apps/{id}/phrase-score'>, 'traffic' | 'difficulty' | 'position'>;
  run: CallOutput<'GET /runs/{date}'>;
  /** Requests that reached the simulated store on the day of the run, in order. */
  requests: { kind: string; phrase: string | null }[];
  positions: { day: string; phrase: string; position: number | null; truth: number | null }[];
}

const [store, databaseUrl, dataDir] = process.argv.slice(2) as [StoreName, string, string];
const firstDay = '2026-05-10';
const secondDay = '2026-05-11';
const country = 'us';
const phrases = ['journal', 'habit tracker', 'zebra notation'];
const pace = `SCRAPE_${store.toUpperCase()}_RPM`;
const waitMs = 30_000;

const clock = new TestClock(`${firstDay}T09:00:00Z`);
const shutdownStack = new ShutdownStack();
try {
  console.log(JSON.stringify(await followStore()));
} finally {
  await shutdownStack.close();
}

async function followStore(): Promise<Outcome> {
  const world = { apps: 400, resultsPerSearch: 90 };
  const simulator = await startSimulator({ now: clock.now(), compress: false, world });
  shutdownStack.add(simulator.close);
  const client = await startProduct(simulator);
  // Otherwise the run of the first day may fetch the hints that are expected on the second day.
  await waitForRun(client, firstDay);
  const storeAppId = simulator.order({ store, phrase: phrases[0]!, country })[54]!;
  const { app } = await client('POST /apps', {
    body: { url: `https://meadow.example/${country}/apps/${storeAppId}` },
  });
  const params = { id: app.id };
  const keywords = await trackKeywords(client, app.id);
  await waitForFirstDay();
  simulator.clearLog();
  clock.set(`${secondDay}T02:00:00Z`);
  simulator.setNow(clock.now());
  await waitForRun(client, secondDay);
  const requests = simulator.log().map(({ kind, phrase }) => ({ kind, phrase }));
  const { items } = await client('GET /apps/{id}/rankings', { params, query: { from: firstDay } });
  const { fanOut } = await client('GET /jobs/budget', {});
  return {
    settings: {
      documented: [generateEnvExample(), generateConfigurationPage()].every((text) =>
        text.includes(pace),
      ),
      default: readPace({}),
      given: readPace({ [pace]: '11' }),
    },
    app,
    countries: (await client('GET /store/countries', { query: { store } })).items,
    categories: (await client('GET /store/categories', { query: { store } })).items,
    budget: fanOut.find((part) => part.store === store)!,
    score: await client('GET /apps/{id}/phrase-score', {
      params,
      query: { phrase: phrases[0]!, country },
    }),
    run: await client('GET /runs/{date}', { params: { date: secondDay } }),
    requests,
    positions: items.flatMap((row) => {
      if (row.state === 'not_checked') return [];
      const { date: day, position } = row;
      const phrase = keywords.get(row.keywordId)!;
      const truth = simulator.groundTruth({ store, phrase, country, storeAppId, day });
      return { day, phrase, position, truth: truth.position };
    }),
  };
}

/** Starts what `npm start` starts, except for the web origin, with our clock. */
async function startProduct(simulator: Simulator): Promise<Client> {
  const config = readConfig({
    DATABASE_URL: databaseUrl,
    DATA_DIR: dataDir,
    API_PORT: '0',
    STORE_BASE_URL: simulator.baseUrl,
    [pace]: '600000',
  });
  const database = await openDatabaseServer(config, silentLogger, shutdownStack);
  const runtime = await createRuntime({ config, database, log: silentLogger, clock });
  shutdownStack.add(runtime.close);
  shutdownStack.add(startWorker(runtime, registry).close);
  const api = await startApi({ config, runtime, log: silentLogger });
  shutdownStack.add(api.close);
  return (await signUpAt(api.url)).client;
}

/** Returns the phrases by keyword id, after their first checks. */
async function trackKeywords(client: Client, id: number): Promise<Map<number, string>> {
  const { added, job } = await client('POST /apps/{id}/keywords', {
    params: { id },
    body: { phrases, countries: [country], depth: 100 },
  });
  const params = { jobId: Number(job!.id) };
  const isDone = async () => (await client('GET /jobs/{jobId}', { params })).state === 'succeeded';
  await until(isDone, waitMs, 'the first checks');
  return new Map(added.map((keyword) => [keyword.id, keyword.phrase]));
}

/** Until everything that the first day requests from the store has been requested. */
async function waitForFirstDay(): Promise<void> {
  const database = new pg.Client({ connectionString: databaseUrl });
  await database.connect();
  const open = "select from bullmq.job where state in ('waiting', 'active', 'delayed') limit 1";
  const isIdle = async () => (await database.query(open)).rowCount === 0;
  try {
    await until(isIdle, waitMs, 'the tasks of the first day');
  } finally {
    await database.end();
  }
}

async function waitForRun(client: Client, day: UtcDay): Promise<void> {
  const isDone = async () => {
    const { items } = await client('GET /runs', { query: { from: day } });
    return items.some(({ date, finishedAt }) => date === day && finishedAt !== null);
  };
  await until(isDone, waitMs, `the run of ${day}`);
}

function readPace(environment: Record<string, string>): unknown {
  return (readConfig(environment) as unknown as Record<string, unknown>)[pace];
}
