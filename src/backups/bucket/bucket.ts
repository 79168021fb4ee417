import {
  AbortMultipartUploadCommand,
  CompleteMultipartUploadCommand,
  CreateMultipartUploadCommand,
  DeleteObjectCommand,
  GetObjectCommand,
  HeadObjectCommand,
  ListMultipartUploadsCommand,
  ListPartsCommand,
  S3Client,
  UploadPartCommand,
} from '@aws-sdk/client-s3';
import type { Readable } from 'node:stream';
import { BucketError, explainFailure } from './bucket-error.ts';

export interface BucketSettings {
  /** Null for Amazon S3. */
  endpoint: string | null;
  region: string;
  accessKeyId: string | null;
  secretAccessKey: string | null;
  /** True when requests name the bucket in their path, false when in the host. */
  hasPathStyle: boolean;
}

export interface StoredObject {
  bytes: number;
  /** As the upload declared it; null for an object of another program. */
  sha256: string | null;
}

export interface StoredPart {
  number: number;
  bytes: number;
  etag: string;
}

export interface UnfinishedUpload {
  key: string;
  uploadId: string;
  begunAt: Date | null;
}

export interface ObjectRange {
  stream: Readable;
  /** Bytes of the whole object. */
  bytes: number;
  etag: string;
}

const attempts = 5;
const connectTimeoutMs = 10_000;
/** Completing an upload of many parts may take minutes, in which the storage sends nothing. */
const silenceTimeoutMs = 120_000;

/**
 * A bucket of S3-compatible storage. Every request is signed (version 4) with the hash of its
 * body, and tried again when the storage is busy or the connection breaks. Throws BucketError.
 */
export class Bucket {
  readonly name: string;
  private readonly address: string;
  private readonly client: S3Client;
  private readonly signal: AbortSignal | undefined;

  constructor(settings: BucketSettings, name: string, signal?: AbortSignal) {
    const { endpoint, region, accessKeyId, secretAccessKey, hasPathStyle } = settings;
    if (accessKeyId === null || secretAccessKey === null)
      throw new BucketError(
        'NoCredentials',
        `s3://${name} needs BACKUP_S3_ACCESS_KEY_ID and BACKUP_S3_SECRET_ACCESS_KEY.`,
      );
    this.name = name;
    this.address = endpoint === null ? `s3://${name}` : `s3://${name} at ${endpoint}`;
    this.signal = signal;
    this.client = new S3Client({
      ...(endpoint === null ? { ignoreConfiguredEndpointUrls: true } : { endpoint }),
      region,
      credentials: { accessKeyId, secretAccessKey },
      forcePathStyle: hasPathStyle,
      maxAttempts: attempts,
      retryMode: 'standard',
      // Storage of others does not know the checksums that Amazon added; the hash is signed.
      requestChecksumCalculation: 'WHEN_REQUIRED',
      responseChecksumValidation: 'WHEN_REQUIRED',
      requestHandler: { connectionTimeout: connectTimeoutMs, socketTimeout: silenceTimeoutMs },
    });
  }

  close(): void {
    this.client.destroy();
  }

  /** Null without such an object. */
  async findObject(key: string): Promise<StoredObject | null> {
    try {
      const found = await this.send((options) =>
        this.client.send(new HeadObjectCommand({ Bucket: this.name, Key: key }), options),
      );
      return { bytes: found.ContentLength ?? -1, sha256: found.Metadata?.sha256 ?? null };
    } catch (error) {
      if ((error as BucketError).code === 'NoSuchKey') return null;
      throw error;
    }
  }

  /** Bytes from `start` to `end`, both included, of the object with this ETag. */
  async readObject(key: string, start: number, end: number, etag?: string): Promise<ObjectRange> {
    const { Body, ContentRange, ETag } = await this.send((options) =>
      this.client.send(
        new GetObjectCommand({
          Bucket: this.name,
          Key: key,
          Range: `bytes=${start}-${end}`,
          ...(etag ? { IfMatch: etag } : {}),
        }),
        options,
      ),
    );
    const bytes = Number(/\/(\d+)$/.exec(ContentRange ?? '')?.[1] ?? Number.NaN);
    if (!Body || Number.isNaN(bytes))
      throw new BucketError('NoRanges', `The storage of ${this.address} does not serve ranges.`);
    return { stream: Body as Readable, bytes, etag: ETag ?? '' };
  }

  async deleteObject(key: string): Promise<void> {
    await this.send((options) =>
      this.client.send(new DeleteObjectCommand({ Bucket: this.name, Key: key }), options),
    );
  }

  /** The uploads that nobody has completed or aborted, of keys that begin with the prefix. */
  async listUploads(prefix: string): Promise<UnfinishedUpload[]> {
    const found: UnfinishedUpload[] = [];
    let next: { KeyMarker?: string; UploadIdMarker?: string } = {};
    for (;;) {
      const page = await this.send((options) =>
        this.client.send(
          new ListMultipartUploadsCommand({ Bucket: this.name, Prefix: prefix, ...next }),
          options,
        ),
      );
      for (const { Key: key, UploadId: uploadId, Initiated } of page.Uploads ?? [])
        if (key && uploadId) found.push({ key, uploadId, begunAt: Initiated ?? null });
      const { NextKeyMarker: KeyMarker, NextUploadIdMarker: UploadIdMarker } = page;
      if (!page.IsTruncated || !KeyMarker) return found;
      next = { KeyMarker, ...(UploadIdMarker ? { UploadIdMarker } : {}) };
    }
  }

  async listParts(key: string, uploadId: string): Promise<StoredPart[]> {
    const found: StoredPart[] = [];
    let marker: string | undefined;
    for (;;) {
      const page = await this.send((options) =>
        this.client.send(
          new ListPartsCommand({
            Bucket: this.name,
            Key: key,
            UploadId: uploadId,
            ...(marker ? { PartNumberMarker: marker } : {}),
          }),
          options,
        ),
      );
      for (const { PartNumber: number, Size: bytes, ETag: etag } of page.Parts ?? [])
        if (number && bytes !== undefined && etag) found.push({ number, bytes, etag });
      if (!page.IsTruncated || !page.NextPartNumberMarker) return found;
      marker = page.NextPartNumberMarker;
    }
  }

  /** Returns the id of the upload. */
  async beginUpload(key: string, sha256: string): Promise<string> {
    const { UploadId } = await this.send((options) =>
      this.client.send(
        new CreateMultipartUploadCommand({
          Bucket: this.name,
          Key: key,
          ContentType: 'application/zstd',
          Metadata: { sha256 },
        }),
        options,
      ),
    );
    return UploadId!;
  }

  /** Returns the ETag of the part. */
  async uploadPart(key: string, uploadId: string, number: number, body: Buffer): Promise<string> {
    const { ETag } = await this.send((options) =>
      this.client.send(
        new UploadPartCommand({
          Bucket: this.name,
          Key: key,
          UploadId: uploadId,
          PartNumber: number,
          Body: body,
          ContentLength: body.length,
        }),
        options,
      ),
    );
    return ETag!;
  }

  async completeUpload(
    key: string,
    uploadId: string,
    parts: readonly Pick<StoredPart, 'number' | 'etag'>[],
  ): Promise<void> {
    const Parts = parts.map(({ number, etag }) => ({ PartNumber: number, ETag: etag }));
    await this.send((options) =>
      this.client.send(
        new CompleteMultipartUploadCommand({
          Bucket: this.name,
          Key: key,
          UploadId: uploadId,
          MultipartUpload: { Parts },
        }),
        options,
      ),
    );
  }

  async abortUpload(key: string, uploadId: string): Promise<void> {
    await this.send((options) =>
      this.client.send(
        new AbortMultipartUploadCommand({ Bucket: this.name, Key: key, UploadId: uploadId }),
        options,
      ),
    );
  }

  private async send<T>(request: (options: { abortSignal?: AbortSignal }) => Promise<T>) {
    try {
      return await request(this.signal ? { abortSignal: this.signal } : {});
    } catch (error) {
      this.signal?.throwIfAborted();
      throw explainFailure(this.address, error);
    }
  }
}
