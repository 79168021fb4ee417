import type { IncomingHttpHeaders, ServerResponse } from 'node:http';
import { onResponseClosed } from './on-response-closed.ts';
import { currentTracer, type Span, type Tracer } from './tracing.ts';

interface TracedRequest {
  method: string;
  headers: IncomingHttpHeaders;
}

interface TracedReply {
  raw: ServerResponse;
  statusCode: number;
}

type Hook<Request> = (request: Request, reply: TracedReply, done: () => void) => void;

/**
 * Hooks of a server that give each request a span. `routeOf` returns the template of its path, or
 * undefined when there is none; `isTraced` leaves out requests of supervisors. Null without a
 * tracer.
 */
export function createRequestSpans<Request extends TracedRequest>({
  routeOf,
  isTraced = () => true,
}: {
  routeOf: (request: Request) => string | undefined;
  isTraced?: (request: Request) => boolean;
}): { begin: Hook<Request>; resume: Hook<Request> } | null {
  const tracer = currentTracer();
  if (tracer === null) return null;
  const spans = new WeakMap<Request, Span>();
  return {
    begin: (request, reply, done) => {
      if (!isTraced(request)) return done();
      const span = startSpan(tracer, request, routeOf(request));
      spans.set(request, span);
      onResponseClosed(reply.raw, () => endSpan(span, reply));
      span.run(done);
    },
    // The parser of the body calls back outside of the span.
    resume: (request, _reply, done) => {
      const span = spans.get(request);
      if (span) span.run(done);
      else done();
    },
  };
}

function startSpan(
  tracer: Tracer,
  { method, headers }: TracedRequest,
  route: string | undefined,
): Span {
  return tracer.start({
    name: route === undefined ? method : `${method} ${route}`,
    kind: 'server',
    attributes: {
      'http.request.method': method,
      'url.scheme': 'http',
      ...(route !== undefined && { 'http.route': route }),
    },
    continues: { traceparent: headers.traceparent, tracestate: headers.tracestate },
  });
}

function endSpan(span: Span, { raw, statusCode }: TracedReply): void {
  if (raw.writableFinished) span.set({ 'http.response.status_code': statusCode });
  if (!raw.writableFinished) span.fail('client_disconnected');
  else if (statusCode >= 500) span.fail(String(statusCode));
  span.end();
}
