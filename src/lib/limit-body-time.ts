import type { IncomingMessage, Server } from 'node:http';

/**
 * Ends a request whose body does not come within this time, as `requestTimeout` of the server does
 * for all requests alike.
 */
export function limitBodyTime(request: IncomingMessage, server: Server, timeoutMs: number): void {
  if (!hasBody(request)) return;
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

export function hasBody({ headers }: Pick<IncomingMessage, 'headers'>): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
}
