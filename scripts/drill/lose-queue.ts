import { everyPace } from '#config/pace-settings.ts';
import { Redis } from 'ioredis';
import pg from 'pg';
import { until } from '#tests/harness/load-recorder.ts';
import { startRedis } from '#tests/harness/redis.ts';
import { compareAll, countOpen, timed, trackKeywords, type Drill } from './drill.ts';
import { startHost, waitForApi, waitForWorker } from './host.ts';

/** Where an instance has its database, and a token of it. */
export interface Target {
  databaseUrl: string;
  token: string;
  /** The number of keyword markets that it tracks. */
  tracked: number;
}

/** Loses the queue in PostgreSQL, and the one in Redis, while it is full of work. */
export async function loseQueue(drill: Drill, target: Target): Promise<number> {
  drill.say('2. The queue is lost while it has work: everything is scheduled again.');
  let tracked = await loseOne(drill, target, {}, queueInPostgres(target.databaseUrl));
  const redis = await startRedis();
  if (redis === null) {
    drill.say('             redis-server is not installed, so the queue in Redis is left out.');
    return tracked;
  }
  try {
    const environment = { QUEUE_URL: redis.url };
    const queue = queueInRedis(redis.url);
    tracked = await loseOne(drill, { ...target, tracked }, environment, queue);
  } finally {
    await redis.stop();
  }
  return tracked;
}

async function loseOne(
  drill: Drill,
  { databaseUrl, token, tracked }: Target,
  environment: Record<string, string>,
  { name, ...queue }: Queue,
): Promise<number> {
  const all = { DATABASE_URL: databaseUrl, ...environment };
  const api = startHost(drill, 'api', all);
  const more = Math.ceil(drill.markets / 2);
  // At this pace the new keywords take ten seconds: the queue has entries when the worker dies.
  let worker = startHost(drill, 'worker', { ...all, ...everyPace(String(6 * more)) });
  try {
    const client = await waitForApi(api, token);
    await waitForWorker(worker);
    const to = tracked + more;
    const added = await trackKeywords(client, tracked, to);
    // A dead worker leaves its jobs in the queue, so that there is something to lose.
    await until(async () => (await queue.count()) > 0, 60_000, 'work in the queue');
    await worker.kill('SIGKILL');
    const lost = await queue.count();
    await queue.empty();
    const open = await countOpen(databaseUrl);
    drill.say(
      `             ${added} keyword markets were added. With ${open} of them still to check,`,
    );
    drill.say(`             the queue in ${name} lost its ${lost} entries.`);
    worker = startHost(drill, 'worker', all);
    await timed(
      drill,
      (rows) => `everything was scheduled again; ${rows} positions are true`,
      () => compareAll(drill, databaseUrl),
    );
    return to;
  } finally {
    await Promise.all([worker.kill('SIGTERM'), api.kill('SIGTERM')]);
  }
}

interface Queue {
  name: string;
  /** Its entries. */
  count(): Promise<number>;
  empty(): Promise<void>;
}

function queueInPostgres(url: string): Queue {
  const withClient = async <T>(work: (client: pg.Client) => Promise<T>): Promise<T> => {
    const client = new pg.Client({ connectionString: url });
    await client.connect();
    try {
      return await work(client);
    } finally {
      await client.end();
    }
  };
  return {
    name: 'PostgreSQL',
    count: () =>
      withClient(async (client) => {
        const { rows } = await client.query<{ jobs: number }>(
          `select count(*)::int as jobs from bullmq.job
           where state in ('waiting', 'active', 'delayed')`,
        );
        return rows[0]!.jobs;
      }),
    empty: () =>
      withClient(async (client) => void (await client.query('truncate bullmq.job cascade'))),
  };
}

function queueInRedis(url: string): Queue {
  const withClient = async <T>(work: (redis: Redis) => Promise<T>): Promise<T> => {
    const redis = new Redis(url);
    return work(redis).finally(() => redis.disconnect());
  };
  return {
    name: 'Redis',
    count: () =>
      withClient(async (redis) => {
        const [lists, sets] = await Promise.all([
          redis.keys('*:wait'),
          redis.keys('*:prioritized'),
        ]);
        const lengths = [
          ...lists.map((key) => redis.llen(key)),
          ...sets.map((key) => redis.zcard(key)),
        ];
        return (await Promise.all(lengths)).reduce((sum, length) => sum + length, 0);
      }),
    empty: () => withClient(async (redis) => void (await redis.flushall())),
  };
}
