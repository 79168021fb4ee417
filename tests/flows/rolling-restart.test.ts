import { request } from 'node:http';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startSimulator, type Simulator } from '#simulator/server.ts';
import { startBalancer, type Balancer } from '../harness/balancer.ts';
import { createTestDatabase, type TestDatabase } from '../harness/database.ts';
import { until } from '../harness/load-recorder.ts';
import { startToprung, type Child } from '../harness/process.ts';
import { createDataDir, productEnvironment, removeDataDir, signUpAt } from '../harness/product.ts';
import { reportFigures, trackProgress } from '../harness/progress.ts';

const scale = process.env.TORTURE
  ? { restarts: 20, clients: 16, between: 400 }
  : { restarts: 1, clients: 4, between: 20 };

let simulator: Simulator;
let db: TestDatabase;
let dataDir: string;
let balancer: Balancer;
interface Api {
  child: Child;
  port: number;
  /** Null once there is an account. */
  setupToken: string | null;
}
const apis: Api[] = [];
let setupTokens: (string | null)[];

async function startApi(): Promise<Api> {
  const environment = { ...productEnvironment(dataDir, simulator), DATABASE_URL: db.url };
  const child = startToprung(['start', '--role', 'api'], environment);
  // The announcement ends with an empty line.
  await child.waitFor(/ API: +http\S+[^\n]*\n(?:[^\n]+\n)*\n/);
  const read = (label: string) =>
    new RegExp(` ${label}: +(\\S+)`).exec(child.output())?.[1] ?? null;
  return { child, port: Number(new URL(read('API')!).port), setupToken: read('Setup token') };
}

beforeAll(async () => {
  simulator = await startSimulator({ compress: false });
  db = await createTestDatabase();
  dataDir = await createDataDir();
  balancer = await startBalancer();
  apis.push(...(await Promise.all([startApi(), startApi()])));
  balancer.setPorts(apis.map(({ port }) => port));
  setupTokens = apis.map(({ setupToken }) => setupToken);
});
afterAll(async () => {
  await Promise.all(apis.map(({ child }) => child.kill('SIGKILL')));
  await balancer.close();
  await simulator.close();
  await db.drop();
  await removeDataDir(dataDir);
});

interface Tally {
  statuses: Map<number, number>;
  broken: string[];
}

/** A connection for each request: a balancer cannot move one that exists. */
function ask(token: string, number: number): Promise<number> {
  const isWrite = number % 4 === 0;
  const body = isWrite ? JSON.stringify({ name: `Northlight ${number}` }) : '';
  return new Promise((resolve, reject) => {
    const sent = request(`${balancer.url}${isWrite ? '/workspace' : '/apps'}`, {
      method: isWrite ? 'PATCH' : 'GET',
      agent: false,
      headers: {
        authorization: `Bearer ${token}`,
        ...(isWrite && { 'content-type': 'application/json', 'content-length': body.length }),
      },
    });
    sent.on('error', reject);
    sent.on('response', (response) => {
      response.on('error', reject);
      response.on('end', () => resolve(response.statusCode!));
      response.resume();
    });
    sent.end(body);
  });
}

function startRequests(token: string): { tally: Tally; stop(): Promise<void> } {
  const tally: Tally = { statuses: new Map(), broken: [] };
  let isOver = false;
  let number = 0;
  const loops = Array.from({ length: scale.clients }, async () => {
    while (!isOver) {
      try {
        const status = await ask(token, (number += 1));
        tally.statuses.set(status, (tally.statuses.get(status) ?? 0) + 1);
      } catch (error) {
        tally.broken.push((error as NodeJS.ErrnoException).code ?? String(error));
      }
    }
  });
  return {
    tally,
    stop: async () => {
      isOver = true;
      await Promise.all(loops);
    },
  };
}

test('two APIs show the same setup token, so the log of either has the valid one', () => {
  expect(setupTokens).toEqual([expect.stringMatching(/^[\w-]{24}$/), setupTokens[0]]);
});

test(`restarting one of two APIs fails no request, ${scale.restarts} times`, async () => {
  const { token } = await signUpAt(`http://127.0.0.1:${apis[0]!.port}`);
  const { tally, stop } = startRequests(token);
  const total = () => [...tally.statuses.values()].reduce((sum, count) => sum + count, 0);
  const exitMs: number[] = [];
  const part = { name: 'restarts of an API', total: scale.restarts, limitMs: 600_000 };
  await trackProgress({ ...part, cleanUp: stop }, async ({ add }) => {
    for (let restart = 0; restart < scale.restarts; restart++) {
      const before = total();
      await until(() => total() >= before + scale.between, 60_000, 'requests between restarts');
      const [leaving, staying] = [apis[restart % 2]!, apis[(restart + 1) % 2]!];
      balancer.setPorts([staying.port]);
      const startedMs = performance.now();
      await leaving.child.kill('SIGTERM');
      exitMs.push(performance.now() - startedMs);
      expect(await leaving.child.exited).toEqual({ code: 0, signal: null });
      apis[restart % 2] = await startApi();
      balancer.setPorts(apis.map(({ port }) => port));
      add();
    }
  });
  reportFigures(19, {
    restarts: scale.restarts,
    requests: total(),
    statuses: JSON.stringify([...tally.statuses]),
    'broken connections': tally.broken.length,
    'slowest exit in ms': Math.round(Math.max(...exitMs)),
  });
  expect(tally.broken).toEqual([]);
  expect([...tally.statuses.keys()]).toEqual([200]);
  expect(Math.max(...exitMs)).toBeLessThan(30_000);
}, 660_000);
