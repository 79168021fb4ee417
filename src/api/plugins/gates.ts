import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify';
import type { Operation } from '#contract/operation.ts';
import { assertSession } from '#domain/base/assert-session.ts';
import type { Actor, Services } from '#domain/base/context.ts';
import { AppError, notFound } from '#domain/base/errors.ts';
import { maySeeInstance } from '#domain/scheduling/health/get-health.ts';
import { explainSuspension } from '#domain/accounts/billing/explain-suspension.ts';
import type { ApiConfig } from './context.ts';
import { clearSessionCookie, identify, isFormedByUs, readCredential } from './credentials.ts';
import { isDatabaseUnavailable } from './errors.ts';
import { spendRequest } from './plan-limits.ts';
import { requireShownWorkspace } from './shown-workspace.ts';
import { worksWithoutPlan } from './works-without-plan.ts';

type Gate = (
  request: FastifyRequest,
  operation: Operation,
  reply: FastifyReply,
) => Promise<void> | void;

/**
 * The order in which a request can be rejected before its body is read. When several things are
 * wrong, the first of these is the response. After them come 400 (validation) and the handler's own
 * 404 and 403 quota errors.
 */
export const gates: readonly Gate[] = [
  hideUnmetered, // 404: billing is off
  hideFromUnauthorized, // 404: the operation is hidden from this caller
  requireCredential, // 429 credential_throttled, 401
  requireSameOriginForSignIn, // 403: another site's page must not use up the visitor's attempts
  throttleSignIn, // 429 auth_throttled
  requireShownWorkspace, // 400, 409: the page shows another workspace than the session’s
  requireLivePlan, //   402
  requireSameOrigin, // 403: a cookie sent by another site's page
  requireUnsuspended, // 403
  requireWriteToken, // 403
  requireRole, //       403
  spendRequest, //      429 rate_limited, on_demand_cap, auth_throttled
];

/** Plans exist only when billing is on, and payment events only with a payment provider. */
export function isOffered(
  { metered, signed }: Operation,
  { settings, payments }: Services,
): boolean {
  return !metered || (settings.billingEnabled && (!signed || payments !== null));
}

/** Verifies the credential exactly as for a path that does not exist. */
async function hideUnmetered(request: FastifyRequest, operation: Operation): Promise<void> {
  if (isOffered(operation, request.server.api.services)) return;
  request.identity = await tryIdentify(request);
  throw notFound();
}

/**
 * Hidden operations respond like a path that does not exist, and verify the credential in the same
 * way.
 */
async function hideFromUnauthorized(request: FastifyRequest, operation: Operation): Promise<void> {
  if (!operation.hidden) return;
  try {
    request.identity = await tryIdentify(request);
    if (request.identity === null || !(await canSee(request, operation))) throw notFound();
  } catch (error) {
    if (!mayReportOutage(request, operation, error)) throw error;
    // A cached identity does not say whether this caller may see the operation.
    request.identity = null;
  }
}

export async function tryIdentify(request: FastifyRequest): Promise<FastifyRequest['identity']> {
  try {
    return await identify(request);
  } catch (error) {
    if (error instanceof AppError && error.code === 'credential_throttled') return null;
    throw error;
  }
}

async function canSee(request: FastifyRequest, operation: Operation): Promise<boolean> {
  const { config, services } = request.server.api;
  const { actor } = request.identity!;
  if (operation.role === 'operator') return actor.operator;
  if (operation.instanceWide && actor.operator) return true;
  if (operation.role === 'owner' && actor.role !== 'owner') return false;
  if (operation.instanceWide) return maySeeInstance({ ...services, actor });
  if (operation.role === 'owner') return true;
  return maySeeDocs(config, actor);
}

export function maySeeDocs({ apiDocs }: ApiConfig, { role }: Pick<Actor, 'role'>): boolean {
  return apiDocs === 'member' || (apiDocs === 'owner' && role === 'owner');
}

async function requireCredential(
  request: FastifyRequest,
  operation: Operation,
  reply: FastifyReply,
): Promise<void> {
  if (operation.rateClass === 'auth' || operation.hidden) return;
  try {
    await requireIdentity(request, reply);
  } catch (error) {
    if (!mayReportOutage(request, operation, error)) throw error;
  }
}

/** The caller cannot be verified, because the database is away, and the response says that. */
function mayReportOutage(
  request: FastifyRequest,
  { reportsOutage }: Operation,
  error: unknown,
): boolean {
  const isOutage = isDatabaseUnavailable(error as FastifyError) || isUnavailable(error);
  return reportsOutage === true && isOutage && isFormedByUs(request);
}

/** Throws credential_throttled or unauthenticated. */
export async function requireIdentity(request: FastifyRequest, reply: FastifyReply): Promise<void> {
  request.identity = await identify(request);
  if (request.identity !== null) return;
  // The browser would send the expired cookie again and again, and each request would count as
  // rejected.
  if (readCredential(request).kind === 'cookie') clearSessionCookie(request, reply);
  throw new AppError('unauthenticated');
}

/** The lookup of the credential did not end in time. */
function isUnavailable(error: unknown): boolean {
  return error instanceof AppError && error.code === 'unavailable';
}

const attempts: Record<string, 'attempt' | 'report' | 'recovery'> = {
  'POST /auth/sign-in': 'attempt',
  'POST /auth/sign-up': 'attempt',
  'POST /auth/invites/{token}/accept': 'attempt',
  'POST /reports/open': 'report',
  'POST /auth/password/forgot': 'recovery',
  'POST /auth/password/reset': 'recovery',
  'POST /auth/email/confirm': 'recovery',
};

/** A signed caller sends a request for each of its events. */
const isThrottled = ({ rateClass, signed }: Operation) => rateClass === 'auth' && !signed;

function requireSameOriginForSignIn(request: FastifyRequest, operation: Operation): void {
  if (isThrottled(operation)) requireSameOrigin(request, operation);
}

async function throttleSignIn(request: FastifyRequest, operation: Operation): Promise<void> {
  if (!isThrottled(operation)) return;
  const kind = attempts[request.routeOptions.config.key ?? ''] ?? 'look';
  await request.server.api.limits.signIn.countRequest(request.client.bucket, kind);
}

/**
 * True for operations that change nothing in the workspace and request nothing from a store: reads,
 * exports, payment, instance administration, leaving.
 */
function isHarmless(operation: Operation): boolean | undefined {
  return (
    operation.rateClass === 'read' ||
    operation.metered ||
    operation.allowedInAnyState ||
    operation.role === 'operator'
  );
}

/**
 * A lapsed workspace stays readable. Its members may still manage their own sessions and revoke
 * access.
 */
function requireLivePlan(request: FastifyRequest, operation: Operation): void {
  const { identity } = request;
  if (
    identity?.workspaceState !== 'lapsed' ||
    !request.server.api.services.settings.billingEnabled ||
    operation.rateClass === 'read' ||
    worksWithoutPlan(operation)
  )
    return;
  throw new AppError('no_live_plan', undefined, {
    entitlement: { state: 'lapsed', plan: identity.plan, upgradePath: '/settings/billing' },
  });
}

const safeMethods = new Set(['GET', 'HEAD', 'OPTIONS']);

/**
 * Browsers send the origin of a request, and a cookie is accepted only from our own pages. Bearer
 * requests are not affected. Browsers send the password of a proxy by themselves, like a cookie.
 */
function requireSameOrigin(request: FastifyRequest, operation: Operation): void {
  if (safeMethods.has(request.method)) return;
  const { kind } = readCredential(request);
  if (kind === 'bearer' || (kind !== 'cookie' && operation.rateClass !== 'auth')) return;
  if (!isSameOrigin(request, kind === 'cookie'))
    throw new AppError('forbidden', 'This request came from another site’s page.');
}

function isSameOrigin(request: FastifyRequest, hasCookie: boolean): boolean {
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

function requireWriteToken(request: FastifyRequest, operation: Operation): void {
  const actor = request.identity?.actor;
  if (actor?.kind === 'token' && actor.readOnly && !operation.readOnlyToken)
    throw new AppError('read_only_token');
}

function requireRole(request: FastifyRequest, operation: Operation): void {
  const actor = request.identity?.actor;
  if (!actor || operation.hidden) return;
  if (operation.sessionOnly) assertSession({ actor });
  if (operation.role === 'owner' && actor.role !== 'owner') throw new AppError('forbidden');
}
