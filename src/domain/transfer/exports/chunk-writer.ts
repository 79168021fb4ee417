import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import { PermanentFailure } from '#domain/base/jobs/permanent-failure.ts';
import { formatBytes } from '#lib/format-bytes.ts';

const pack = promisify(gzip);
const chunkBytes = 1_048_576;
const lineFeed = 10;

/**
 * Collects lines into chunks of a mebibyte and compresses each. Throws PermanentFailure above
 * `bytesMax`.
 */
export class ChunkWriter {
  rows = 0;
  bytes = 0;
  private readonly hash = createHash('sha256');
  private readonly keep: (number: number, data: Buffer) => Promise<void>;
  private readonly bytesMax: number;
  private pending: string[] = [];
  private pendingBytes = 0;
  /** Complete chunks, and so the number of the next. */
  chunks = 0;

  constructor(keep: (number: number, data: Buffer) => Promise<void>, bytesMax: number) {
    this.keep = keep;
    this.bytesMax = bytesMax;
  }

  /** Counts and hashes what an earlier process wrote. The next line follows it. */
  async continueAfter(chunks: AsyncIterable<Buffer>): Promise<void> {
    for await (const chunk of chunks) {
      this.hash.update(chunk);
      this.bytes += chunk.length;
      for (const byte of chunk) if (byte === lineFeed) this.rows += 1;
      this.chunks += 1;
    }
  }

  /** Ends the chunk, so that a part ends with it. False while it is too small for that. */
  async endChunk(minBytes = 1): Promise<boolean> {
    if (this.pendingBytes < minBytes) return false;
    await this.flush();
    return true;
  }

  async write(line: string): Promise<void> {
    const text = `${line}\n`;
    this.hash.update(text);
    this.rows += 1;
    await this.take(text);
  }

  /** The last line, which is not counted and holds count and hash. */
  async end(): Promise<string> {
    const sha256 = this.hash.digest('hex');
    await this.take(`${JSON.stringify({ end: { lines: this.rows, sha256 } })}\n`);
    await this.flush();
    return sha256;
  }

  private async take(text: string): Promise<void> {
    this.pending.push(text);
    const size = Buffer.byteLength(text);
    this.pendingBytes += size;
    this.bytes += size;
    if (this.bytes > this.bytesMax) throw tooLarge(this.bytesMax);
    if (this.pendingBytes >= chunkBytes) await this.flush();
  }

  private async flush(): Promise<void> {
    const text = this.pending.join('');
    this.pending = [];
    this.pendingBytes = 0;
    await this.keep(this.chunks, await pack(text, { level: 5 }));
    this.chunks += 1;
  }
}

const tooLarge = (bytesMax: number) =>
  new PermanentFailure(
    `the file would be larger than ${formatBytes(bytesMax)}, the most that an import takes; ` +
      'export the data of single apps instead, or ask the operator for a backup of the instance',
  );
