import { Redis } from 'ioredis';
import type pg from 'pg';
import { afterAll, beforeAll, describe, test } from 'vitest';
import { openRedis } from '#counters/redis-connection.ts';
import { silentLogger } from '#lib/logger.ts';
import { withinDeadline } from '#queue/deadline.ts';
import { openQueueStore, type QueueJob } from '#queue/queue.ts';
import { startBalancer, type Balancer } from '../harness/balancer.ts';
import { until } from '../harness/load-recorder.ts';
import { pauseProcess } from '../harness/pause-process.ts';
import { redisName, redisProgram, startRedis, type TestRedis } from '../harness/redis.ts';
import { drawPairs } from '../harness/short-form.ts';

if (redisProgram === undefined)
  console.info(`${redisName} is not installed: its failover is not tested`);

const portOf = ({ url }: TestRedis) => Number(new URL(url).port);

describe.skipIf(redisProgram === undefined)('a failover of Redis', () => {
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

  /** The other server becomes the primary, and gets the new connections. */
  async function promoteOther(): Promise<void> {
    const [old, other] = [primary, 1 - primary];
    await admins[other]!.replicaof('127.0.0.1', portOf(servers[old]!));
    const isSynchronous = async () =>
      /master_link_status:up/.test(await admins[other]!.info('replication'));
    await until(isSynchronous, 30_000, 'the replica');
    await admins[old]!.call('WAIT', 1, 10_000);
    await admins[other]!.replicaof('NO', 'ONE');
    address.setPorts([portOf(servers[other]!)]);
    primary = other;
  }

  const demote = (old: number) => admins[old]!.replicaof('127.0.0.1', portOf(servers[1 - old]!));

  /** The old primary keeps its connections and refuses writes. */
  async function failOver(): Promise<void> {
    await promoteOther();
    await demote(1 - primary);
  }

  /** The old primary keeps its connections and responds to nothing, as a host that is gone. */
  async function loseHost(): Promise<() => Promise<unknown>> {
    const old = primary;
    await promoteOther();
    const resume = pauseProcess(servers[old]!.pid);
    return () => {
      resume();
      return demote(old);
    };
  }

  const failovers = [
    ['planned', failOver],
    ['unplanned', loseHost],
  ] as const;
  const pairs = drawPairs('failovers', failovers, ['jobs', 'limits']);
  const of = (client: string) =>
    pairs.flatMap(({ row, column }) => (column === client ? [row] : []));

  test.each(of('jobs'))('that is %s lets producers and workers go on', async (_name, change) => {
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
    await until(async () => done.delete('before'), 20_000, 'the end of the first job');
    const restore = await change();
    try {
      await until(() => add('after'), 40_000, 'a job at the new primary');
      await until(async () => done.delete('after'), 40_000, 'the end of that job');
    } finally {
      await restore?.();
      await worker.close(1_000);
      await store.close();
    }
  });

  test.each(of('limits'))('that is %s lets limits be counted', async (_name, change) => {
    const redis = openRedis(url, () => undefined, {});
    const count = () =>
      withinDeadline(redis.incr('requests')).then(
        () => true,
        () => false,
      );
    await until(count, 20_000, 'the connection');
    const restore = await change();
    try {
      await until(count, 40_000, 'a write at the new primary');
    } finally {
      await restore?.();
      redis.disconnect();
    }
  });
});
