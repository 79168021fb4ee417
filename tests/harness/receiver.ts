import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import { listenOn } from './listen-on.ts';

export interface Received {
  path: string;
  headers: IncomingHttpHeaders;
  body: string;
}

export interface Receiver {
  url: string;
  port: number;
  requests: Received[];
  /** Its response from now on; 200 at first. */
  respond: (response: ServerResponse, request: Received) => void;
  /** Resolves once it has received this many requests. */
  waitFor(count: number): Promise<void>;
  close(): Promise<void>;
}

/** A server that records its requests, on a real socket of 127.0.0.1. */
export async function startReceiver(): Promise<Receiver> {
  const waiting = new Set<() => void>();
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('error', () => {});
    response.on('error', () => {});
    request.on('end', () => {
      const received = {
        path: request.url ?? '',
        headers: request.headers,
        body: Buffer.concat(chunks).toString('utf8'),
      };
      receiver.requests.push(received);
      for (const look of waiting) look();
      receiver.respond(response, received);
    });
  });
  const { port, close } = await listenOn(server);
  const receiver: Receiver = {
    url: `http://127.0.0.1:${port}`,
    port,
    requests: [],
    respond: (response) => response.writeHead(200).end('ok'),
    waitFor: (count) =>
      new Promise((resolve) => {
        const look = () => {
          if (receiver.requests.length < count) return;
          waiting.delete(look);
          resolve();
        };
        waiting.add(look);
        look();
      }),
    close,
  };
  return receiver;
}
