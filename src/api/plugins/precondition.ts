import type { FastifyRequest } from 'fastify';
import type { Operation } from '#contract/operation.ts';
import type { Precondition } from '#domain/base/context.ts';
import { AppError } from '#domain/base/errors.ts';

const entityTag = /^(?:W\/)?"([\x21\x23-\x7e]*)"$/;

/**
 * The versions of `If-Match`, or undefined when every state is accepted. Proxies that compress
 * make ETags weak, so weak ones count too; of an ETag of a read only the part before the dot is the
 * version. Throws invalid_request.
 */
export function readPrecondition(
  { headers }: Pick<FastifyRequest, 'headers'>,
  { versioned: members }: Operation,
): Precondition | undefined {
  const header = headers['if-match']?.trim();
  if (members === undefined || header === undefined || header === '*') return undefined;
  const versions = header.split(',').map((text) => {
    const found = entityTag.exec(text.trim());
    if (!found) throw invalidHeader();
    return found[1]!.split('.')[0]!;
  });
  return { versions, members };
}

function invalidHeader(): AppError {
  return new AppError('invalid_request', undefined, {
    issues: [
      {
        path: 'headers.if-match',
        code: 'wrong_form',
        message: 'the ETag of a read, in double quotes',
        limit: null,
        actual: null,
      },
    ],
  });
}
