import type { FastifyRequest } from 'fastify';
import { AppError } from '../../domain/errors.ts';
import { answerOnce, type SentAnswer } from '../../domain/service/answer-once.ts';
import { stringifyExact } from '../../lib/json.ts';

/** With an Idempotency-Key a POST is done once; a request that is given the kept answer is marked as a replay. */
export async function answerKeyed(
  operation: string,
  request: FastifyRequest,
  work: () => Promise<SentAnswer>,
): Promise<SentAnswer> {
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
  return answerOnce(
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
