import type { FastifyInstance } from 'fastify';

/**
 * Ends the streams of events when the server closes: they would not end by themselves, and their
 * clients connect again.
 */
export function endStreamsOnClose(app: FastifyInstance): void {
  const streams = new Set<{ destroy(): unknown }>();
  app.addHook('onSend', (_request, reply, payload, done) => {
    if (String(reply.getHeader('content-type')).startsWith('text/event-stream')) {
      streams.add(reply.raw);
      reply.raw.once('close', () => streams.delete(reply.raw));
    }
    done(null, payload);
  });
  app.addHook('preClose', async () => {
    for (const stream of streams) stream.destroy();
  });
}
