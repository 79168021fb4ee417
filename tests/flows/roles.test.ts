import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startSimulator, type Simulator } from '#simulator/server.ts';
import { createTestDatabase, type TestDatabase } from '../harness/database.ts';
import { until } from '../harness/load-recorder.ts';
import { startToprung, type Child } from '../harness/process.ts';
import { createDataDir, productEnvironment, removeDataDir, signUpAt } from '../harness/product.ts';
import { redisProgram, startRedis, type TestRedis } from '../harness/redis.ts';
import { draw } from '../harness/short-form.ts';

/**
 * Behaviour that the roles share on both queues; with Redis only where it is installed. The short
 * form draws one.
 */
const queues = draw('queue of the roles', 1, ['PostgreSQL', ...(redisProgram ? ['Redis'] : [])]);

describe.each(queues)(
  'api, worker and web as separate processes, with the queue in %s',
  (queue) => {
    let simulator: Simulator;
    let db: TestDatabase;
    let dataDir: string;
    let redis: TestRedis | null = null;
    const children: Child[] = [];

    const start = async (
      role: string,
      ready: RegExp,
      environment: Record<string, string> = {},
    ): Promise<string> => {
      const shared = {
        ...productEnvironment(dataDir, simulator),
        DATABASE_URL: db.url,
        ...(redis && { QUEUE_URL: redis.url }),
      };
      const child = startToprung(['start', '--role', role], { ...shared, ...environment });
      children.push(child);
      await child.waitFor(ready);
      return ready.exec(child.output())?.[1] ?? '';
    };

    beforeAll(async () => {
      simulator = await startSimulator({
        compress: false,
        world: { resultsPerSearch: 60, androidMode: 'web30' },
      });
      db = await createTestDatabase();
      dataDir = await createDataDir();
      if (queue === 'Redis') redis = await startRedis();
    });
    afterAll(async () => {
      await Promise.all(children.map((child) => child.kill('SIGKILL')));
      await simulator.close();
      await redis?.stop();
      await db.drop();
      await removeDataDir(dataDir);
    });

    test('work together, and each exits on SIGTERM', async () => {
      // All at once: only one of them migrates.
      const [apiUrl] = await Promise.all([
        start('api', / API: +(\S+)/),
        start('worker', /The worker is up/),
        ...(queue === 'PostgreSQL' ? [start('worker', /The worker is up/)] : []),
      ]);
      const webUrl = await start('web', /Toprung is up: +(\S+)/, { API_URL: apiUrl });
      expect(await (await fetch(webUrl)).text()).toContain('<title>');

      const { client } = await signUpAt(`${webUrl}/api/backend`);
      const { app } = await client('POST /apps', {
        body: { store: 'ios', storeAppId: '1500000001' },
      });
      const body = {
        phrases: ['habit tracker', 'journal', 'mood', 'word of nobody'],
        countries: ['us', 'de'],
      };
      const { job } = await client('POST /apps/{id}/keywords', { params: { id: app.id }, body });
      await until(
        async () =>
          (await client('GET /jobs/{jobId}', { params: { jobId: Number(job!.id) } })).state ===
          'succeeded',
        60_000,
        'the first checks',
      );

      const { items } = await client('GET /rankings/latest', { query: { appIds: String(app.id) } });
      expect(items).toHaveLength(8);
      for (const { phrase, country, latest } of items) {
        const { position } = simulator.groundTruth({
          store: 'ios',
          phrase,
          country,
          storeAppId: '1500000001',
        });
        expect({ phrase, country, position: latest?.position }).toEqual({
          phrase,
          country,
          position,
        });
      }
      await Promise.all(children.map((child) => child.kill('SIGTERM')));
      expect(await Promise.all(children.map((child) => child.exited))).toEqual(
        children.map(() => ({ code: 0, signal: null })),
      );
    });
  },
);
