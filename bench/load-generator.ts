import { createConnection, type Socket } from 'node:net';

/**
 * Sends requests over a number of connections, each the next one after its response, and counts
 * responses for some seconds. Requests are prepared bytes and only the length of responses is
 * parsed, so that the load generator uses little of the machine. Returns the number of responses;
 * rejects on any but 200.
 */
export async function generateLoad(
  url: string,
  connections: number,
  seconds: number,
  requests: readonly string[],
): Promise<number> {
  const { hostname, port } = new URL(url);
  let next = 0;
  let responses = 0;
  const endMs = performance.now() + seconds * 1_000;
  const askOver = (socket: Socket) =>
    new Promise<void>((resolve, reject) => {
      /** Bytes of the response that are still to come; null before its head. */
      let missing: number | null = null;
      const ask = () => socket.write(requests[(next += 1) % requests.length]!);
      socket.on('error', reject);
      socket.on('data', (part) => {
        missing = missing === null ? bytesAfter(part) : missing - part.length;
        if (Number.isNaN(missing))
          return reject(new Error(`answered ${part.toString('latin1', 0, 400)}`));
        if (missing > 0) return;
        missing = null;
        responses += 1;
        if (performance.now() < endMs) ask();
        else resolve();
      });
      ask();
    });
  const sockets = Array.from({ length: connections }, () =>
    createConnection({ host: hostname, port: Number(port), noDelay: true }),
  );
  try {
    await Promise.all(sockets.map(askOver));
  } finally {
    for (const socket of sockets) socket.destroy();
  }
  return responses;
}

/**
 * The missing bytes of a response after the chunk that holds its head; NaN for a response other
 * than 200.
 */
function bytesAfter(piece: Buffer): number {
  const head = piece.indexOf('\r\n\r\n');
  const text = piece.toString('latin1', 0, head);
  if (!text.startsWith('HTTP/1.1 200 ')) return Number.NaN;
  return Number(/\r\ncontent-length: (\d+)/i.exec(text)?.[1]) - (piece.length - head - 4);
}

/** A request as bytes. */
export function formatGetRequest(path: string, credential: string): string {
  return `GET ${path} HTTP/1.1\r\nhost: 127.0.0.1\r\n${credential}\r\n\r\n`;
}
