import { hash } from 'node:crypto';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { holdsSecrets, isCacheable } from './is-cacheable.ts';

const packBrotli = promisify(brotliCompress);
const packGzip = promisify(gzip);
/** Below this size compression hardly helps. */
const packedBytesMin = 1_400;

/**
 * Sends a response with an ETag where it is cacheable, as 304 when the client has it, and
 * compressed where the client accepts that. The ETag of a versioned record begins with its
 * version. Responses to sign-ins and about tokens contain secrets and are never compressed.
 */
export async function sendJson(
  request: FastifyRequest,
  reply: FastifyReply,
  status: number,
  body: string | Buffer,
  version?: string,
): Promise<FastifyReply> {
  reply.code(status).type('application/json; charset=utf-8');
  const { key, operation } = request.routeOptions.config;
  if (key !== undefined && operation && isCacheable(key, operation) && status === 200) {
    reply.header('cache-control', 'private, no-cache');
    const content = hash('sha1', body, 'base64url');
    const etag = `W/"${version === undefined ? '' : `${version}.`}${content}"`;
    reply.header('etag', etag);
    if (hasAlready(request.headers['if-none-match'], etag))
      return reply.code(304).removeHeader('content-type').send();
  } else if (version !== undefined) {
    reply.header('etag', `"${version}"`);
  }
  // A short body is sent together with its head in one write.
  if (Buffer.byteLength(body) < packedBytesMin || holdsSecrets(key ?? '')) return reply.send(body);
  reply.header('vary', 'accept-encoding');
  const encoding = readEncoding(request.headers['accept-encoding']);
  if (encoding === null) return reply.send(body);
  const bytes = typeof body === 'string' ? Buffer.from(body) : body;
  reply.header('content-encoding', encoding);
  return reply.send(
    encoding === 'br'
      ? await packBrotli(bytes, brotliOptions(bytes.length))
      : await packGzip(bytes, { level: 5 }),
  );
}

/** Brotli at quality 4 is as small as gzip at its best, in a third of the time. */
function brotliOptions(size: number) {
  return {
    params: { [constants.BROTLI_PARAM_QUALITY]: 4, [constants.BROTLI_PARAM_SIZE_HINT]: size },
  };
}

function hasAlready(header: string | undefined, etag: string): boolean {
  if (header === undefined) return false;
  const asked = header.split(',').map((text) => text.trim());
  return asked.includes('*') || asked.some((text) => text === etag || `W/${text}` === etag);
}

/** `br` before `gzip`; null when the client accepts neither or excludes it with q=0. */
export function readEncoding(header: string | string[] | undefined): 'br' | 'gzip' | null {
  const accepted = new Map(
    String(header ?? '')
      .split(',')
      .map((part) => part.trim().toLowerCase().split(';'))
      .map(
        ([name, ...rest]) => [name, !rest.some((text) => /^\s*q=0(\.0*)?\s*$/.test(text))] as const,
      ),
  );
  const takes = (name: 'br' | 'gzip') => accepted.get(name) ?? false;
  return takes('br') ? 'br' : takes('gzip') ? 'gzip' : null;
}
