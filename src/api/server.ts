import Fastify, { type FastifyInstance, type FastifyRequest } from 'fastify';
import { operations } from '../contract/index.ts';
import type { Operation } from '../contract/operation.ts';
import { AppError, notFound } from '../domain/errors.ts';
import { stringifyExact } from '../lib/json.ts';
import { createLimits } from './limits/index.ts';
import { installBoard } from './plugins/board.ts';
import { createClientReader } from './plugins/client.ts';
import type { ApiContext, ApiDeps } from './plugins/context.ts';
import { installDocs } from './plugins/docs.ts';
import { answerClientError, installErrors } from './plugins/errors.ts';
import { gates, identifyQuietly } from './plugins/gates.ts';
import { installAccessLog, installHeaders } from './plugins/headers.ts';
import { readJson } from './plugins/read-json.ts';
import { readQuery } from './plugins/read-query.ts';
import { installRoutes } from './plugins/routes.ts';
import type { Route } from './route.ts';
import { checkRoutes, routes as allRoutes } from './routes/index.ts';

export type { ApiConfig, ApiDeps } from './plugins/context.ts';

const bodyBytesMax = 256 * 1024;

/** The API, ready to listen; `routes` only for tests of a part of it. */
export async function buildApi(deps: ApiDeps, routes: readonly Route[] = allRoutes): Promise<FastifyInstance> {
  if (routes === allRoutes) checkRoutes(routes, operations);
  const { clock } = deps.services;
  const app: FastifyInstance = Fastify({
    logger: false,
    bodyLimit: bodyBytesMax,
    requestTimeout: 30_000,
    keepAliveTimeout: 65_000,
    // Node's own refusal of a request without Host has no body; ours has.
    http: { headersTimeout: 15_000, requireHostHeader: false, maxHeaderSize: 16_384 },
    exposeHeadRoutes: false,
    forceCloseConnections: 'idle',
    routerOptions: { maxParamLength: 200, querystringParser: readQuery, caseSensitive: true, ignoreTrailingSlash: false },
    clientErrorHandler: (error, socket) => answerClientError(error, socket, clock.now()),
    frameworkErrors: (error, request, reply) => app.errorHandler(error, request as FastifyRequest, reply),
  });
  const context: ApiContext = {
    queue: { backend: 'postgres', waiting: () => Promise.resolve(null) },
    ...deps,
    limits: createLimits(),
    startedAtMs: performance.now(),
  };
  app.decorate('api', context);
  app.decorateRequest('client');
  app.decorateRequest('identity', null);
  app.setReplySerializer(stringifyExact);
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('application/json', { parseAs: 'buffer', bodyLimit: bodyBytesMax }, (_request, body, done) => {
    try {
      done(null, readJson(body as Buffer));
    } catch (error) {
      done(error as Error);
    }
  });
  installErrors(app, deps.validateResponses === true);
  installHeaders(app);
  installAccessLog(app);
  installGates(app, routes);
  installRoutes(app, deps.board ? routes.filter((route) => route.key !== 'GET /admin/queues') : routes);
  installDocs(app);
  if (deps.board) await installBoard(app, deps.board);
  await app.ready();
  return app;
}

function installGates(app: FastifyInstance, routes: readonly Route[]): void {
  const readClient = createClientReader(app.api.config);
  const paths = routes.filter((route) => !route.operation.hidden).map((route) => ({ method: route.key.split(' ')[0]!, shape: shapeOf(route.key) }));
  app.addHook('onRequest', async (request, reply) => {
    request.client = readClient(request.raw);
    if (request.headers.host === undefined && request.raw.httpVersion !== '1.0') {
      throw new AppError('invalid_request', undefined, { issues: [{ path: 'headers.host', rule: 'a Host header', limit: null, actual: null }] });
    }
    if (request.is404) return refuseAbsent(request);
    const { operation } = request.routeOptions.config as { operation: Operation };
    for (const gate of gates) await gate(request, operation, reply);
  });
  app.setNotFoundHandler(() => {
    throw notFound();
  });

  /** Looks at the credential as a hidden path would, so that the two cannot be told apart. */
  async function refuseAbsent(request: FastifyRequest): Promise<never> {
    const path = request.raw.url?.split('?')[0] ?? '';
    const allowed = paths.filter(({ shape }) => shape.test(path)).map(({ method }) => method);
    if (allowed.length > 0) throw new AppError('method_not_allowed', `This path answers ${allowed.join(', ')}.`);
    request.identity = await identifyQuietly(request);
    throw notFound();
  }
}

function shapeOf(key: string): RegExp {
  const path = key.slice(key.indexOf(' ') + 1);
  return new RegExp(`^${path.replace(/\{\w+\}/g, '[^/]{1,200}')}$`);
}
