import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';

const pack = promisify(gzip);
const chunkBytes = 1_048_576;
const maxBytes = 4 * 1_073_741_824;

/** Collects lines into chunks of a mebibyte and compresses each. Throws above 4 GiB. */
export class ChunkWriter {
  rows = 0;
  bytes = 0;
  private readonly hash = createHash('sha256');
  private readonly keep: (number: number, data: Buffer) => Promise<void>;
  private pending: string[] = [];
  private pendingBytes = 0;
  private number = 0;

  constructor(keep: (number: number, data: Buffer) => Promise<void>) {
    this.keep = keep;
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
    if (this.bytes > maxBytes) throw new RangeError('an export holds at most 4 GiB');
    if (this.pendingBytes >= chunkBytes) await this.flush();
  }

  private async flush(): Promise<void> {
    const text = this.pending.join('');
    this.pending = [];
    this.pendingBytes = 0;
    await this.keep(this.number, await pack(text, { level: 5 }));
    this.number += 1;
  }
}
