import { createHash, randomBytes } from 'node:crypto';
import dns from 'node:dns';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import { Bucket, type BucketSettings } from '#backups/bucket/bucket.ts';
import type { BucketError } from '#backups/bucket/bucket-error.ts';
import { parseObjectAddress } from '#backups/bucket/object-address.ts';
import { openObjectSource } from '#backups/bucket/object-source.ts';
import { removeBackup, uploadBackup } from '#backups/bucket/upload-backup.ts';
import { openBackup, readBackup } from '#backups/open-backup.ts';
import { s3Key, startS3Server, type S3Server } from '../harness/s3-server.ts';
import { hasSwift, startSwift, type Swift } from '../harness/swift.ts';
import { writeLargeBackup } from './large-backup.fixtures.ts';

const mebibyte = 2 ** 20;
const partBytes = 8 * mebibyte;
const name = 'toprung-2026-11-24T130500Z.backup';
const bucketName = 'backups-of-tests';
const uploadedAt = new Date();

let folder: string;
/** A file of three parts. */
let path: string;
/** A file of one part, with the same name. */
let smallPath: string;
let sha256: string;
let server: S3Server;
let swift: Swift | null = null;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'toprung-test-bucket-'));
  path = join(folder, name);
  await writeLargeBackup(path, 17 * mebibyte);
  smallPath = join(await mkdtemp(join(folder, 'small-')), name);
  await writeLargeBackup(smallPath, mebibyte);
  sha256 = createHash('sha256')
    .update(await readFile(path))
    .digest('hex');
  server = await startS3Server(bucketName);
  if (hasSwift) swift = await startSwift(bucketName);
  else
    console.log('OpenStack Swift (python3-swift) is not installed: the test server replaces it.');
});
afterEach(() => {
  server.fault = () => null;
  server.skewMs = 0;
  server.capacityBytes = Infinity;
  server.objects.clear();
  server.uploads.clear();
  server.requests.length = 0;
});
afterAll(async () => {
  await server.close();
  await swift?.stop();
  await rm(folder, { recursive: true });
});

const settingsOf = (): BucketSettings => ({ endpoint: server.url, ...s3Key, hasPathStyle: true });
const upload = (settings = settingsOf(), file = path) =>
  uploadBackup({ settings, folder: `s3://${bucketName}/of/tests`, path: file, now: uploadedAt });
const key = `of/tests/${name}`;

/** The error of an upload with these settings. */
const refuse = async (
  change: Partial<BucketSettings> = {},
  file = smallPath,
): Promise<BucketError> =>
  upload({ ...settingsOf(), ...change }, file).then(
    () => expect.unreachable('it was uploaded'),
    (error: BucketError) => error,
  );

describe.each([
  { kind: 'the test server', settings: settingsOf, isThere: true },
  { kind: 'OpenStack Swift', settings: () => swift!.settings, isThere: hasSwift },
])('with $kind, an upload', ({ settings, isThere }) => {
  test.runIf(isThere)('is continued, compared, read back, and removed by its hash', async () => {
    const bucket = new Bucket(settings(), bucketName);
    const first = (await readFile(path)).subarray(0, partBytes);
    const uploadId = await bucket.beginUpload(key, sha256);
    await bucket.uploadPart(key, uploadId, 1, first);
    const uploaded = await upload(settings());
    expect(uploaded).toMatchObject({ sha256, parts: 3, continuedParts: 1 });
    expect(uploaded.url).toBe(`s3://${bucketName}/${key}`);
    expect(await bucket.listUploads('of/')).toEqual([]);
    expect(await bucket.findObject(key)).toEqual({ bytes: uploaded.bytes, sha256 });
    // A repetition finds it there.
    expect((await upload(settings())).continuedParts).toBe(3);
    await readBackup(await openBackup(await openObjectSource(bucket, key)));
    const url = uploaded.url;
    expect(await removeBackup(settings(), url, 'f'.repeat(64))).toBe(false);
    expect(await removeBackup(settings(), url, sha256)).toBe(true);
    expect(await bucket.findObject(key)).toBeNull();
    expect(await removeBackup(settings(), url, sha256)).toBe(false);
    bucket.close();
  });

  test.runIf(isThere)('of another file under the same name begins anew', async () => {
    const bucket = new Bucket(settings(), bucketName);
    const uploadId = await bucket.beginUpload(key, 'f'.repeat(64));
    await bucket.uploadPart(key, uploadId, 1, randomBytes(partBytes));
    expect(await upload(settings())).toMatchObject({ sha256, continuedParts: 0 });
    expect(await bucket.listUploads('of/')).toEqual([]);
    const other = await mkdtemp(join(folder, 'other-'));
    await writeLargeBackup(join(other, name), 1);
    await expect(upload(settings(), join(other, name))).rejects.toThrow('exists already');
    await bucket.deleteObject(key);
    bucket.close();
  });

  test.runIf(isThere)('with a wrong secret is refused', async () => {
    const error = await refuse({ ...settings(), secretAccessKey: 'another' });
    expect(error.code).toBe('SignatureDoesNotMatch');
  });
});

describe('an upload', () => {
  test('goes on through busy storage and cut connections', async () => {
    const attempts = new Map<string | null, number>();
    server.fault = ({ method, query }) => {
      if (method !== 'PUT') return null;
      const part = query.get('partNumber');
      const attempt = (attempts.get(part) ?? 0) + 1;
      attempts.set(part, attempt);
      return attempt === 1 ? { status: 503, code: 'SlowDown' } : attempt === 2 ? 'drop' : null;
    };
    expect(await upload()).toMatchObject({ sha256, parts: 3 });
    expect([...attempts.values()]).toEqual([3, 3, 3]);
  });

  test('whose completion was done while its response was lost is complete', async () => {
    let lost = 0;
    server.fault = ({ method, query }) =>
      method === 'POST' && query.has('uploadId') && lost++ === 0 ? 'lose' : null;
    expect(await upload()).toMatchObject({ sha256 });
    expect(lost).toBe(2);
  });

  test('that arrives with another hash is removed, not kept as a good one', async () => {
    server.fault = ({ method, query }) => {
      if (method === 'POST' && query.has('uploadId'))
        for (const one of server.uploads.values()) one.metadata = { sha256: 'f'.repeat(64) };
      return null;
    };
    const error = await refuse();
    expect(error.message).toContain('is not what was uploaded');
    expect(server.objects.size).toBe(0);
  });

  test('that nobody continued for a day is aborted, unlike those of others', async () => {
    const bucket = new Bucket(settingsOf(), bucketName);
    const keys = [`of/tests/toprung-2026-11-01T010000Z.backup`, 'of/tests/film.mp4', 'of/x.backup'];
    for (const one of keys) await bucket.beginUpload(one, sha256);
    for (const one of server.uploads.values()) one.begunAt = new Date(0);
    await upload(settingsOf(), smallPath);
    const left = (await bucket.listUploads('')).map((one) => one.key);
    expect(left.toSorted()).toEqual(['of/tests/film.mp4', 'of/x.backup']);
    bucket.close();
  });

  test('uses the bucket in the path or in the host', async () => {
    const lookup = vi
      .spyOn(dns, 'lookup')
      .mockImplementation(((
        _host: string,
        options: { all?: boolean },
        done: (error: null, address: unknown, family?: number) => void,
      ) =>
        options.all
          ? done(null, [{ address: '127.0.0.1', family: 4 }])
          : done(null, '127.0.0.1', 4)) as never);
    expect(await upload({ ...settingsOf(), hasPathStyle: false })).toMatchObject({ sha256 });
    expect(lookup.mock.calls.every(([host]) => host === `${bucketName}.localhost`)).toBe(true);
    lookup.mockRestore();
  });
});

describe('an object that is read', () => {
  test('goes on where a connection broke', async () => {
    await upload();
    let cuts = 3;
    server.fault = ({ method }) => (method === 'GET' && cuts-- > 0 ? 'truncate' : null);
    const bucket = new Bucket(settingsOf(), bucketName);
    const backup = await openBackup(await openObjectSource(bucket, key));
    cuts = 3;
    await readBackup(backup);
    expect(cuts).toBeLessThan(0);
    bucket.close();
  });

  test('is refused when it was replaced meanwhile', async () => {
    await upload();
    const bucket = new Bucket(settingsOf(), bucketName);
    const backup = await openBackup(await openObjectSource(bucket, key));
    server.objects.get(key)!.etag = '"another"';
    await expect(readBackup(backup)).rejects.toThrow('it was replaced while it was read');
    bucket.close();
  });
});

describe('an error says what to do next:', () => {
  test.each([
    [{ accessKeyId: 'unknown' }, 'correct BACKUP_S3_ACCESS_KEY_ID'],
    [{ secretAccessKey: 'wrong' }, 'correct BACKUP_S3_SECRET_ACCESS_KEY'],
    [{ secretAccessKey: null }, 'needs BACKUP_S3_ACCESS_KEY_ID and BACKUP_S3_SECRET_ACCESS_KEY'],
    [{ region: 'elsewhere' }, 'correct BACKUP_S3_REGION'],
    [{ endpoint: 'http://127.0.0.1:9' }, 'check BACKUP_S3_ENDPOINT and the network'],
    [{ endpoint: 'http://no-such-host.invalid' }, 'cannot be resolved'],
  ])('%j', async (change, expected) => {
    expect((await refuse(change)).message).toContain(expected);
  });

  test('no bucket, no permission, a clock that is wrong, a bucket that is full', async () => {
    server.bucket = 'another';
    expect((await refuse()).message).toContain('create it, or correct BACKUP_S3_URL');
    server.bucket = bucketName;
    server.fault = () => ({ status: 403, code: 'AccessDenied' });
    expect((await refuse()).message).toContain('needs s3:ListBucket');
    server.fault = () => null;
    server.capacityBytes = 9 * mebibyte;
    expect((await refuse({}, path)).message).toContain('lower BACKUP_S3_KEEP');
    // The upload goes on once there is space.
    server.capacityBytes = Infinity;
    expect((await upload()).continuedParts).toBeGreaterThanOrEqual(1);
  });

  test('a clock that is wrong by hours is corrected for by the time of the storage', async () => {
    server.skewMs = 5 * 3_600_000;
    expect(await upload(settingsOf(), smallPath)).toMatchObject({ parts: 1 });
  });

  test('and never has the secret, the signature or the stack of the client', async () => {
    for (const change of [{ secretAccessKey: 'wrong' }, { accessKeyId: 'unknown' }]) {
      const error = await refuse(change);
      const text = JSON.stringify([error.message, error, error.cause]);
      for (const hidden of [s3Key.secretAccessKey, 'Signature=', 'Credential='])
        expect(text).not.toContain(hidden);
    }
  });

  test('an address that is none', () => {
    for (const text of ['s3://', 's3://a', 's3://bucket?x', 's3:/bucket/x', 's3://b u/x'])
      expect(() => parseObjectAddress(text)).toThrow('is no address of an object');
  });
});
