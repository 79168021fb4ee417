import { afterAll, expect, test } from 'vitest';
import { startSimulator } from '#simulator/server.ts';
import { createTestDatabase } from '../harness/database.ts';
import {
  findInconsistencies,
  startLoad,
  until,
  waitForOpenJobs,
} from '../harness/load-recorder.ts';
import { startToprung, type Child } from '../harness/process.ts';
import { reportFigures, trackProgress } from '../harness/progress.ts';
import { createDataDir, productEnvironment, removeDataDir, signUpAt } from '../harness/product.ts';

const scale = process.env.TORTURE ? { kills: 50, promises: 60 } : { kills: 1, promises: 15 };
const simulator = await startSimulator({
  compress: false,
  world: { resultsPerSearch: 120, androidMode: 'web30' },
});
const db = await createTestDatabase();
const dataDir = await createDataDir();
const environment = {
  ...productEnvironment(dataDir, simulator),
  DATABASE_URL: db.url,
  QUEUE_STALL_SECONDS: '1',
};
const children = new Set<Child>();
const start = (role: string) => {
  const child = startToprung(['start', '--role', role], environment);
  children.add(child);
  return child;
};
const startApi = async () => {
  const child = start('api');
  await child.waitFor(/ API: +http\S+/);
  return { child, url: / API: +(\S+)/.exec(child.output())![1]! };
};
afterAll(async () => {
  await Promise.all([...children].map((child) => child.kill('SIGKILL')));
  await simulator.close();
  await db.drop();
  await removeDataDir(dataDir);
});

test(`${scale.kills} kills of the API under load lose and halve no accepted request`, async () => {
  const worker = start('worker');
  let api = await startApi();
  const { token, client } = await signUpAt(api.url);
  const apps = [
    await client('POST /apps', { body: { store: 'ios', storeAppId: '1500000001' } }),
    await client('POST /apps', { body: { store: 'android', storeAppId: 'app.lumen.habits' } }),
  ];
  const load = startLoad({
    clients: 6,
    baseUrl: () => api.url,
    token,
    appIds: apps.map(({ app }) => Number(app.id)),
  });
  const part = { name: 'kills of the API', total: scale.kills, limitMs: 900_000 };
  await trackProgress({ ...part, cleanUp: load.stop }, async ({ add }) => {
    for (let kills = 0; kills < scale.kills; kills++) {
      const before = load.recorded.jobs.length;
      await until(
        () => load.recorded.jobs.length >= before + scale.promises,
        60_000,
        'acknowledged work',
      );
      await api.child.kill('SIGKILL');
      api = await startApi();
      add();
    }
  });
  const record = await load.stop();
  const ended = worker.exited.then(({ code, signal }) => {
    throw new Error(`the worker ended with ${code ?? signal}:\n${worker.output()}`);
  });
  await Promise.race([waitForOpenJobs(db.pool, 120_000), ended]);
  reportFigures(5, {
    kills: scale.kills,
    'acknowledged jobs': record.jobs.length,
    'acknowledged keywords': record.keywords.length,
    refusals: JSON.stringify([...record.refusals]),
  });
  const broken = await findInconsistencies(db.pool, record);
  expect(Object.entries(broken).filter(([, rows]) => rows.length > 0)).toEqual([]);
  expect(record.unexpected).toEqual([]);
  expect(record.refusals.get(0)).toBeGreaterThan(0);
}, 1_200_000);
