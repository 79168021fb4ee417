import type { FastifyRequest } from 'fastify';
import { AppError } from '#domain/base/errors.ts';
import { withIdempotencyKey, type SentResponse } from '#domain/base/with-idempotency-key.ts';
import { stringifyExact } from '#lib/json.ts';

/**
 * With an Idempotency-Key a POST runs once. A repeated request gets the stored response, marked as
 * a replay.
 */
export async function runIdempotently(
  operation: string,
  request: FastifyRequest,
  work: () => Promise<SentResponse>,
): Promise<SentResponse> {
  const header = request.headers['idempotency-key'];
  if (header === undefined) return work();
  const { services, authSecret } = request.server.api;
  const { workspaceId, actor } = request.identity!;
  const text = [
    request.method,
    request.url,
    actor.userId,
    stringifyExact(request.body ?? null),
  ].join('\n');
  request.isReplay = true;
  return withIdempotencyKey(
    services,
    { workspaceId, operation, key: readKey(header), text, secret: authSecret },
    () => {
      request.isReplay = false;
      return work();
    },
  );
}

function readKey(header: string | string[]): string {
  if (typeof header === 'string' && /^[\x21-\x7e]{1,128}$/.test(header)) return header;
  throw new AppError('invalid_request', 'Idempotency-Key: 1 to 128 visible ASCII characters', {
    issues: [
      {
        path: 'headers.idempotency-key',
        rule: '1 to 128 visible ASCII characters',
        limit: 128,
        actual: null,
      },
    ],
  });
}
