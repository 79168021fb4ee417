import { createHash } from 'node:crypto';

export interface RowsMeasured {
  rows: number;
  bytes: number;
  sha256: string;
}

const newline = 0x0a;

/** Counts and hashes lines of COPY's text format, in which a newline only ever ends a row. */
export class RowMeter {
  private rows = 0;
  private bytes = 0;
  private readonly hash = createHash('sha256');

  add(chunk: Buffer): void {
    this.bytes += chunk.length;
    this.hash.update(chunk);
    for (let at = chunk.indexOf(newline); at !== -1; at = chunk.indexOf(newline, at + 1))
      this.rows += 1;
  }

  /** Ends the measurement. */
  finish(): RowsMeasured {
    return { rows: this.rows, bytes: this.bytes, sha256: this.hash.digest('hex') };
  }
}
