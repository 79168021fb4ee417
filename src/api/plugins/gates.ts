import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Operation } from '../../contract/operation.ts';
import type { Services } from '../../domain/context.ts';
import { AppError, notFound } from '../../domain/errors.ts';
import { maySeeInstance } from '../../domain/service/health.ts';
import { explainSuspension } from '../../domain/workspaces/explain-suspension.ts';
import { clearSessionCookie, identify, readCredential } from './credentials.ts';
import { spendRequest } from './plan-limits.ts';

type Gate = (
  request: FastifyRequest,
  operation: Operation,
  reply: FastifyReply,
) => Promise<void> | void;

/**
 * The order in which a request can be refused before its body is read. When several things are wrong, the first of
 * these is the answer; after them come 400 (validation), then the handler's own 404 and 403 quota.
 */
export const gates: readonly Gate[] = [
  hideUnmetered, //     404: there are no plans here
  hideFromStrangers, // 404: as if it were not there
  requireCredential, // 429 credential_throttled, 401
  throttleSigningIn, // 429 auth_throttled
  requireLivePlan, //   402
  requireOwnSite, //    403: another site's page rides on a cookie
  requireUnsuspended, // 403
  requireWritingToken, // 403
  requireRole, //       403
  spendRequest, //      429 rate_limited, on_demand_cap
];

/** Plans are sold only where there are plans, and events of a payment provider come only where there is one. */
export function isOffered(
  { metered, signed }: Operation,
  { settings, payments }: Services,
): boolean {
  return !metered || (settings.billingEnabled && (!signed || payments !== null));
}

/** Looks at the credential as a path that does not exist would. */
async function hideUnmetered(request: FastifyRequest, operation: Operation): Promise<void> {
  if (isOffered(operation, request.server.api.services)) return;
  request.identity = await identifyQuietly(request);
  throw notFound();
}

/** What this caller may not know of answers like a path that does not exist; both look at the credential alike. */
async function hideFromStrangers(request: FastifyRequest, operation: Operation): Promise<void> {
  if (!operation.hidden) return;
  request.identity = await identifyQuietly(request);
  if (request.identity === null || !(await maySee(request, operation))) throw notFound();
}

export async function identifyQuietly(
  request: FastifyRequest,
): Promise<FastifyRequest['identity']> {
  try {
    return await identify(request);
  } catch (error) {
    if (error instanceof AppError && error.code === 'credential_throttled') return null;
    throw error;
  }
}

async function maySee(request: FastifyRequest, operation: Operation): Promise<boolean> {
  const { config, services } = request.server.api;
  const { actor } = request.identity!;
  if (operation.role === 'operator') return actor.operator;
  if (operation.role === 'owner' && actor.role !== 'owner') return false;
  if (operation.ofInstance && services.settings.operatorEmails.length > 0)
    return maySeeInstance({ ...services, actor });
  if (operation.role === 'owner') return true;
  return config.apiDocs === 'member' || (config.apiDocs === 'owner' && actor.role === 'owner');
}

async function requireCredential(
  request: FastifyRequest,
  operation: Operation,
  reply: FastifyReply,
): Promise<void> {
  if (operation.rateClass === 'auth' || operation.hidden) return;
  await requireSomebody(request, reply);
}

/** Throws credential_throttled or unauthenticated. */
export async function requireSomebody(request: FastifyRequest, reply: FastifyReply): Promise<void> {
  request.identity = await identify(request);
  if (request.identity !== null) return;
  // A browser would send a dead cookie again and again, and each would count as rejected.
  if (readCredential(request).kind === 'cookie') clearSessionCookie(request, reply);
  throw new AppError('unauthenticated');
}

const attempts: Record<string, 'attempt' | 'recovery'> = {
  'POST /auth/sign-in': 'attempt',
  'POST /auth/sign-up': 'attempt',
  'POST /auth/invites/{token}/accept': 'attempt',
  'POST /auth/password/forgot': 'recovery',
  'POST /auth/password/reset': 'recovery',
  'POST /auth/email/confirm': 'recovery',
};

async function throttleSigningIn(request: FastifyRequest, operation: Operation): Promise<void> {
  // Whoever signs comes as often as there is something to tell.
  if (operation.rateClass !== 'auth' || operation.signed) return;
  const kind = attempts[request.routeOptions.config.key ?? ''] ?? 'look';
  await request.server.api.limits.signIn.countRequest(request.client.bucket, kind);
}

/** Changes nothing of the workspace's: reading, looking something up in a store, exporting, paying, running the instance, leaving. */
function isHarmless(operation: Operation): boolean | undefined {
  return (
    operation.readOnlyToken ||
    operation.rateClass === 'read' ||
    operation.metered ||
    operation.inAnyState ||
    operation.role === 'operator'
  );
}

/** A lapsed workspace reads on; its people may still look after their own sessions, and take access away. */
function requireLivePlan(request: FastifyRequest, operation: Operation): void {
  const { identity } = request;
  if (
    operation.role === 'operator' ||
    identity?.workspaceState !== 'lapsed' ||
    !request.server.api.services.settings.billingEnabled
  )
    return;
  if (
    operation.rateClass === 'read' ||
    operation.sessionOnly ||
    operation.takesAccessAway ||
    operation.metered
  )
    return;
  throw new AppError('no_live_plan', undefined, {
    entitlement: { state: 'lapsed', plan: identity.plan, upgradePath: '/settings/plan' },
  });
}

const safeMethods = new Set(['GET', 'HEAD', 'OPTIONS']);

/** Browsers say where a request comes from; a cookie counts only for our own pages. Bearer requests carry no cookie's weight. */
function requireOwnSite(request: FastifyRequest, operation: Operation): void {
  if (safeMethods.has(request.method)) return;
  const { kind } = readCredential(request);
  if (kind === 'bearer' || (kind === 'none' && operation.rateClass !== 'auth')) return;
  if (!isOwnSite(request, kind === 'cookie'))
    throw new AppError('forbidden', 'This request came from another site’s page.');
}

function isOwnSite(request: FastifyRequest, hasCookie: boolean): boolean {
  const site = request.headers['sec-fetch-site'];
  if (site !== undefined) return site === 'same-origin' || site === 'none';
  const { origin } = request.headers;
  if (origin === undefined) return !hasCookie;
  const host = URL.canParse(origin) ? new URL(origin).host : null;
  const { publicUrl } = request.server.api.config;
  return (
    host !== null &&
    (host === request.client.host.toLowerCase() ||
      (publicUrl !== null && host === new URL(publicUrl).host))
  );
}

async function requireUnsuspended(request: FastifyRequest, operation: Operation): Promise<void> {
  const { identity } = request;
  if (identity?.workspaceState !== 'suspended' || isHarmless(operation)) return;
  throw await explainSuspension(request.server.api.services, identity.workspaceId);
}

function requireWritingToken(request: FastifyRequest, operation: Operation): void {
  const actor = request.identity?.actor;
  if (actor?.kind === 'token' && actor.readOnly && !operation.readOnlyToken)
    throw new AppError('read_only_token');
}

function requireRole(request: FastifyRequest, operation: Operation): void {
  const actor = request.identity?.actor;
  if (!actor || operation.hidden) return;
  if (operation.sessionOnly && actor.kind !== 'session')
    throw new AppError('forbidden', 'Only a signed-in person may do that, not a token.');
  if (operation.role === 'owner' && actor.role !== 'owner') throw new AppError('forbidden');
}
