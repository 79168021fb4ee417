import { Redis } from 'ioredis';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { silentLogger } from '#lib/logger.ts';
import { connectRedis } from '#queue/redis.ts';
import { redisName, redisProgram } from '../harness/redis.ts';
import { startRedis, type Backend } from './redis-backend.ts';

if (redisProgram === undefined)
  console.info(`${redisName} is not installed: its refusals of writes are not tested`);

describe.skipIf(redisProgram === undefined)('a Redis', () => {
  let redis: Backend;
  let queue: ReturnType<typeof connectRedis>;
  beforeAll(async () => {
    redis = await startRedis();
    queue = connectRedis({ queueUrl: redis.queueUrl!, log: silentLogger, onError: () => {} });
  });
  afterAll(async () => {
    await queue.close();
    await redis.stop();
  });

  const expectWritable = (state: boolean | null) =>
    expect.poll(() => queue.isWritable(), { timeout: 20_000 }).toBe(state);

  test('that refuses writes differs from one that does not respond', async () => {
    await expectWritable(true);
    const admin = new Redis(redis.queueUrl!);
    await admin.config('SET', 'maxmemory', '1');
    await expectWritable(false);
    await admin.config('SET', 'maxmemory', '0');
    await expectWritable(true);
    admin.disconnect();
    await redis.down();
    await expectWritable(null);
    await redis.up();
    await expectWritable(true);
  });
});
