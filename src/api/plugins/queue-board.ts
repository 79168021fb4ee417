import fastify, {
  type FastifyInstance,
  type FastifyPluginAsync,
  type FastifyReply,
  type FastifyRequest,
} from 'fastify';
import { service } from '#contract/service.ts';
import { AppError, notFound } from '#domain/base/errors.ts';
import type { ApiDeps } from './context.ts';

type BoardLoader = NonNullable<ApiDeps['board']>;

const path = '/admin/queues';
const operation = service['GET /admin/queues'];
const policy = [
  "default-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data:",
  "object-src 'none'",
  "base-uri 'self'",
  "frame-ancestors 'none'",
].join('; ');

/**
 * The queue board behind one gate: other callers get 404. Only operators may use its buttons, and
 * the owner of an instance without operators. It is a server of its own, opened by the first
 * request, whose errors get the format of this API.
 */
export function installBoard(app: FastifyInstance, loadBoard: BoardLoader): void {
  let board: Promise<FastifyInstance> | null = null;
  const open = () => {
    board ??= openBoard(loadBoard);
    board.catch(() => (board = null));
    return board;
  };
  app.addHook('onClose', async () => (await board?.catch(() => null))?.close());
  for (const url of [path, `${path}/*`]) {
    app.route({
      method: ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'],
      url,
      config: { key: `GET ${path}`, operation },
      handler: async (request, reply) => {
        if (request.method !== 'GET' && !mayTouch(request.server.api, request.identity?.actor))
          throw new AppError('forbidden');
        return forward(await open(), request, reply);
      },
    });
  }
}

async function openBoard(loadBoard: BoardLoader): Promise<FastifyInstance> {
  const { plugin, options = {} } = await loadBoard();
  const server = fastify();
  await server.register(plugin as FastifyPluginAsync, { prefix: path, ...options });
  await server.ready();
  return server;
}

async function forward(
  board: FastifyInstance,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const { body } = request;
  const response = await board.inject({
    method: request.method as 'GET',
    url: request.url,
    ...(body === undefined || body === null ? {} : { payload: body }),
  });
  const isFile = request.url.startsWith(`${path}/static/`);
  // It responds to names outside of its folder with an internal error.
  if (response.statusCode === 404 || (isFile && response.statusCode > 400)) throw notFound();
  if (response.statusCode >= 400)
    throw new Error(`the queue board responded ${response.statusCode}: ${response.body}`);
  const type = String(response.headers['content-type'] ?? 'text/plain');
  reply.code(response.statusCode).type(type).header('content-security-policy', policy);
  const page = type.startsWith('text/html');
  return reply.send(page ? adaptPage(response.body, request.client.prefix) : response.rawPayload);
}

/** Sets the base address as the browser sees it, and removes fonts of another host. */
function adaptPage(page: string, prefix: string): string {
  return page
    .replace(/<link[^>]*href="https?:[^>]*>/g, '')
    .replace(/<base href="[^"]*"/, `<base href="${prefix}${path}/"`);
}

function mayTouch(
  api: FastifyInstance['api'],
  actor: { kind: string; readOnly?: boolean; operator: boolean } | undefined,
): boolean {
  if (!actor || actor.readOnly) return false;
  return actor.operator || api.services.settings.operatorEmails.length === 0;
}
