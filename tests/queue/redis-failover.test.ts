import { Redis } from 'ioredis';
import type pg from 'pg';
import { afterAll, beforeAll, describe, test } from 'vitest';
import { openRedis } from '#counters/redis-connection.ts';
import { silentLogger } from '#lib/logger.ts';
import { openQueueStore, type QueueJob } from '#queue/queue.ts';
import { startBalancer, type Balancer } from '../harness/balancer.ts';
import { until } from '../harness/load-recorder.ts';
import { redisName, redisProgram, startRedis, type TestRedis } from '../harness/redis.ts';

if (redisProgram === undefined)
  console.info(`${redisName} is not installed: its failover is not tested`);

const portOf = ({ url }: TestRedis) => Number(new URL(url).port);

describe.skipIf(redisProgram === undefined)('a planned failover of Redis', () => {
  let servers: TestRedis[];
  let admins: Redis[];
  /** The address of the current primary. */
  let address: Balancer;
  let url: string;
  let primary = 0;

  beforeAll(async () => {
    servers = [(await startRedis())!, (await startRedis())!];
    admins = servers.map((server) => new Redis(server.url));
    address = await startBalancer();
    address.setPorts([portOf(servers[0]!)]);
    url = address.url.replace('http:', 'redis:');
  });
  afterAll(async () => {
    for (const admin of admins) admin.disconnect();
    await address.close();
    for (const server of servers) await server.stop();
  });

  /** The other server becomes the primary; the old one keeps its connections and refuses writes. */
  async function failOver(): Promise<void> {
    const [old, other] = [primary, 1 - primary];
    await admins[other]!.replicaof('127.0.0.1', portOf(servers[old]!));
    const isSynchronous = async () =>
      /master_link_status:up/.test(await admins[other]!.info('replication'));
    await until(isSynchronous, 30_000, 'the replica');
    await admins[old]!.call('WAIT', 1, 10_000);
    await admins[other]!.replicaof('NO', 'ONE');
    await admins[old]!.replicaof('127.0.0.1', portOf(servers[other]!));
    address.setPorts([portOf(servers[other]!)]);
    primary = other;
  }

  test('lets producers and workers go on at the new primary', async () => {
    const store = openQueueStore({ queueUrl: url, pool: {} as pg.Pool, log: silentLogger });
    await store.migrate();
    const queue = store.queue('failover');
    const done = new Set<string>();
    const worker = store.work(
      'failover',
      { concurrency: 2, retryDelaysMs: [10], onDeadLetter: async () => {} },
      async ({ id }) => void done.add(id),
    );
    const add = (id: string) => {
      const job: QueueJob = { id, name: 'work', data: {}, priority: 10 };
      return queue.addAll([job]).then(
        () => true,
        () => false,
      );
    };
    await until(() => add('before'), 20_000, 'the first job');
    await until(async () => done.has('before'), 20_000, 'the end of the first job');
    await failOver();
    await until(() => add('after'), 20_000, 'a job at the new primary');
    await until(async () => done.has('after'), 30_000, 'the end of that job');
    await worker.close(1_000);
    await store.close();
  });

  test('lets limits be counted at the new primary', async () => {
    const redis = openRedis(url, () => undefined, {});
    const count = () =>
      redis.incr('requests').then(
        () => true,
        () => false,
      );
    await until(count, 20_000, 'the connection');
    await failOver();
    await until(count, 20_000, 'a write at the new primary');
    redis.disconnect();
  });
});
