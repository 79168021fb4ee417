import type { FastifyInstance, FastifyReply } from 'fastify';
import { onResponseClosed } from '#lib/on-response-closed.ts';

/** Callbacks of requests whose client left before they had a response. */
const waiting = new WeakMap<FastifyReply, (() => void)[]>();

/** Lets `onRequestEnded` recognize that a request has its response. */
export function installRequestEnd(app: FastifyInstance): void {
  app.decorateReply('isDecided', false);
  app.addHook('onSend', (_request, reply, _payload, done) => {
    reply.isDecided = true;
    const callbacks = waiting.get(reply) ?? [];
    waiting.delete(reply);
    for (const callback of callbacks) callback();
    done();
  });
}

/**
 * Calls back once, when the response was sent or the client disconnected, and not before the status
 * is final: the handler goes on after its client left.
 */
export function onRequestEnded(reply: FastifyReply, callback: () => void): void {
  onResponseClosed(reply.raw, () => {
    if (reply.isDecided || reply.sent) callback();
    else waiting.set(reply, [...(waiting.get(reply) ?? []), callback]);
  });
}
