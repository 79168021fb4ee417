import { setTimeout as sleep } from 'node:timers/promises';
import type { BackupSource } from '../backup-source.ts';
import { BucketError } from './bucket-error.ts';
import type { Bucket, ObjectRange } from './bucket.ts';
import { formatObjectAddress } from './object-address.ts';

const triesWithoutProgress = 5;
const firstWaitMs = 500;
/** Codes after which another request would fail in the same way. */
const lasting = new Set(['NoSuchKey', 'PreconditionFailed', 'AccessDenied', 'NoRanges']);

/** An object that is read as a stream; nothing of it is kept on the disk. Throws BucketError. */
export async function openObjectSource(bucket: Bucket, key: string): Promise<BackupSource> {
  const { stream, bytes, etag } = await bucket.readObject(key, 0, 0);
  stream.destroy();
  return {
    location: formatObjectAddress({ bucket: bucket.name, key }),
    bytes,
    read: (start, end) =>
      readRange((from) => bucket.readObject(key, from, Math.min(end, bytes - 1), etag), {
        start,
        end: Math.min(end, bytes - 1),
      }),
  };
}

/** Goes on where a connection broke, as long as some bytes arrive. */
async function* readRange(
  request: (from: number) => Promise<ObjectRange>,
  { start, end }: { start: number; end: number },
): AsyncGenerator<Buffer> {
  let at = start;
  let failures = 0;
  while (at <= end) {
    try {
      const { stream } = await request(at);
      for await (const chunk of stream as AsyncIterable<Buffer>) {
        at += chunk.length;
        failures = 0;
        yield chunk;
      }
      if (at <= end) throw new BucketError('Truncated', 'The storage sent less than it announced.');
    } catch (error) {
      failures += 1;
      if (failures === triesWithoutProgress || lasting.has((error as BucketError).code))
        throw error instanceof BucketError ? error : interrupted(error as Error);
      await sleep(firstWaitMs * 2 ** (failures - 1));
    }
  }
}

const interrupted = ({ message }: Error): BucketError =>
  new BucketError('Interrupted', `The storage broke off again and again: ${message}. Try again.`);
