import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { basePathOf } from '#lib/base-path.ts';
import type { McpHandler } from '#lib/mcp-handler.ts';
import { onResponseClosed } from '#lib/on-response-closed.ts';
import { activeSpan } from '#lib/tracing.ts';
import { apiPrefix, refusal } from './envelope.ts';
import type { createForwarding } from './forwarding.ts';
import { checkHost } from './check-host.ts';
import type { GatewayOptions } from './server.ts';

const path = '/mcp';

/**
 * Serves the API as MCP tools. Session cookies are not accepted, because another site's page could
 * send them.
 */
export async function installMcp(
  app: FastifyInstance,
  options: GatewayOptions & { mcp: McpHandler },
  forwarding: ReturnType<typeof createForwarding>,
): Promise<void> {
  await app.register(async (scope) => {
    scope.removeAllContentTypeParsers();
    // The protocol has an error of its own for invalid JSON.
    scope.addContentTypeParser('*', { parseAs: 'string' }, (_request, body, done) =>
      done(null, body),
    );
    scope.route({
      method: ['GET', 'POST', 'DELETE'],
      url: path,
      exposeHeadRoute: false,
      onRequest: async (request, reply) => {
        const site = checkHost(request.raw, {
          host: forwarding(request.raw).headers['x-forwarded-host']!,
          publicUrl: options.publicUrl,
        });
        if (site !== null) return refuse(reply, 403, site);
        if (readToken(request) === null)
          return refuse(reply.header('www-authenticate', 'Bearer'), 401, 'unauthenticated');
        return undefined;
      },
      handler: (request, reply) => forwardToMcp(request, reply, options, forwarding),
    });
  });
}

async function forwardToMcp(
  request: FastifyRequest,
  reply: FastifyReply,
  { mcp, apiUrl, publicUrl, log }: GatewayOptions & { mcp: McpHandler },
  forwarding: ReturnType<typeof createForwarding>,
): Promise<FastifyReply> {
  const gone = new AbortController();
  onResponseClosed(reply.raw, () => gone.abort());
  const body = typeof request.body === 'string' ? request.body : '';
  const headers = {
    ...forwarding(request.raw).headers,
    'x-forwarded-prefix': `${basePathOf(publicUrl)}${apiPrefix}`,
    ...activeSpan()?.headers(),
  };
  const response = await mcp({
    request: toRequest(request, body, gone.signal),
    body,
    token: readToken(request)!,
    apiUrl,
    headers,
    log,
  });
  return reply.send(response);
}

/** As a web standard request; the handler does not use its address. */
function toRequest(
  { method, headers }: FastifyRequest,
  body: string,
  signal: AbortSignal,
): Request {
  const pairs = Object.entries(headers).flatMap(([name, value]) =>
    typeof value === 'string' ? [[name, value] as [string, string]] : [],
  );
  return new Request(`http://web${path}`, {
    method,
    headers: pairs,
    signal,
    ...(method === 'POST' && { body }),
  });
}

function readToken({ headers }: FastifyRequest): string | null {
  return /^Bearer +([\x21-\x7e]+) *$/i.exec(headers.authorization ?? '')?.[1] ?? null;
}

function refuse(
  reply: FastifyReply,
  status: number,
  code: Parameters<typeof refusal>[1],
): FastifyReply {
  const { body, headers } = refusal(status, code, path);
  // An unread body would keep the connection busy.
  return reply.code(status).headers(headers).header('connection', 'close').send(body);
}
