import { hash } from 'node:crypto';

export interface RowsMeasured {
  rows: number;
  bytes: number;
  /** The sum of the SHA-256 of every row, in eight numbers of 32 bits each. */
  sha256: string;
}

const newline = 0x0a;

/**
 * Counts and hashes lines of COPY's text format, in which a newline only ever ends a row. The order
 * of rows does not matter: PostgreSQL may store them in another order than they were written.
 */
export class RowMeter {
  private rows = 0;
  private bytes = 0;
  private readonly sums = new Uint32Array(8);
  /** The beginning of a row whose end is in the next chunk. */
  private begun: Buffer[] = [];

  add(chunk: Buffer): void {
    this.bytes += chunk.length;
    let from = 0;
    for (let at = chunk.indexOf(newline); at !== -1; at = chunk.indexOf(newline, from)) {
      this.addRow(chunk.subarray(from, at + 1));
      from = at + 1;
    }
    if (from < chunk.length) this.begun.push(Buffer.from(chunk.subarray(from)));
  }

  /** Ends the measurement. */
  finish(): RowsMeasured {
    if (this.begun.length > 0) this.addHash(Buffer.concat(this.begun));
    const sha256 = Array.from(this.sums, (sum) => sum.toString(16).padStart(8, '0')).join('');
    return { rows: this.rows, bytes: this.bytes, sha256 };
  }

  private addRow(end: Buffer): void {
    this.rows += 1;
    this.addHash(this.begun.length === 0 ? end : Buffer.concat([...this.begun, end]));
    this.begun = [];
  }

  /** A text of bytes: a buffer for each of millions of rows takes three times as long. */
  private addHash(row: Buffer): void {
    const digest = hash('sha256', row, 'binary');
    for (let at = 0, byte = 0; at < this.sums.length; at += 1, byte += 4)
      this.sums[at] =
        this.sums[at]! +
        ((digest.charCodeAt(byte) << 24) |
          (digest.charCodeAt(byte + 1) << 16) |
          (digest.charCodeAt(byte + 2) << 8) |
          digest.charCodeAt(byte + 3));
  }
}
