import type { FastifyRequest } from 'fastify';
import type { Operation } from '#contract/operation.ts';
import { AppError } from '#domain/base/errors.ts';

/**
 * The dashboard sends the id of the workspace it shows, because another tab may have switched the
 * session since. A token belongs to one workspace. Throws invalid_request and workspace_switched.
 */
export function requireShownWorkspace(request: FastifyRequest, operation: Operation): void {
  const { identity } = request;
  const header = request.headers['x-toprung-workspace'];
  if (header === undefined || identity?.actor.kind !== 'session' || operation.inAnyWorkspace)
    return;
  if (!/^[1-9]\d{0,15}$/.test(String(header))) throw invalidHeader();
  if (header !== String(identity.workspaceId)) throw new AppError('workspace_switched');
}

function invalidHeader(): AppError {
  return new AppError('invalid_request', undefined, {
    issues: [
      {
        path: 'headers.x-toprung-workspace',
        code: 'wrong_form',
        message: 'the id of a workspace',
        limit: null,
        actual: null,
      },
    ],
  });
}
