import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Operation } from '../../contract/operation.ts';
import { whenClosed } from '../../lib/when-closed.ts';
import { LimitReached, limitHeaders, type Admission } from '../limits/plan.ts';
import { wasDone } from './usage.ts';

/** What a path that does not exist would have spent; so would one that this caller may not know of. */
const plainRead = { rateClass: 'read' as const };

/** A gate: takes the request from the budgets of its workspace's plan. Throws rate_limited or on_demand_cap; then it took nothing. */
export async function spendRequest(
  request: FastifyRequest,
  operation: Operation,
  reply: FastifyReply,
): Promise<void> {
  const { plan } = request.server.api.limits;
  if (plan === null || request.identity === null || operation.rateClass === 'auth') return;
  try {
    const admission = await plan.admit(request.identity, operation);
    request.admission = admission;
    reply.headers(limitHeaders(admission.uses));
    // Answered or left by its client: either way its place is free.
    whenClosed(reply.raw, () => void leave(request, reply, admission));
  } catch (error) {
    if (error instanceof LimitReached) reply.headers(limitHeaders(error.uses));
    throw error;
  }
}

async function leave(
  request: FastifyRequest,
  reply: FastifyReply,
  admission: Admission,
): Promise<void> {
  const { limits, services } = request.server.api;
  await limits.plan!.end(admission, wasDone(request, reply)).catch((error: unknown) => {
    services.log.warn(
      { error: (error as Error).message },
      'a request’s place was not given back; it is free within a minute',
    );
  });
}

/** Whoever is known learns how the budgets stand, also from a refusal that spent nothing. */
export function installPlanLimits(app: FastifyInstance): void {
  app.decorateRequest('admission', null);
  const { plan } = app.api.limits;
  if (plan === null) return;
  app.addHook('onSend', (request, reply, _payload, done) => {
    if (request.identity === null || reply.hasHeader('ratelimit-limit')) return done();
    const operation = request.routeOptions.config?.operation;
    const budget =
      operation && !operation.hidden && operation.rateClass !== 'auth' ? operation : plainRead;
    plan.look(request.identity, budget).then((uses) => {
      reply.headers(limitHeaders(uses));
      done();
    }, done);
  });
  app.addHook('onClose', async () => plan.close());
}
