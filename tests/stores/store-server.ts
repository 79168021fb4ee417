import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { TestClock } from '#lib/clock.ts';
import {
  createEgressPool,
  createStores,
  type StoreRequestEvent,
  type UnreadableSample,
} from '#stores/index.ts';
import { createUnlimitedPacer } from './unlimited-pacer.ts';

export type Reply = (request: IncomingMessage & { text: string }, response: ServerResponse) => void;

/** A server that sends the test's response to every request, and records the requests. */
export async function startStoreServer() {
  const asked: {
    method: string;
    url: string;
    headers: IncomingMessage['headers'];
    text: string;
  }[] = [];
  let reply: Reply = (_request, response) => response.end();
  const server = createServer((request, response) => {
    let text = '';
    request.on('data', (chunk: Buffer) => (text += chunk.toString()));
    request.on('end', () => {
      asked.push({
        method: request.method ?? '',
        url: request.url ?? '',
        headers: request.headers,
        text,
      });
      reply(Object.assign(request, { text }), response);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    asked,
    respond(next: Reply) {
      reply = next;
      asked.length = 0;
    },
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** Both stores against one server, unpaced, with everything they report recorded. */
export function openStores(baseUrl: string, options: { timeoutMs?: number } = {}) {
  const { pacer, refusals, counts } = createUnlimitedPacer();
  const egress = createEgressPool({ proxies: [] });
  const events: StoreRequestEvent[] = [];
  const samples: UnreadableSample[] = [];
  const stores = createStores({
    baseUrl,
    pacer,
    egress,
    clock: new TestClock('2026-07-15T12:00:00Z'),
    searchTimeoutMs: options.timeoutMs ?? 5_000,
    onRequest: (event) => events.push(event),
    sampleSink: (sample) => samples.push(sample),
  });
  return { stores, refusals, counts, events, samples, close: () => egress.close() };
}

export const anyOptions = () => ({ signal: new AbortController().signal, lane: 'run' as const });
