import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { open, type FileHandle } from 'node:fs/promises';
import pLimit from 'p-limit';
import { BucketError } from './bucket-error.ts';
import type { Bucket, StoredPart } from './bucket.ts';

const mebibyte = 2 ** 20;
/** Every part but the last has at least 5 MiB, and an upload has at most 10,000 parts. */
const minPartBytes = 8 * mebibyte;
const maxParts = 9_000;
const partsAtOnce = 3;

export interface UploadedFile {
  bytes: number;
  sha256: string;
  seconds: number;
  /** Parts that an earlier, killed upload had left. */
  continuedParts: number;
  parts: number;
}

interface Upload {
  uploadId: string;
  /** The parts that the storage has, by number. */
  stored: ReadonlyMap<number, StoredPart>;
}

/**
 * Uploads a file in parts, continues what a killed upload of the same file left, and compares size
 * and SHA-256 afterwards. Nothing is uploaded when the bucket has the file. Throws BucketError.
 */
export async function uploadFile(bucket: Bucket, key: string, path: string): Promise<UploadedFile> {
  const startedMs = performance.now();
  const file = await open(path, 'r');
  try {
    const { size: bytes } = await file.stat();
    const sha256 = await hashFile(path);
    const parts = await uploadParts(bucket, key, { file, bytes, sha256 });
    const seconds = (performance.now() - startedMs) / 1_000;
    return { bytes, sha256, seconds, ...parts };
  } finally {
    await file.close();
  }
}

interface LocalFile {
  file: FileHandle;
  bytes: number;
  sha256: string;
}

async function uploadParts(
  bucket: Bucket,
  key: string,
  local: LocalFile,
): Promise<Pick<UploadedFile, 'parts' | 'continuedParts'>> {
  const parts = Math.ceil(local.bytes / partBytesOf(local.bytes));
  const unfinished = await findUnfinished(bucket, key);
  if (await hasObject(bucket, key, local)) return { parts, continuedParts: parts };
  const upload = await continueUpload(bucket, key, local, unfinished);
  const done = await uploadMissing(bucket, key, local, upload);
  await complete(bucket, key, upload.uploadId, done);
  await requireSame(bucket, key, local);
  return { parts, continuedParts: done.filter(({ isContinued }) => isContinued).length };
}

/** False without an object. Throws for one with other contents. */
async function hasObject(
  bucket: Bucket,
  key: string,
  { bytes, sha256 }: LocalFile,
): Promise<boolean> {
  const found = await bucket.findObject(key);
  if (found === null) return false;
  if (found.bytes === bytes && found.sha256 === sha256) return true;
  throw new BucketError(
    'Exists',
    `s3://${bucket.name}/${key} exists already, with other contents. Name the file otherwise.`,
  );
}

interface DonePart {
  number: number;
  etag: string;
  /** It was there already. */
  isContinued: boolean;
}

/** A few parts at a time, so that memory stays small. */
async function uploadMissing(
  bucket: Bucket,
  key: string,
  local: LocalFile,
  { uploadId, stored }: Upload,
): Promise<DonePart[]> {
  const partBytes = partBytesOf(local.bytes);
  const limit = pLimit(partsAtOnce);
  const upload = async (number: number): Promise<DonePart> => {
    const body = await readPart(local, (number - 1) * partBytes, partBytes);
    const there = stored.get(number);
    if (there !== undefined && isSamePart(there, body))
      return { number, etag: there.etag, isContinued: true };
    const etag = await bucket.uploadPart(key, uploadId, number, body);
    return { number, etag, isContinued: false };
  };
  const numbers = Array.from({ length: Math.ceil(local.bytes / partBytes) }, (_, at) => at + 1);
  try {
    return await Promise.all(numbers.map((number) => limit(() => upload(number))));
  } finally {
    limit.clearQueue();
  }
}

/** The same for every version, so that an upload can be continued by a later one. */
const partBytesOf = (bytes: number): number =>
  Math.max(minPartBytes, Math.ceil(bytes / maxParts / mebibyte) * mebibyte);

/** The newest upload of this key; older ones of it are aborted. */
async function findUnfinished(bucket: Bucket, key: string): Promise<string | null> {
  const uploads = (await bucket.listUploads(key))
    .filter((upload) => upload.key === key)
    .toSorted((a, b) => Number(b.begunAt) - Number(a.begunAt));
  for (const { uploadId } of uploads.slice(1)) await bucket.abortUpload(key, uploadId);
  return uploads[0]?.uploadId ?? null;
}

/** An upload whose first stored part is another one belongs to another file. */
async function continueUpload(
  bucket: Bucket,
  key: string,
  local: LocalFile,
  uploadId: string | null,
): Promise<Upload> {
  if (uploadId !== null) {
    const parts = await bucket.listParts(key, uploadId).catch(nullIfGone);
    const first = parts?.[0];
    const partBytes = partBytesOf(local.bytes);
    const isOurs =
      first !== undefined &&
      isSamePart(first, await readPart(local, (first.number - 1) * partBytes, partBytes));
    if (isOurs) return { uploadId, stored: new Map(parts!.map((part) => [part.number, part])) };
    if (parts !== null) await bucket.abortUpload(key, uploadId).catch(nullIfGone);
  }
  return { uploadId: await bucket.beginUpload(key, local.sha256), stored: new Map() };
}

function nullIfGone(error: unknown): null {
  if ((error as BucketError).code === 'NoSuchUpload') return null;
  throw error;
}

/** Storage with ETags that are no MD5 gets the part again. */
function isSamePart(stored: StoredPart, body: Buffer): boolean {
  if (stored.bytes !== body.length) return false;
  return stored.etag.replaceAll('"', '') === createHash('md5').update(body).digest('hex');
}

async function readPart({ file }: LocalFile, position: number, length: number): Promise<Buffer> {
  const bytes = Buffer.allocUnsafe(length);
  const { bytesRead } = await file.read(bytes, 0, length, position);
  return bytes.subarray(0, bytesRead);
}

/** The response to an upload that was completed may be lost; it then looks like an unknown one. */
async function complete(
  bucket: Bucket,
  key: string,
  uploadId: string,
  parts: readonly DonePart[],
): Promise<void> {
  try {
    await bucket.completeUpload(key, uploadId, parts);
  } catch (error) {
    if ((error as BucketError).code !== 'NoSuchUpload') throw error;
    if ((await bucket.findObject(key)) === null) throw error;
  }
}

async function requireSame(
  bucket: Bucket,
  key: string,
  { bytes, sha256 }: LocalFile,
): Promise<void> {
  const found = await bucket.findObject(key);
  if (found?.bytes === bytes && found.sha256 === sha256) return;
  await bucket.deleteObject(key);
  throw new BucketError(
    'Damaged',
    `s3://${bucket.name}/${key} is not what was uploaded and was removed. Try again.`,
  );
}

async function hashFile(path: string): Promise<string> {
  const hash = createHash('sha256');
  for await (const chunk of createReadStream(path, { highWaterMark: mebibyte }))
    hash.update(chunk as Buffer);
  return hash.digest('hex');
}
