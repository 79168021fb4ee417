import { spawn } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Redis } from 'ioredis';
import { findProgram } from './find-program.ts';
import { findFreePort } from './free-port.ts';

/** `npm run deployment` also runs tests of Redis with `valkey-server`. */
export const redisName = process.env.REDIS_PROGRAM ?? 'redis-server';

/** The same tests ran with all other stores before. */
export const testsRedisOnly = process.env.REDIS_PROGRAM !== undefined;

/** Where it is installed; undefined where it is not. */
export const redisProgram = findProgram(redisName);

export interface TestRedis {
  url: string;
  pid: number;
  /** The memory limit, such as `1mb`. */
  setMemory(size: string): Promise<void>;
  set(key: string, value: string): Promise<void>;
  /** Moves every member of a sorted set. */
  addToScores(key: string, by: number): Promise<void>;
  stop(): Promise<void>;
}

/**
 * A Redis of our own with the product's settings; null where none is installed. `prefix`
 * goes before the program.
 */
export async function startRedis({
  host = '127.0.0.1',
  prefix = [] as readonly string[],
} = {}): Promise<TestRedis | null> {
  if (redisProgram === undefined) return null;
  const directory = await mkdtemp(join(tmpdir(), 'toprung-redis-'));
  const port = await findFreePort();
  const settings = {
    port,
    bind: host,
    'protected-mode': 'no',
    maxmemory: '192mb',
    'maxmemory-policy': 'noeviction',
    save: '',
    appendonly: 'yes',
    dir: directory,
  };
  const options = Object.entries(settings).flatMap(([name, value]) => [`--${name}`, String(value)]);
  const [program, ...args] = [...prefix, redisProgram, ...options];
  const child = spawn(program!, args, { stdio: ['ignore', 'pipe', 'ignore'] });
  const exited = new Promise((resolve) => child.once('exit', resolve));
  await new Promise<void>((resolve, reject) => {
    child.stdout.on('data', (text: Buffer) => text.includes('Ready to accept') && resolve());
    void exited.then(() => reject(new Error(`${redisName} ended at once`)));
  });
  const ask = async (question: (redis: Redis) => Promise<unknown>) => {
    const redis = new Redis(port, host);
    await question(redis);
    redis.disconnect();
  };
  return {
    url: `redis://${host}:${port}`,
    pid: child.pid!,
    setMemory: (size) => ask((redis) => redis.config('SET', 'maxmemory', size)),
    set: (key, value) => ask((redis) => redis.set(key, value)),
    addToScores: (key, by) =>
      ask(async (redis) => {
        const members: string[] = await redis.zrange(key, '0', '-1');
        for (const member of members) await redis.zincrby(key, by, member);
      }),
    stop: async () => {
      child.kill('SIGKILL');
      await exited;
      await rm(directory, { recursive: true, force: true });
    },
  };
}
