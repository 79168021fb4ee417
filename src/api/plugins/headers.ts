import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { onRequestEnded } from './request-end.ts';

/**
 * Logs one line per request at level debug: the operation, but never the address, which may contain
 * secrets. A client that left got nothing of the status.
 */
export function installAccessLog(app: FastifyInstance): void {
  app.addHook('onRequest', (request, reply, done) => {
    onRequestEnded(reply, () => logAccess(request, reply));
    done();
  });
}

function logAccess(request: FastifyRequest, reply: FastifyReply): void {
  request.server.api.services.log.debug(
    {
      operation: request.routeOptions.config.key ?? 'none',
      status: reply.statusCode,
      ms: Math.round(reply.elapsedTime * 10) / 10,
      client: request.client?.address,
      ...(!reply.raw.writableFinished && { clientLeft: true }),
    },
    'answered',
  );
}

/**
 * API responses must not be framed, sniffed, cached or executed. The pages among them (docs,
 * queues) set policies of their own.
 */
export const safetyHeaders: Record<string, string> = {
  'content-security-policy':
    "default-src 'none'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'",
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'cache-control': 'no-store',
};

export function installHeaders(app: FastifyInstance): void {
  app.addHook('onRequest', (_request, reply, done) => {
    reply.headers(safetyHeaders);
    done();
  });
}
