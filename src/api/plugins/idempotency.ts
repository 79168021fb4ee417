import type { FastifyRequest } from 'fastify';
import { AppError } from '#domain/base/errors.ts';
import {
  withIdempotencyKey,
  type KeyedDatabases,
  type SentResponse,
} from '#domain/base/with-idempotency-key.ts';
import type { Operation } from '#contract/operation.ts';
import { parseExact, stringifyExact } from '#lib/json.ts';

/**
 * With an Idempotency-Key a POST runs once. A repeated request gets the stored response, marked as
 * a replay and without the secrets that are shown once.
 */
export async function runIdempotently(
  { key, operation }: { key: string; operation: Operation },
  request: FastifyRequest,
  work: (databases?: KeyedDatabases) => Promise<SentResponse>,
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
    { workspaceId, operation: key, key: readKey(header), text, secret: authSecret },
    {
      run: (databases) => {
        request.isReplay = false;
        return work(databases);
      },
      toReplay: ({ status, body }) => ({ status, body: removeSecrets(operation, body) }),
    },
  );
}

function removeSecrets({ shownOnce }: Operation, body: string): string {
  if (shownOnce === undefined) return body;
  const members = Object.entries(parseExact(body) as object);
  return stringifyExact(Object.fromEntries(members.filter(([name]) => !shownOnce.includes(name))));
}

function readKey(header: string | string[]): string {
  if (typeof header === 'string' && /^[\x21-\x7e]{1,128}$/.test(header)) return header;
  throw new AppError('invalid_request', 'Idempotency-Key: 1 to 128 visible ASCII characters', {
    issues: [
      {
        path: 'headers.idempotency-key',
        code: 'wrong_form',
        message: '1 to 128 visible ASCII characters',
        limit: 128,
        actual: null,
      },
    ],
  });
}
