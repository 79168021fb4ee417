import { Agent, createServer, request, type IncomingMessage } from 'node:http';
import { expect, onTestFinished, test } from 'vitest';
import { closeServer, drainServer } from '#lib/listen.ts';
import { listenOn } from '../harness/listen-on.ts';

test('a kept connection is served once more by a server that stops, and then ends', async () => {
  let isDrained = false;
  const served: boolean[] = [];
  const server = createServer((_, response) => {
    served.push(isDrained);
    response.end('served');
  });
  const { port, close } = await listenOn(server);
  onTestFinished(close);
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const send = () =>
    new Promise<IncomingMessage>((resolve, reject) => {
      const sent = request({ port, agent }, (response) => resolve(response.resume()));
      sent.on('error', reject);
      sent.end();
    });
  expect((await send()).headers.connection).toBe('keep-alive');

  const drained = drainServer({ server }).then(() => (isDrained = true));
  const last = await send();
  expect([last.statusCode, last.headers.connection]).toEqual([200, 'close']);
  await drained;
  expect(served).toEqual([false, false]);
  const stop = () => new Promise((resolve) => server.close(resolve));
  await closeServer({ server, close: stop });
  await expect(send()).rejects.toThrow('ECONNREFUSED');
});
