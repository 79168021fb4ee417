import { createServer } from 'node:http';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { expect, test } from 'vitest';
import { limitBodyTime } from '#lib/limit-body-time.ts';
import { listenOn } from '../harness/listen-on.ts';

async function serve(timeoutMs: number) {
  const errors: string[] = [];
  const server = createServer((request, response) => {
    limitBodyTime(request, server, timeoutMs);
    request.resume();
    request.once('end', () => response.end('received'));
  });
  server.on('clientError', (error: Error & { code: string }, socket) => {
    // A socket that is closed in the middle of a request makes an error of its own.
    if (error.code !== 'ERR_HTTP_REQUEST_TIMEOUT') return;
    errors.push(error.code);
    socket.end('HTTP/1.1 408 Request Timeout\r\nConnection: close\r\n\r\n');
  });
  return { ...(await listenOn(server)), errors };
}

test('a body that does not come in time ends with 408', async () => {
  const { port, close, errors } = await serve(20);
  for (const head of ['Content-Length: 9', 'Transfer-Encoding: chunked']) {
    const socket = connect(port, '127.0.0.1');
    socket.write(`POST / HTTP/1.1\r\nHost: x\r\n${head}\r\n\r\n`);
    expect(await text(socket)).toContain('408');
  }
  expect(errors).toEqual(['ERR_HTTP_REQUEST_TIMEOUT', 'ERR_HTTP_REQUEST_TIMEOUT']);
  await close();
});

test('requests whose body is there are served', async () => {
  const { port, close, errors } = await serve(60_000);
  const send = async (body?: string) => {
    const response = await fetch(`http://127.0.0.1:${port}`, {
      method: 'POST',
      body: body ?? null,
    });
    return response.text();
  };
  expect([await send(), await send('x'.repeat(1_000_000))]).toEqual(['received', 'received']);
  expect(errors).toEqual([]);
  await close();
});
