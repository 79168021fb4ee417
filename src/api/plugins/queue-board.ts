import type { FastifyInstance } from 'fastify';
import { service } from '#contract/service.ts';
import { AppError } from '#domain/base/errors.ts';
import type { ApiDeps } from './context.ts';

type Board = NonNullable<ApiDeps['board']>;

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
 * the owner of an instance without operators.
 */
export async function installBoard(app: FastifyInstance, board: Board): Promise<void> {
  await app.register(async (scope) => {
    scope.addHook('onRoute', (route) => {
      route.config = { ...route.config, key: `GET ${path}`, operation };
    });
    scope.addHook('onRequest', async (request, reply) => {
      if (request.method !== 'GET' && !mayTouch(request.server.api, request.identity?.actor))
        throw new AppError('forbidden');
      reply.header('content-security-policy', policy);
    });
    scope.addHook('onSend', async (request, reply, payload) => {
      const isPage =
        typeof payload === 'string' &&
        String(reply.getHeader('content-type')).startsWith('text/html');
      return isPage ? adaptPage(payload, request.client.prefix) : payload;
    });
    await scope.register(
      async (inner) => {
        // Its own error handler would respond in another format than the rest of the API.
        const ours = Object.create(inner, {
          setErrorHandler: { value: () => ours },
        }) as FastifyInstance;
        await start(board, ours);
      },
      { prefix: path, ...board.options },
    );
  });
}

/** Fastify plugins use either callbacks or promises. */
function start({ plugin, options = {} }: Board, scope: FastifyInstance): Promise<void> {
  return new Promise((resolve, reject) => {
    const promised: unknown = plugin(scope, options, (error) =>
      error ? reject(error) : resolve(),
    );
    if (promised instanceof Promise) promised.then(() => resolve(), reject);
  });
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
