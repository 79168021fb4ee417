import { existsSync } from 'node:fs';
import { STATUS_CODES } from 'node:http';
import { join } from 'node:path';
import fastifyStatic from '@fastify/static';
import Fastify, {
  type FastifyError,
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
} from 'fastify';
import type { Logger } from '#lib/logger.ts';
import type { McpHandler } from '#lib/mcp-handler.ts';
import { basePathOf, removeBasePath } from '#lib/base-path.ts';
import { createRequestSpans } from '#lib/request-spans.ts';
import { refusal } from './envelope.ts';
import { createForwarding } from './forwarding.ts';
import { securityHeaders } from './headers.ts';
import { installMcp } from './mcp.ts';
import { createPageSender } from './page.ts';
import { bodyBytesMax, isClientGone, installProxy, largeZipMs } from './proxy.ts';
import { readRateLimits } from './rate-limits.ts';

export interface GatewayOptions {
  /** The API's address, such as `http://127.0.0.1:4000`. */
  apiUrl: string;
  /** The built dashboard; null when another server serves it. */
  webDist: string | null;
  /** Reverse proxies whose X-Forwarded-* headers are trusted. */
  trustProxy: readonly string[];
  /** The peer is a reverse proxy on this machine, whose headers are trusted. */
  isOnSocket?: boolean | undefined;
  publicUrl: string | null;
  log: Logger;
  /** The API's `gatewayKey`, which proves that the forwarded headers come from the gateway. */
  gatewayKey?: string | undefined;
  /** Handles /mcp. Without it the path does not exist. */
  mcp?: McpHandler | undefined;
}

const year = 31_536_000;
/** The names that the build gives, which cannot lead out of the folder. */
const assetName = /^\w[\w-]*(\.[\w-]+)+$/;

/** The web origin: the dashboard's files, the API under /api/backend, and MCP at /mcp. */
export async function buildGateway(options: GatewayOptions): Promise<FastifyInstance> {
  const forwarding = createForwarding(options);
  const basePath = basePathOf(options.publicUrl);
  const app = Fastify({
    rewriteUrl: ({ url = '/' }) => removeBasePath(url, basePath),
    logger: false,
    bodyLimit: bodyBytesMax,
    // Most bodies have less: installProxy.
    requestTimeout: largeZipMs,
    connectionTimeout: 180_000,
    keepAliveTimeout: 65_000,
    http: { headersTimeout: 15_000, maxHeaderSize: 16_384, requireHostHeader: false },
    exposeHeadRoutes: true,
    forceCloseConnections: 'idle',
    return503OnClosing: false,
    routerOptions: { maxParamLength: 20_000 },
    clientErrorHandler: (error, socket) => {
      if (!socket.writable) return;
      const status =
        error.code === 'HPE_HEADER_OVERFLOW'
          ? 431
          : error.code === 'ERR_HTTP_REQUEST_TIMEOUT'
            ? 408
            : 400;
      const { body, headers } = refusal(status, 'invalid_request', '');
      const sent = {
        ...securityHeaders(options.publicUrl?.startsWith('https:') === true),
        ...headers,
        'content-length': Buffer.byteLength(body),
      };
      const head = Object.entries({ ...sent, connection: 'close' }).map(
        ([name, value]) => `${name}: ${value}`,
      );
      socket.end([`HTTP/1.1 ${status} ${STATUS_CODES[status]}`, ...head, '', body].join('\r\n'));
    },
    frameworkErrors: (error, request, reply) => {
      // No hook runs for an address that the router cannot parse.
      const forwarded = forwarding(request.raw);
      reply.headers(securityHeaders(forwarded.https));
      void readRateLimits(options.apiUrl, request.raw, forwarded.headers).then((limits) =>
        sendError(error, request, reply.headers(limits), options.log),
      );
    },
  });
  installTracing(app);
  app.addHook('onRequest', async (request, reply) => {
    reply.headers(securityHeaders(forwarding(request.raw).https));
  });
  app.setErrorHandler((error: FastifyError, request, reply) =>
    sendError(error, request, reply, options.log),
  );
  await installProxy(app, options, forwarding);
  if (options.mcp) await installMcp(app, { ...options, mcp: options.mcp }, forwarding);
  const { webDist } = options;
  if (webDist !== null && existsSync(join(webDist, 'index.html')))
    await installPages(app, webDist, basePath);
  else app.setNotFoundHandler((request, reply) => send(reply, 404, 'not_found', request.url));
  await app.ready();
  return app;
}

/** A page loads dozens of files, and supervisors ask every few seconds. */
const untraced = /^\/(assets\/|api\/backend\/(health|metrics)$)/;

function installTracing(app: FastifyInstance): void {
  const spans = createRequestSpans<FastifyRequest>({
    routeOf: ({ routeOptions }) => routeOptions.url,
    isTraced: ({ url }) => !untraced.test(url),
  });
  if (spans === null) return;
  app.addHook('onRequest', spans.begin);
  app.addHook('preHandler', spans.resume);
}

/** Files with a hash in their name never change. Everything else is revalidated. */
async function installPages(
  app: FastifyInstance,
  webDist: string,
  basePath: string,
): Promise<void> {
  const sendPage = createPageSender(webDist, basePath);
  app.get('/', (_request, reply) => sendPage(reply));
  await app.register(fastifyStatic, {
    root: webDist,
    index: false,
    dotfiles: 'ignore',
    preCompressed: true,
    cacheControl: false,
    setHeaders: (reply, path) => {
      const isHashed = path.startsWith(join(webDist, 'assets'));
      reply.header('cache-control', isHashed ? `public, max-age=${year}, immutable` : 'no-cache');
    },
  });
  // The plugin's own route lists the folder of 700 files for each request.
  app.get<{ Params: { name: string } }>('/assets/:name', (request, reply) =>
    assetName.test(request.params.name)
      ? reply.sendFile(`assets/${request.params.name}`)
      : reply.callNotFound(),
  );
  app.setNotFoundHandler((request, reply) => {
    if (!isNavigation(request)) return send(reply, 404, 'not_found', request.url);
    return sendPage(reply);
  });
}

/** A browser navigation to a page of the dashboard, rather than a missing file or call. */
function isNavigation(request: FastifyRequest): boolean {
  const path = request.url.split('?')[0] ?? '';
  const wantsPage = (request.headers.accept ?? '*/*').includes('text/html');
  return (
    (request.method === 'GET' || request.method === 'HEAD') &&
    wantsPage &&
    !path.startsWith('/api/') &&
    !path.startsWith('/assets/')
  );
}

function sendError(
  error: FastifyError,
  request: FastifyRequest,
  reply: FastifyReply,
  log: Logger,
): void {
  if (error.statusCode === 413) reply.header('connection', 'close');
  if (error.statusCode === 413) return void send(reply, 413, 'payload_too_large', request.url);
  if (error.statusCode !== undefined && error.statusCode < 500)
    return void send(reply, 400, 'invalid_request', request.url);
  if (isClientGone(request))
    log.debug({ error: error.message, code: error.code }, 'the client disconnected');
  else log.error({ error: error.message, code: error.code }, 'the web origin failed a request');
  void send(reply, 500, 'internal', request.url);
}

function send(
  reply: FastifyReply,
  status: number,
  code: Parameters<typeof refusal>[1],
  url: string,
): FastifyReply {
  const { body, headers } = refusal(status, code, url);
  return reply.code(status).headers(headers).send(body);
}
