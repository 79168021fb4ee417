import { once } from 'node:events';
import { createServer, type AddressInfo, type Socket } from 'node:net';
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest';
import { withClient } from '#db/driver/with-client.ts';
import { CommandError } from '#lib/command-error.ts';
import { createTestDatabase, type TestDatabase } from '../harness/database.ts';

let db: TestDatabase;
beforeAll(async () => {
  db = await createTestDatabase();
});
afterAll(() => db.drop());
afterEach(() => vi.useRealTimers());

test('a connection survives a process that is busy for five seconds', async () => {
  const connecting = withClient(db.url, (client) => client.query('select 1 as one'));
  // As while the modules load: no response is read, and the time goes on.
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 5_000);
  expect((await connecting).rows).toEqual([{ one: 1 }]);
});

test('a server that does not respond is an error that says what to do', async () => {
  const sockets: Socket[] = [];
  const server = createServer((socket) => void sockets.push(socket)).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
  const outcome = withClient(`postgres://a@127.0.0.1:${port}/a`, () => Promise.resolve()).catch(
    (error: Error) => error,
  );
  await once(server, 'connection');
  vi.advanceTimersByTime(30_000);
  const error = await outcome;
  expect(error).toBeInstanceOf(CommandError);
  expect(error).toHaveProperty(
    'message',
    expect.stringMatching(/^The database accepted no connection within 30 s\. Look at its log/),
  );
  for (const socket of sockets) socket.destroy();
  server.close();
});
