import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Operation } from '#contract/operation.ts';
import { recordUsage } from '#domain/accounts/workspaces/workspace-usage.ts';
import { onRequestEnded } from './request-end.ts';

/**
 * Counts a request that counts in the limits of plans, which begin with these counts after a
 * restart.
 */
export function countRequest(
  request: FastifyRequest,
  operation: Operation,
  reply: FastifyReply,
): void {
  const { limits, services } = request.server.api;
  request.isCounted = true;
  onRequestEnded(reply, () => {
    if (!request.isCounted) return;
    const isDone = isCountableUse(request, reply);
    limits.usage.count(request.identity!, operation, isDone, services.clock.now());
  });
}

/** With `everyMs` the counts are stored at that interval, and once more on close. */
export function installUsage(app: FastifyInstance, everyMs: number | undefined): void {
  const { limits, services } = app.api;
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

/**
 * A failed, replayed or free request does not consume an allowance. One whose client left does: the
 * store may have been queried.
 */
export function isCountableUse(
  { isReplay, isFree, wasAborted }: FastifyRequest,
  { statusCode }: FastifyReply,
): boolean {
  return (statusCode < 400 || wasAborted) && !isReplay && !isFree;
}
