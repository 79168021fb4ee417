import type pg from 'pg';

/** The parts of pg's connection that COPY needs and @types/pg leaves out. */
export interface CopyConnection {
  stream: NodeJS.WritableStream & {
    pause(): void;
    resume(): void;
    writableNeedDrain: boolean;
    destroyed: boolean;
  };
  query(text: string): void;
  sendCopyFromChunk(chunk: Uint8Array): void;
  endCopyFrom(): void;
  sendCopyFail(reason: string): void;
}

/** The messages that pg passes to the statement of a connection. */
export interface CopyStatement {
  submit(connection: CopyConnection): void;
  handleRowDescription(): void;
  handleDataRow(): void;
  handleCopyInResponse(connection: CopyConnection): void;
  handleCopyData(message: { chunk: Buffer }, connection: CopyConnection): void;
  handleCommandComplete(message: { text: string }): void;
  handleReadyForQuery(): void;
  handleError(error: Error): void;
}

export function sendCopy(client: pg.ClientBase, statement: CopyStatement): void {
  client.query(statement as unknown as pg.Submittable);
}
