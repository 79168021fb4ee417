import { request } from 'node:http';
import { CommandError } from '#lib/command-error.ts';
import type { HealthReport } from './health-report.ts';

/** A process that does not respond for so long is stuck. Its checks end after two seconds. */
const timeoutMs = 8_000;

/** The report of the process that listens on the socket. Throws a CommandError without one. */
export async function readHealth(
  socketPath: string,
  path: '/live' | '/ready',
): Promise<HealthReport> {
  try {
    return JSON.parse(await get(socketPath, path)) as HealthReport;
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    throw new CommandError(
      `No process reports on ${socketPath} (${code ?? message}). Start it with the same ` +
        'HEALTH_SOCKET, and call this command as the same user.',
    );
  }
}

function get(socketPath: string, path: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const signal = AbortSignal.timeout(timeoutMs);
    const sent = request({ socketPath, path, signal, agent: false }, (response) => {
      let body = '';
      response.setEncoding('utf8').on('data', (part: string) => (body += part));
      response.once('end', () => resolve(body)).once('error', reject);
    });
    sent.once('error', reject).end();
  });
}
