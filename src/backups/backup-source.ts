import { createReadStream } from 'node:fs';
import { open, stat } from 'node:fs/promises';
import { BackupFileError } from './backup-file-error.ts';

/** Where the bytes of a backup are: a file, or an object of S3-compatible storage. */
export interface BackupSource {
  /** The path or the address. */
  location: string;
  bytes: number;
  /** From `start` to `end`, both included; less beyond the end. */
  read(start: number, end: number): AsyncIterable<Buffer>;
}

/** Throws BackupFileError for a file that cannot be read. */
export async function openFileSource(path: string): Promise<BackupSource> {
  const refuse = (cause: NodeJS.ErrnoException): never => {
    throw new BackupFileError(`${path} cannot be read: ${cause.code}`, { cause });
  };
  // Before it is opened, because opening a named pipe waits for its writer.
  const found = await stat(path).catch(refuse);
  if (!found.isFile()) throw new BackupFileError(`${path} cannot be read: it is no regular file`);
  const file = await open(path, 'r').catch(refuse);
  try {
    const { size } = await file.stat();
    return {
      location: path,
      bytes: size,
      read: (start, end) => createReadStream(path, { start, end }) as AsyncIterable<Buffer>,
    };
  } finally {
    await file.close();
  }
}
