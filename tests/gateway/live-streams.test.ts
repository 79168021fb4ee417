import { afterAll, beforeAll, expect, test } from 'vitest';
import type { FastifyInstance } from 'fastify';
import { buildGateway } from '#gateway/server.ts';
import { silentLogger } from '#lib/logger.ts';
import { startApi, type TestApi } from '../harness/api.ts';

let api: TestApi;
let gateway: FastifyInstance;
let url: string;
beforeAll(async () => {
  api = await startApi({ config: { gatewayKey: 'between-us' } });
  gateway = await buildGateway({
    apiUrl: api.url,
    webDist: import.meta.dirname,
    trustProxy: [],
    publicUrl: null,
    gatewayKey: 'between-us',
    log: silentLogger,
  });
  url = await gateway.listen({ port: 0, host: '127.0.0.1' });
});
afterAll(async () => {
  await gateway.close();
  await api.close();
});

test('other requests are served while 140 streams are open', async () => {
  const abort = new AbortController();
  const late = setTimeout(() => abort.abort(new Error('a request was not served')), 180_000);
  const accounts = await Promise.all(Array.from({ length: 14 }, () => api.signUp()));
  for (const { headers } of accounts) {
    const opened = await Promise.all(
      Array.from({ length: 10 }, () =>
        fetch(`${url}/api/backend/live`, {
          headers: { ...headers, accept: 'text/event-stream' },
          signal: abort.signal,
        }),
      ),
    );
    expect(opened.map(({ status }) => status)).toEqual(Array(10).fill(200));
  }
  const other = await fetch(`${url}/api/backend/apps`, {
    headers: accounts[0]!.headers,
    signal: abort.signal,
  });
  expect(other.status).toBe(200);
  clearTimeout(late);
  abort.abort();
});
