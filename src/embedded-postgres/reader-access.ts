import { writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { dirname, join } from 'node:path';
import { SetupError } from '#lib/setup-error.ts';

/** The embedded server accepts readers on this machine alone. */
const readerHost = '127.0.0.1';
const readerDatabase = 'toprung';

/**
 * Every client of the socket is a superuser and needs no password. Over TCP only members of
 * toprung_reader come in, with a password, to the one database.
 */
const rules = `local all all trust
host ${readerDatabase} +toprung_reader ${readerHost}/32 scram-sha-256
host all all all reject
`;

/** The settings with which the server of a cluster also listens for readers. */
export function readerFlags(cluster: string, port: number): Record<string, string> {
  const file = join(dirname(cluster), 'pg_hba_readers.conf');
  // The server runs as another user when this process is root.
  writeFileSync(file, rules, { mode: 0o644 });
  return { listen_addresses: readerHost, port: String(port), hba_file: file };
}

/** Throws SetupError when another program listens there. */
export async function requireFreeReaderPort(port: number): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    const server = createServer();
    server.once('error', (error) =>
      reject(
        new SetupError(
          `READER_PORT ${port} cannot be used: ${error.message}. Choose another port, or unset it.`,
        ),
      ),
    );
    server.listen(port, readerHost, () => server.close(() => resolve()));
  });
}
