import { AsyncLocalStorage } from 'node:async_hooks';
import type { FastifyInstance } from 'fastify';
import { Agent, type Dispatcher } from 'undici';
import { onResponseClosed } from '#lib/on-response-closed.ts';

const disconnects = new AsyncLocalStorage<AbortSignal>();

/**
 * Connections to the API. The proxy passes no signal to them, so a request of a client that has
 * left would hold its slot at the API until the end of its work.
 */
export function createApiAgent(options: Agent.Options) {
  const agent = new Agent(options);
  const request = (
    asked: Dispatcher.RequestOptions,
    callback: (error: Error | null, data: Dispatcher.ResponseData) => void,
  ) => agent.request({ ...asked, signal: disconnects.getStore() ?? null }, callback);
  // The proxy has an undici of its own, with the same interface.
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
