import Fastify, {
  type FastifyError,
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
} from 'fastify';
import { operations } from '#contract/index.ts';
import type { Operation } from '#contract/operation.ts';
import { AppError, notFound } from '#domain/base/errors.ts';
import { bodyBytesMax, largeZipMs } from '#contract/body-limits.ts';
import { createFairLimit } from '#lib/fair-limit.ts';
import { stringifyExact } from '#lib/json.ts';
import { TtlCache } from '#lib/ttl-cache.ts';
import { createHeavyReadRunner } from './heavy-reads/run-heavy-read.ts';
import { createLiveFeed } from '#domain/scheduling/live/live-feed.ts';
import { createLiveStreams } from './plugins/live-streams.ts';
import { createLimits } from './limits/index.ts';
import { installBoard } from './plugins/queue-board.ts';
import { createClientReader } from './plugins/client.ts';
import { installBodies } from './plugins/bodies.ts';
import type { ApiContext, ApiDeps } from './plugins/context.ts';
import { within } from './plugins/deadline.ts';
import { installDocs } from './plugins/docs.ts';
import { sendClientError, installErrors } from './plugins/errors.ts';
import { gates, tryIdentify, isOffered, requireIdentity } from './plugins/gates.ts';
import { installAccessLog, installHeaders, safetyHeaders } from './plugins/headers.ts';
import { readQuery } from './plugins/read-query.ts';
import { installPlanLimits } from './plugins/plan-limits.ts';
import { installRequestEnd } from './plugins/request-end.ts';
import { installRoutes } from './plugins/routes.ts';
import { installTracing } from './plugins/tracing.ts';
import { installUsage } from './plugins/usage.ts';
import type { Route } from './route.ts';
import { checkRoutes, routes as allRoutes } from './routes/index.ts';

export type { ApiConfig, ApiDeps } from './plugins/context.ts';

const headerBytesMax = 16_384;
/** Shorter than the second within which every process must see a revocation. */
const credentialCacheMs = 800;
const lookupTimeoutMs = 4_500;

/** Creates the API server, ready to listen. Only tests of a part of the API pass `routes`. */
export async function buildApi(
  deps: ApiDeps,
  routes: readonly Route[] = allRoutes,
): Promise<FastifyInstance> {
  if (routes === allRoutes) checkRoutes(routes, operations);
  const { clock } = deps.services;
  const app: FastifyInstance = Fastify({
    logger: false,
    bodyLimit: bodyBytesMax,
    // Other bodies than streamed ones have less: installBodies.
    requestTimeout: largeZipMs,
    // A client that neither reads nor sends for this long is disconnected.
    connectionTimeout: 180_000,
    keepAliveTimeout: 65_000,
    // Node rejects a request without Host with an empty body. Ours has the error envelope.
    http: { headersTimeout: 15_000, requireHostHeader: false, maxHeaderSize: headerBytesMax },
    exposeHeadRoutes: false,
    forceCloseConnections: 'idle',
    // A request on a connection from before the close is served.
    return503OnClosing: false,
    routerOptions: {
      maxParamLength: headerBytesMax,
      querystringParser: readQuery,
      caseSensitive: true,
      ignoreTrailingSlash: false,
    },
    clientErrorHandler: (error, socket) => sendClientError(error, socket, clock.now()),
    frameworkErrors: (error, request, reply) =>
      void refuseUnreadable(app, error, request as FastifyRequest, reply as FastifyReply),
  });
  const context: ApiContext = {
    queue: {
      backend: 'postgres',
      waiting: () => Promise.resolve(null),
      isWritable: () => Promise.resolve(null),
    },
    diagnostics: { examine: async () => [], settings: () => [], secrets: () => [] },
    ...deps,
    limits: createLimits({
      attempts: deps.attempts,
      requests: deps.services.settings.billingEnabled ? deps.counters : undefined,
      nowMs: () => clock.now().getTime(),
    }),
    heavyReadRunner: createHeavyReadRunner(deps.heavyReads ?? null),
    exportSlots: createFairLimit({ total: 8, perKey: 2, maxWaitingPerKey: 16 }),
    largeZipSlots: createFairLimit({ total: 4, perKey: 1, maxWaitingPerKey: 2 }),
    recent: new TtlCache(deps.credentialCacheMs ?? credentialCacheMs, (work) =>
      within(lookupTimeoutMs, work),
    ),
    liveStreams: createLiveStreams(createLiveFeed(deps.services)),
    startedAtMs: performance.now(),
  };
  app.decorate('api', context);
  app.addHook('preClose', async () => context.liveStreams.close());
  app.addHook('onClose', async () => context.limits.rejections.close());
  app.decorateRequest('client');
  app.decorateRequest('identity', null);
  app.decorateRequest('limitedAs', null);
  app.decorateRequest('isCounted', false);
  app.decorateRequest('isReplay', false);
  app.decorateRequest('isFree', false);
  app.decorateRequest('wasAborted', false);
  app.setReplySerializer(stringifyExact);
  installBodies(app);
  installTracing(app);
  installErrors(app, deps.validateResponses === true);
  installHeaders(app);
  installAccessLog(app);
  installUsage(app, deps.usageFlushMs);
  installPlanLimits(app);
  // After the hook of the limits, which may fail and change the status.
  installRequestEnd(app);
  installGates(app, routes);
  installRoutes(
    app,
    deps.board ? routes.filter((route) => route.key !== 'GET /admin/queues') : routes,
  );
  installDocs(app);
  if (deps.board) installBoard(app, deps.board);
  await app.ready();
  return app;
}

function installGates(app: FastifyInstance, routes: readonly Route[]): void {
  const readClient = createClientReader(app.api.config);
  const paths = routes
    .filter(({ operation }) => !operation.hidden && isOffered(operation, app.api.services))
    .map(({ key, operation }) => ({
      method: key.split(' ')[0]!,
      shape: shapeOf(key),
      isOpen: operation.rateClass === 'auth',
    }));
  app.addHook('onRequest', async (request, reply) => {
    request.client = readClient(request.raw);
    if (request.headers.host === undefined && request.raw.httpVersion !== '1.0') {
      throw new AppError('invalid_request', undefined, {
        issues: [
          {
            path: 'headers.host',
            code: 'missing',
            message: 'a Host header',
            limit: null,
            actual: null,
          },
        ],
      });
    }
    const { operation } = request.routeOptions.config as { operation?: Operation };
    // The router accepts an empty id: `/apps/`.
    const isWithoutId = !operation?.hidden && Object.values(request.params as object).includes('');
    if (request.is404 || operation === undefined || isWithoutId)
      return refuseAbsent(request, reply);
    for (const gate of gates) await gate(request, operation, reply);
  });
  app.setNotFoundHandler(() => {
    throw notFound();
  });

  /** Verifies the credential as a hidden path would, so that the two cannot be distinguished. */
  async function refuseAbsent(request: FastifyRequest, reply: FastifyReply): Promise<never> {
    const path = request.raw.url?.split('?')[0] ?? '';
    const there = paths.filter(({ shape }) => shape.test(path));
    if (there.length > 0) {
      if (there.every(({ isOpen }) => !isOpen)) await requireIdentity(request, reply);
      const methods = there.map(({ method }) => (method === 'GET' ? 'GET, HEAD' : method));
      const allowed = [...new Set(methods)].join(', ');
      reply.header('allow', allowed);
      throw new AppError('method_not_allowed', `This path supports ${allowed}.`);
    }
    request.identity = await tryIdentify(request);
    throw notFound();
  }
}

/**
 * A request that the router cannot parse passes no hook, so headers and authentication are handled
 * here, 401 before 400.
 */
async function refuseUnreadable(
  app: FastifyInstance,
  error: FastifyError,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<void> {
  reply.headers(safetyHeaders);
  try {
    request.client = createClientReader(app.api.config)(request.raw);
    await requireIdentity(request, reply);
    app.errorHandler(error, request, reply);
  } catch (refusal) {
    app.errorHandler(refusal as FastifyError, request, reply);
  }
}

function shapeOf(key: string): RegExp {
  const path = key.slice(key.indexOf(' ') + 1);
  return new RegExp(`^${path.replace(/\{\w+\}/g, '[^/]+')}$`);
}
