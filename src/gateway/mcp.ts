import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { AnswerMcp } from '../lib/mcp-call.ts';
import { whenClosed } from '../lib/when-closed.ts';
import { refusal } from './envelope.ts';
import type { createForwarding } from './forwarding.ts';
import { judgeSite } from './judge-site.ts';
import { apiPrefix } from './proxy.ts';
import type { GatewayOptions } from './server.ts';

const path = '/mcp';

/** The API as tools for models. A session cookie is nothing here: a page of another site could send it. */
export async function installMcp(
  app: FastifyInstance,
  options: GatewayOptions & { mcp: AnswerMcp },
  forwarding: ReturnType<typeof createForwarding>,
): Promise<void> {
  await app.register(async (scope) => {
    scope.removeAllContentTypeParsers();
    // What is no JSON has an answer in the protocol itself.
    scope.addContentTypeParser('*', { parseAs: 'string' }, (_request, body, done) =>
      done(null, body),
    );
    scope.route({
      method: ['GET', 'POST', 'DELETE'],
      url: path,
      exposeHeadRoute: false,
      onRequest: async (request, reply) => {
        const site = judgeSite(request.raw, {
          host: forwarding(request.raw).headers['x-forwarded-host']!,
          publicUrl: options.publicUrl,
        });
        if (site !== null) return refuse(reply, 403, site);
        if (readToken(request) === null)
          return refuse(reply.header('www-authenticate', 'Bearer'), 401, 'unauthenticated');
        return undefined;
      },
      handler: (request, reply) => answer(request, reply, options, forwarding),
    });
  });
}

async function answer(
  request: FastifyRequest,
  reply: FastifyReply,
  { mcp, apiUrl, log }: GatewayOptions & { mcp: AnswerMcp },
  forwarding: ReturnType<typeof createForwarding>,
): Promise<FastifyReply> {
  const gone = new AbortController();
  whenClosed(reply.raw, () => gone.abort());
  const body = typeof request.body === 'string' ? request.body : '';
  const headers = { ...forwarding(request.raw).headers, 'x-forwarded-prefix': apiPrefix };
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

/** As web standards have it; whose address it is for does not matter to who answers. */
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
  // A body that nobody reads would keep the connection busy.
  return reply.code(status).headers(headers).header('connection', 'close').send(body);
}
