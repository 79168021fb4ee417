import type { FastifyInstance } from 'fastify';
import { service } from '../../contract/service.ts';
import { AppError } from '../../domain/errors.ts';
import type { ApiDeps } from './context.ts';

const operation = service['GET /admin/queues'];

/**
 * The queue dashboard with all its pages and buttons behind one gate: owners see it, everybody else is told that there
 * is nothing. The queue belongs to the instance, so its buttons are for those who run it.
 */
export function installBoard(app: FastifyInstance, board: NonNullable<ApiDeps['board']>): void {
  void app.register(async (scope) => {
    scope.addHook('onRoute', (route) => {
      route.config = { ...route.config, key: 'GET /admin/queues', operation };
    });
    scope.addHook('onRequest', async (request, reply) => {
      if (request.method !== 'GET' && !mayTouch(request.server.api, request.identity?.actor)) throw new AppError('forbidden');
      reply.header(
        'content-security-policy',
        "default-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; frame-ancestors 'none'; base-uri 'self'; object-src 'none'",
      );
    });
    await scope.register(board.plugin, { prefix: '/admin/queues', ...board.options });
  });
}

function mayTouch(api: FastifyInstance['api'], actor: { kind: string; readOnly?: boolean; email: string } | undefined): boolean {
  if (!actor || actor.readOnly) return false;
  const { operatorEmails } = api.services.settings;
  return operatorEmails.length > 0 ? operatorEmails.some((email) => email.toLowerCase() === actor.email) : api.config.signUp === 'first';
}
