import { spawn, spawnSync } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { CreateBucketCommand, S3Client } from '@aws-sdk/client-s3';
import type { BucketSettings } from '#backups/bucket/bucket.ts';
import { findFreePort } from './free-port.ts';
import { until } from './load-recorder.ts';

const python = '/usr/bin/python3';
const program = fileURLToPath(new URL('./swift-server.py', import.meta.url));

/** OpenStack Swift of Debian (`python3-swift`), whose S3 API is tested against Amazon's. */
export const hasSwift = spawnSync(python, ['-c', 'import swift']).status === 0;

const attempts = 3;
const startMs = 30_000;
const responseMs = 10_000;

export interface Swift {
  settings: BucketSettings;
  stop(): Promise<void>;
}

/**
 * Starts it with a bucket of this name. Its ports were free a moment before: where another test has
 * taken one meanwhile, it starts anew.
 */
export async function startSwift(bucket: string): Promise<Swift> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await tryStart(bucket);
    } catch (error) {
      if (attempt === attempts) throw error;
    }
  }
}

async function tryStart(bucket: string): Promise<Swift> {
  const folder = await mkdtemp(join(tmpdir(), 'toprung-swift-'));
  const port = await findFreePort();
  const [accessKeyId, secretAccessKey] = ['test:tester', 'a-secret-of-the-tests'];
  const child = spawn(python, [program, folder, String(port), accessKeyId, secretAccessKey], {
    stdio: ['pipe', 'ignore', 'pipe'],
  });
  let errors = '';
  child.stderr.setEncoding('utf8').on('data', (part: string) => (errors += part));
  const exited = new Promise((resolve) => child.once('exit', resolve));
  const endpoint = `http://127.0.0.1:${port}`;
  const settings = { endpoint, region: 'us-east-1', accessKeyId, secretAccessKey };
  const client = new S3Client({ ...settings, credentials: settings, forcePathStyle: true });
  const stop = async () => {
    client.destroy();
    child.stdin.end();
    await exited;
    await rm(folder, { recursive: true, force: true });
  };
  let lastError = '';
  const create = () =>
    client
      .send(new CreateBucketCommand({ Bucket: bucket }), {
        abortSignal: AbortSignal.timeout(responseMs),
      })
      .then(
        () => true,
        (error: Error) => {
          lastError = `${error.name}: ${error.message}`;
          // A request at the start may create it and fail all the same.
          return error.name.startsWith('BucketAlready');
        },
      );
  try {
    await until(create, startMs, 'a bucket of Swift');
  } catch (error) {
    await stop();
    throw new Error(`${(error as Error).message}; it said: ${lastError} ${errors}`, {
      cause: error,
    });
  }
  return { settings: { ...settings, hasPathStyle: true }, stop };
}
