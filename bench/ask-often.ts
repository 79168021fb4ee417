import { createConnection, type Socket } from 'node:net';

/**
 * Asks in turn over so many connections, each for the next thing once it has its answer, and counts the answers of so many
 * seconds. The requests are written as they are and of an answer no more is read than its length, so that the asker takes
 * little of the machine that answers. Rejects on any answer but 200.
 */
export async function askOften(url: string, connections: number, seconds: number, requests: readonly string[]): Promise<number> {
  const { hostname, port } = new URL(url);
  let next = 0;
  let answered = 0;
  const endMs = performance.now() + seconds * 1_000;
  const askOver = (socket: Socket) =>
    new Promise<void>((resolve, reject) => {
      let text = '';
      const ask = () => socket.write(requests[(next += 1) % requests.length]!);
      socket.setEncoding('latin1').on('error', reject);
      socket.on('data', (part) => {
        text += String(part);
        const head = text.indexOf('\r\n\r\n');
        if (head === -1) return;
        const length = Number(/\r\ncontent-length: (\d+)/i.exec(text.slice(0, head))?.[1]);
        if (text.length < head + 4 + length) return;
        if (!text.startsWith('HTTP/1.1 200 ')) return reject(new Error(`answered ${text.slice(0, 400)}`));
        text = '';
        answered += 1;
        if (performance.now() < endMs) ask();
        else resolve();
      });
      ask();
    });
  const sockets = Array.from({ length: connections }, () => createConnection({ host: hostname, port: Number(port), noDelay: true }));
  try {
    await Promise.all(sockets.map(askOver));
  } finally {
    for (const socket of sockets) socket.destroy();
  }
  return answered / seconds;
}

/** A request as it goes over the wire. */
export function writeGet(path: string, token: string): string {
  return `GET ${path} HTTP/1.1\r\nhost: 127.0.0.1\r\nauthorization: Bearer ${token}\r\n\r\n`;
}
