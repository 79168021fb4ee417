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
 */
export function createApiAgent(options: Agent.Options) {
  const agent = new Agent(options);
  // A stream keeps its connection until it ends. The API limits the streams of an account, and
  // under the cap of other requests the streams of a few accounts would block them all.
  const { connections: _, ...uncapped } = options;
  const streamAgent = new Agent(uncapped);
  const request = (requested: Dispatcher.RequestOptions, callback: Callback) => {
    const signal = disconnects.getStore() ?? null;
    const { headers, done } = traceRequest(requested, callback);
    const chosen = requestsStream(requested) ? streamAgent : agent;
    return chosen.request({ ...requested, headers, signal }, done);
  };
  // The proxy uses this form of `request` alone; its type has the one that returns a promise, too.
  return {
    request: request as never,
    destroy: async () => {
      await Promise.all([agent.destroy(), streamAgent.destroy()]);
    },
  };
}

/** As the API decides it. */
function requestsStream({ method, headers }: Dispatcher.RequestOptions): boolean {
  const { accept = '' } = (headers ?? {}) as Record<string, string>;
  return method === 'GET' && accept.includes('text/event-stream');
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
