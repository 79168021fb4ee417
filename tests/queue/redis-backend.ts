import { spawn, type ChildProcess } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { findFreePort } from '../harness/free-port.ts';
import { redisProgram } from '../harness/redis.ts';

export interface Backend {
  name: 'postgres' | 'redis';
  queueUrl: string | null;
  /** Kills the store and starts it again. */
  crash(): Promise<void>;
  down(): Promise<void>;
  up(): Promise<void>;
  stop(): Promise<void>;
}

/** A Redis of its own on a free port, with every write on disk before its response. */
export async function startRedis(settings: string[] = []): Promise<Backend> {
  const port = await findFreePort();
  const directory = mkdtempSync(join(tmpdir(), 'toprung-redis-'));
  const args = [
    '--port',
    String(port),
    '--bind',
    '127.0.0.1',
    '--dir',
    directory,
    '--save',
    '',
    '--appendonly',
    'yes',
    '--appendfsync',
    'always',
  ];
  let child: ChildProcess;
  const start = async () => {
    child = spawn(
      redisProgram ?? '',
      [...args, '--maxmemory', '64mb', '--maxmemory-policy', 'noeviction', ...settings],
      // One that a failed test left running would keep an inherited stderr open, and the run waits.
      { stdio: ['ignore', 'pipe', 'ignore'] },
    );
    const lines = createInterface({ input: child.stdout ?? process.stdin });
    for await (const line of lines) if (line.includes('Ready to accept connections')) break;
    child.stdout?.resume();
  };
  const stop = async () => {
    const gone = new Promise((resolve) => child.once('close', resolve));
    child.kill('SIGKILL');
    await gone;
  };
  await start();
  return {
    name: 'redis',
    queueUrl: `redis://127.0.0.1:${port}`,
    crash: async () => {
      await stop();
      await start();
    },
    down: stop,
    up: start,
    stop: async () => {
      await stop();
      rmSync(directory, { recursive: true, force: true });
    },
  };
}
