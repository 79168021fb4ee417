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

export interface Swift {
  settings: BucketSettings;
  stop(): Promise<void>;
}

/** Starts it with a bucket of this name. */
export async function startSwift(bucket: string): Promise<Swift> {
  const folder = await mkdtemp(join(tmpdir(), 'toprung-swift-'));
  const port = await findFreePort();
  const [accessKeyId, secretAccessKey] = ['test:tester', 'a-secret-of-the-tests'];
  const child = spawn(python, [program, folder, String(port), accessKeyId, secretAccessKey], {
    stdio: ['pipe', 'ignore', 'ignore'],
  });
  const exited = new Promise((resolve) => child.once('exit', resolve));
  const endpoint = `http://127.0.0.1:${port}`;
  const settings = { endpoint, region: 'us-east-1', accessKeyId, secretAccessKey };
  const client = new S3Client({ ...settings, credentials: settings, forcePathStyle: true });
  const create = () =>
    client.send(new CreateBucketCommand({ Bucket: bucket })).then(
      () => true,
      // A request at the start may create it and fail all the same.
      ({ name }: Error) => name.startsWith('BucketAlready'),
    );
  await until(create, 60_000, 'a bucket of Swift');
  return {
    settings: { ...settings, hasPathStyle: true },
    stop: async () => {
      client.destroy();
      child.stdin.end();
      await exited;
      await rm(folder, { recursive: true, force: true });
    },
  };
}
