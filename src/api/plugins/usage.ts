import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { recordUsage } from '#domain/accounts/workspaces/workspace-usage.ts';

/**
 * Counts the requests that count in the limits of plans, which begin with these counts after a
 * restart. With `everyMs` the counts are stored at that interval, and once more on close.
 */
export function installUsage(app: FastifyInstance, everyMs: number | undefined): void {
  const { limits, services } = app.api;
  app.addHook('onResponse', (request, reply, done) => {
    const { operation } = request.routeOptions.config;
    if (operation && request.identity && request.isCounted)
      limits.usage.count(
        request.identity,
        operation,
        isCountableUse(request, reply),
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
          'request counts could not be stored, will retry',
        ),
      );
  const timer = setInterval(() => void flush(), everyMs).unref();
  app.addHook('onClose', async () => {
    clearInterval(timer);
    await flush();
  });
}

/** A failed, replayed or free request does not consume an allowance. */
export function isCountableUse(
  { isReplay, isFree }: FastifyRequest,
  { statusCode }: FastifyReply,
): boolean {
  return statusCode < 400 && !isReplay && !isFree;
}
