import type { FastifyInstance, FastifyRequest } from 'fastify';
import { createRequestSpans } from '#lib/request-spans.ts';

/** Supervisors send them every few seconds. */
const untraced = new Set(['GET /health', 'GET /metrics']);

/** Gives each request a span, which continues the trace of its client. Nothing without a tracer. */
export function installTracing(app: FastifyInstance): void {
  const keyOf = (request: FastifyRequest) => request.routeOptions.config.key;
  const spans = createRequestSpans<FastifyRequest>({
    routeOf: (request) => keyOf(request)?.split(' ')[1],
    isTraced: (request) => !untraced.has(keyOf(request) ?? ''),
  });
  if (spans === null) return;
  app.addHook('onRequest', spans.begin);
  app.addHook('preHandler', spans.resume);
}
