import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { recordUsage } from '../../domain/workspaces/usage.ts';

/** Counts what the gates let in; with `everyMs` the counts are stored in that rhythm, and once more at the end. */
export function installUsage(app: FastifyInstance, everyMs: number | undefined): void {
  const { limits, services } = app.api;
  app.addHook('onResponse', (request, reply, done) => {
    const { operation } = request.routeOptions.config;
    if (operation && request.identity && request.isLetIn)
      limits.usage.count(
        request.identity,
        operation,
        wasDone(request, reply),
        services.clock.now(),
      );
    done();
  });
  if (everyMs === undefined) return;
  const flush = () =>
    limits.usage
      .flush((counts) => recordUsage(services, counts))
      .catch((error: unknown) =>
        services.log.warn(
          { error: (error as Error).message },
          'counts of requests could not be stored yet',
        ),
      );
  const timer = setInterval(() => void flush(), everyMs).unref();
  app.addHook('onClose', async () => {
    clearInterval(timer);
    await flush();
  });
}

/** What failed, or was answered with what an earlier request did, is no use of an allowance. */
export function wasDone({ isReplay }: FastifyRequest, { statusCode }: FastifyReply): boolean {
  return statusCode < 400 && !isReplay;
}
