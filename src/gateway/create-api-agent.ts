import { AsyncLocalStorage } from 'node:async_hooks';
import type { FastifyInstance } from 'fastify';
import { Agent, type Dispatcher } from 'undici';
import { onResponseClosed } from '#lib/on-response-closed.ts';
import { currentTracer, errorTypeOf } from '#lib/tracing.ts';

const disconnects = new AsyncLocalStorage<AbortSignal>();

type Callback = (error: Error | null, data: Dispatcher.ResponseData) => void;

/** Passes the trace on to the API; the span ends with the head of its response. */
function traceRequest(
  { method, headers = null }: Dispatcher.RequestOptions,
  callback: Callback,
): { headers: NonNullable<Dispatcher.RequestOptions['headers']> | null; done: Callback } {
  const span = currentTracer()?.start({
    name: method,
    kind: 'client',
    attributes: { 'http.request.method': method },
  });
  if (!span) return { headers, done: callback };
  const done: Callback = (error, data) => {
    if (error) span.fail(errorTypeOf(error));
    else span.set({ 'http.response.status_code': data.statusCode });
    span.end();
    callback(error, data);
  };
  const { tracestate: _, ...others } = (headers ?? {}) as Record<string, string>;
  return { headers: { ...others, ...span.headers() }, done };
}

/**
 * Connections to the API. The proxy passes no signal to them, so a request of a client that has
 * left would hold its slot at the API until the end of its work.
 *
 * Their number has no limit here. A request keeps its connection until its body was sent and its
 * response has come, so with a limit slow clients and waiting requests would hold up all others.
 * The API has limits of its own.
 */
export function createApiAgent(options: Omit<Agent.Options, 'connections'>) {
  const agent = new Agent(options);
  const request = (requested: Dispatcher.RequestOptions, callback: Callback) => {
    const signal = disconnects.getStore() ?? null;
    const { headers, done } = traceRequest(requested, callback);
    return agent.request({ ...requested, headers, signal }, done);
  };
  // The proxy uses this form of `request` alone; its type has the one that returns a promise, too.
  return { request: request as never, destroy: () => agent.destroy() };
}

/** Requests to the API end when the client disconnects before its response. */
export function abortWithClient(app: FastifyInstance): void {
  app.addHook('onRequest', (_request, reply, done) => {
    const controller = new AbortController();
    onResponseClosed(reply.raw, () => {
      if (!reply.raw.writableFinished) controller.abort(new Error('the client disconnected'));
    });
    disconnects.run(controller.signal, done);
  });
}
