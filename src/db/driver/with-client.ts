import { Socket } from 'node:net';
import pg from 'pg';
import { CommandError } from '#lib/command-error.ts';

const connectLimitSeconds = 30;
/** For pools of threads, whose machine may be busy. */
export const connectTimeoutMs = connectLimitSeconds * 1_000;

export interface ClientOptions {
  applicationName?: string;
  queryTimeoutMs?: number;
}

/**
 * Runs `work` on a connection of its own, outside of the pools. Throws CommandError when the server
 * accepts no connection within 30 s.
 */
export async function withClient<T>(
  url: string,
  work: (client: pg.Client) => Promise<T>,
  { applicationName, queryTimeoutMs }: ClientOptions = {},
): Promise<T> {
  const socket = new Socket();
  const client = new pg.Client({
    connectionString: url,
    stream: () => socket,
    ...(queryTimeoutMs && { query_timeout: queryTimeoutMs }),
    ...(applicationName && { application_name: applicationName }),
  });
  // When the server stops, the next statement fails. Without this listener the process would end.
  client.on('error', () => undefined);
  const limit = limitConnecting(socket);
  await client.connect().finally(() => clearInterval(limit));
  try {
    return await work(client);
  } finally {
    await client.end().catch(() => undefined);
  }
}

/**
 * Counts seconds in which this process could read what the server has sent: while it loads its
 * modules on a busy machine, many pass as one. The driver's own limit counts them all.
 */
function limitConnecting(socket: Socket): NodeJS.Timeout {
  let seconds = 0;
  return setInterval(() => {
    seconds += 1;
    if (seconds < connectLimitSeconds) return;
    socket.destroy(
      new CommandError(
        `The database accepted no connection within ${connectLimitSeconds} s. Look at its log ` +
          'and at the load of this machine.',
      ),
    );
  }, 1_000);
}
