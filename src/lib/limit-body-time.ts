import type { IncomingMessage, Server } from 'node:http';

/**
 * Ends a request whose body does not come within this time, as `requestTimeout` of the server does
 * for all requests alike.
 */
export function limitBodyTime(request: IncomingMessage, server: Server, timeoutMs: number): void {
  const { 'content-length': length, 'transfer-encoding': encoding } = request.headers;
  if (encoding === undefined && Number(length ?? 0) === 0) return;
  const timer = setTimeout(() => {
    if (request.complete) return;
    const error = Object.assign(new Error('Request timeout'), { code: 'ERR_HTTP_REQUEST_TIMEOUT' });
    server.emit('clientError', error, request.socket);
  }, timeoutMs);
  timer.unref();
  const clear = () => clearTimeout(timer);
  request.once('end', clear);
  request.once('close', clear);
}
