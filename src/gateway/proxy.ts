import type { IncomingMessage } from 'node:http';
import { Transform } from 'node:stream';
import httpProxy from '@fastify/http-proxy';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { basePathOf } from '#lib/base-path.ts';
import { forwardingHeaders } from '#lib/client-address.ts';
import { limitBodyTime } from '#lib/limit-body-time.ts';
import { abortWithClient, createApiAgent } from './create-api-agent.ts';
import { endStreamsOnClose } from './end-streams.ts';
import { apiPrefix, refusal } from './envelope.ts';
import type { createForwarding } from './forwarding.ts';
import { readRateLimits } from './rate-limits.ts';
import type { GatewayOptions } from './server.ts';

/** Store requests may wait for their pace; the API's own time limit is shorter. */
const responseTimeoutMs = 130_000;
/** `expect` is between the client and the gateway, which has sent the 100 by then. */
const dropped = new Set<string>([
  ...forwardingHeaders,
  'x-toprung-gateway',
  'x-toprung-direct',
  'expect',
]);

/** The API's limits for a body and for an import; the gateway's tests use both. */
export const bodyBytesMax = 256 * 1024;
const importBytesMax = 6 * 250_000 + 16_384;
/** The paths of operations with files in their bodies. */
const ofImports =
  /^\/api\/backend\/((workspace|popularity)\/imports|history-imports|apps\/[^/]+\/keywords\/import|apps\/[^/]+\/locale-coverage|listing-drafts\/[^/]+\/zip)\b/;
/** The same for zips that the API reads while they come, and the time that they may take. */
const ofLargeZips = /^\/api\/backend\/listing-drafts\/[^/]+\/large-zip\b/;
const largeZipBytesMax = 512 * 1024 * 1024;
export const largeZipMs = 10 * 60_000;
const bodyTimeoutMs = 30_000;
const tooLarge = new WeakSet<object>();

/**
 * Rejects bodies that the API would reject: announced ones at once, streamed ones when they exceed
 * the limit.
 */
function limitBodies(
  app: FastifyInstance,
  limitsOf: (request: FastifyRequest) => Promise<Record<string, string>>,
): void {
  app.addHook('onRequest', async (request, reply) => {
    const timeoutMs = ofLargeZips.test(request.url) ? largeZipMs : bodyTimeoutMs;
    limitBodyTime(request.raw, app.server, timeoutMs);
    if (Number(request.headers['content-length'] ?? 0) <= limitOf(request)) return;
    reply.headers(await limitsOf(request));
    throw Object.assign(new Error('too large'), { statusCode: 413 });
  });
  app.addHook('preParsing', async (request, _reply, payload) => {
    const limit = limitOf(request);
    let bytes = 0;
    const counted = new Transform({
      transform: (chunk: Buffer, _encoding, done) => {
        bytes += chunk.length;
        if (bytes <= limit) return done(null, chunk);
        tooLarge.add(request);
        return done(Object.assign(new Error('too large'), { statusCode: 413 }));
      },
    });
    // Others listen only while a connection sends this; an error without a listener would end the
    // process.
    counted.on('error', () => undefined);
    // A pipe does not propagate a premature close, so the API would wait for the rest.
    request.raw.once('close', () => {
      if (!request.raw.complete) counted.destroy(new Error('the client disconnected'));
    });
    return payload.pipe(counted);
  });
}

function limitOf({ url }: FastifyRequest): number {
  if (ofLargeZips.test(url)) return largeZipBytesMax;
  return ofImports.test(url) ? importBytesMax : bodyBytesMax;
}

/** The client closed the connection early, which is not an error of the server. */
export function isClientGone({
  raw,
}: {
  raw: { aborted: boolean; socket: { destroyed: boolean } };
}): boolean {
  return raw.aborted || raw.socket.destroyed;
}

/** The API's own paths have no prefix; the proxy has put the one of the gateway before some. */
function publicLocation(location: string, publicPrefix: string): string {
  if (!location.startsWith('/') || location.startsWith(publicPrefix)) return location;
  const path = location.startsWith(apiPrefix) ? location.slice(apiPrefix.length) : location;
  return `${publicPrefix}${path}`;
}

/**
 * Forwards everything under /api/backend to the API unchanged, including Authorization and Cookie.
 * It never retries.
 */
export async function installProxy(
  app: FastifyInstance,
  options: GatewayOptions,
  forwarding: ReturnType<typeof createForwarding>,
): Promise<void> {
  const limitsOf = (request: FastifyRequest) =>
    readRateLimits(options.apiUrl, request.raw, forwarding(request.raw).headers);
  limitBodies(app, limitsOf);
  abortWithClient(app);
  endStreamsOnClose(app);
  const agent = createApiAgent({
    pipelining: 1,
    connect: { timeout: 3_000 },
    headersTimeout: responseTimeoutMs,
    bodyTimeout: responseTimeoutMs,
  });
  const publicPrefix = `${basePathOf(options.publicUrl)}${apiPrefix}`;
  await app.register(httpProxy, {
    upstream: options.apiUrl,
    prefix: apiPrefix,
    rewritePrefix: '/',
    disableRequestLogging: true,
    retryMethods: [],
    maxRetriesOn503: 0,
    undici: agent,
    replyOptions: {
      rewriteRequestHeaders: (request, headers) => ({
        ...Object.fromEntries(Object.entries(headers).filter(([name]) => !dropped.has(name))),
        ...forwarding(request.raw as IncomingMessage).headers,
        'x-forwarded-prefix': publicPrefix,
      }),
      rewriteHeaders: ({ location, ...headers }) => ({
        ...headers,
        ...(typeof location === 'string' && { location: publicLocation(location, publicPrefix) }),
      }),
      onError: (reply, { error }) => {
        const cutOff = tooLarge.has(reply.request);
        const fault = { error: error.message, cause: (error.cause as Error | undefined)?.message };
        if (isClientGone(reply.request)) options.log.debug(fault, 'the client disconnected');
        else if (!cutOff) options.log.warn(fault, 'the API cannot be reached');
        const { body, headers } = cutOff
          ? refusal(413, 'payload_too_large', reply.request.url)
          : refusal(503, 'unavailable', reply.request.url);
        // A client that is still sending would keep the connection open.
        if (cutOff) reply.raw.once('finish', () => reply.request.raw.destroy());
        const send = (limits: Record<string, string>) =>
          void reply
            .code(cutOff ? 413 : 503)
            .headers({ ...limits, ...headers })
            .send(body);
        if (cutOff) void limitsOf(reply.request as FastifyRequest).then(send);
        else send({});
      },
    },
  });
}
