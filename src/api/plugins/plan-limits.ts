import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Operation } from '#contract/operation.ts';
import { onResponseClosed } from '#lib/on-response-closed.ts';
import type { Identity } from '#domain/accounts/auth/authenticate.ts';
import {
  LimitReachedError,
  limitHeaders,
  type Admission,
  type PlanLimits,
} from '../limits/plan-limits.ts';
import { onRequestEnded } from './request-end.ts';
import { countRequest, isCountableUse } from './usage.ts';
import { worksWithoutPlan } from './works-without-plan.ts';

/** A hidden path consumes exactly what a path that does not exist would. */
const plainRead = { rateClass: 'read' as const };

/**
 * A gate that consumes the request from its workspace's plan limits and lets its use be counted.
 * Throws rate_limited or on_demand_cap, and then consumes nothing; auth_throttled for requests
 * outside these limits.
 */
export async function spendRequest(
  request: FastifyRequest,
  operation: Operation,
  reply: FastifyReply,
): Promise<void> {
  const { identity } = request;
  if (identity === null || operation.rateClass === 'auth' || operation.isUncounted) return;
  const { plan } = request.server.api.limits;
  if (plan !== null) {
    if (isOutsideLimits(identity, operation)) return countOwnRequest(request, operation);
    await spendFrom(plan, request, operation, reply);
  }
  countRequest(request, operation, reply);
}

async function spendFrom(
  plan: PlanLimits,
  request: FastifyRequest,
  operation: Operation,
  reply: FastifyReply,
): Promise<void> {
  try {
    const admission = await plan.admit(request.identity!, operation);
    request.admission = admission;
    reply.headers(limitHeaders(admission.uses));
    const release = () => void leave(request, reply, admission);
    // The slot is released when the response is sent or the client disconnects. The outcome says
    // whether an allowance was used, so that of on-demand work waits for its end.
    if (operation.onDemand) onRequestEnded(reply, release);
    else onResponseClosed(reply.raw, release);
  } catch (error) {
    if (error instanceof LimitReachedError) reply.headers(limitHeaders(error.uses));
    throw error;
  }
}

/**
 * Refuses a request that was admitted after its allowance was used up (`mayBeFree`) and needs it.
 * It throws on_demand_cap, and the request then consumes nothing.
 */
export function assertAllowance(request: FastifyRequest, reply: FastifyReply): void {
  const { admission } = request;
  if (!admission?.refusal) return;
  reply.headers(limitHeaders(admission.refusal.uses));
  admission.unusedOnFailure = admission.windows;
  request.isCounted = false;
  throw admission.refusal;
}

/**
 * A flooding token uses up the limits of its workspace. People can still see and revoke it, pay and
 * leave.
 */
function isOutsideLimits({ actor }: Identity, operation: Operation): boolean {
  return actor.kind === 'session' && (operation.showsAccess || worksWithoutPlan(operation));
}

/** Payment pages and password changes cost too much to be unlimited. */
async function countOwnRequest(request: FastifyRequest, operation: Operation): Promise<void> {
  if (operation.rateClass === 'read' || operation.role === 'operator') return;
  await request.server.api.limits.signIn.countOwnRequest(request.identity!.actor.userId);
}

async function leave(
  request: FastifyRequest,
  reply: FastifyReply,
  admission: Admission,
): Promise<void> {
  const { limits, services } = request.server.api;
  await limits.plan!.end(admission, isCountableUse(request, reply)).catch((error: unknown) => {
    services.log.warn(
      { error: (error as Error).message },
      'a concurrency slot was not released; it expires within a minute',
    );
  });
}

/** An identified caller gets rate-limit headers, even on errors that consumed nothing. */
export function installPlanLimits(app: FastifyInstance): void {
  app.decorateRequest('admission', null);
  const { plan } = app.api.limits;
  if (plan === null) return;
  app.addHook('onSend', (request, reply, _payload, done) => {
    const caller = request.identity ?? request.limitedAs;
    if (caller === null || reply.hasHeader('ratelimit-limit')) return done();
    const operation = request.routeOptions.config?.operation;
    const budget =
      operation && !operation.hidden && operation.rateClass !== 'auth' ? operation : plainRead;
    plan.look(caller, budget).then((uses) => {
      reply.headers(limitHeaders(uses));
      done();
    }, done);
  });
  app.addHook('onClose', async () => plan.close());
}
