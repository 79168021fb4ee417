import type pg from 'pg';
import { sendCopy, type CopyConnection } from './copy-connection.ts';

/** The server sends a message for each row; that many bytes of them are passed on at once. */
const chunkBytes = 256 * 1024;
/** The server is slowed down while that many chunks wait. */
const maxWaiting = 4;

/**
 * The output of `COPY … TO STDOUT`, in chunks that may split a row. A reader that stops early
 * leaves the connection unusable: close it.
 */
export async function* copyOut(client: pg.ClientBase, sql: string): AsyncGenerator<Buffer> {
  const rows = new RowChunks();
  let connection: CopyConnection | null = null;
  let wake = Promise.withResolvers<void>();
  let failure: Error | null = null;
  let isDone = false;
  sendCopy(client, {
    submit: (own) => {
      connection = own;
      own.query(sql);
    },
    handleCopyData: ({ chunk }, own) => {
      rows.add(chunk);
      if (rows.full.length === 0) return;
      if (rows.full.length >= maxWaiting) own.stream.pause();
      wake.resolve();
    },
    handleReadyForQuery: () => {
      rows.flush();
      isDone = true;
      wake.resolve();
    },
    handleError: (error) => {
      failure = error;
      isDone = true;
      wake.resolve();
    },
    handleCopyInResponse: (own) => own.sendCopyFail('COPY TO was expected'),
    handleCommandComplete: () => {},
    handleRowDescription: () => {},
    handleDataRow: () => {},
  });
  const resume = () => connection?.stream.resume();
  for (;;) {
    await wake.promise;
    wake = Promise.withResolvers<void>();
    // Bytes that came before the failure are not worth anything.
    if (failure !== null) throw failure as Error;
    while (rows.full.length > 0) yield rows.full.shift()!;
    if (isDone && rows.full.length === 0) {
      if (failure !== null) throw failure as Error;
      return;
    }
    resume();
  }
}

/** Copies rows into larger chunks: the driver reuses the memory of its messages. */
class RowChunks {
  readonly full: Buffer[] = [];
  private filling = Buffer.allocUnsafe(chunkBytes);
  private used = 0;

  add(row: Buffer): void {
    if (this.used + row.length > chunkBytes) this.flush();
    if (row.length > chunkBytes) {
      this.full.push(Buffer.from(row));
      return;
    }
    this.used += row.copy(this.filling, this.used);
  }

  flush(): void {
    if (this.used === 0) return;
    this.full.push(this.filling.subarray(0, this.used));
    this.filling = Buffer.allocUnsafe(chunkBytes);
    this.used = 0;
  }
}
