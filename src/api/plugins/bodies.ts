import { Readable } from 'node:stream';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { bodyBytesMax } from '#contract/body-limits.ts';
import { AppError } from '#domain/base/errors.ts';
import { hasBody, limitBodyTime } from '#lib/limit-body-time.ts';
import { readJson } from './read-json.ts';

const bodyTimeoutMs = 30_000;

/** Reads JSON, leaves streamed bodies to their operation, and limits the time of both. */
export function installBodies(app: FastifyInstance): void {
  app.addHook('onRequest', async (request) => {
    const { streams } = operationOf(request) ?? {};
    limitBodyTime(request.raw, app.server, streams?.timeoutMs ?? bodyTimeoutMs);
  });
  // Node discards what nobody has read of a body, but not the end of one that was read in part:
  // its connection would serve no further request.
  app.addHook('onResponse', async (request) => {
    if (operationOf(request)?.streams) request.raw.resume();
  });
  // The parser would wait for ever, because a destroyed request emits nothing.
  app.addHook('preParsing', (request, _reply, _payload, done) => {
    const isLost = request.raw.destroyed && hasBody(request.raw);
    done(
      isLost ? new AppError('invalid_request', 'The client left before its body was read.') : null,
    );
  });
  app.removeAllContentTypeParsers();
  app.addContentTypeParser(
    'application/json',
    { parseAs: 'buffer', bodyLimit: bodyBytesMax },
    (request, body, done) => {
      try {
        requirePlain(request);
        if (operationOf(request)?.streams) throw notOfType('application/zip');
        done(null, operationOf(request)?.signed ? body : readJson(body as Buffer));
      } catch (error) {
        done(error as Error);
      }
    },
  );
  app.addContentTypeParser('application/zip', (request, stream, done) => {
    try {
      requirePlain(request);
      const { streams } = operationOf(request) ?? {};
      if (!streams) throw notOfType('application/json');
      if (Number(request.headers['content-length'] ?? 0) > streams.bytesMax)
        throw new AppError('payload_too_large');
      done(null, stream);
    } catch (error) {
      done(error as Error);
    }
  });
}

export const isStreamed = (body: unknown): body is Readable => body instanceof Readable;

/**
 * The pieces of a streamed body; none without a body. Ending early does not destroy the request, so
 * that it can still be refused with a response.
 */
export function streamOf({ body }: Pick<FastifyRequest, 'body'>): AsyncIterable<Uint8Array> {
  const stream = isStreamed(body) ? body : Readable.from([]);
  return { [Symbol.asyncIterator]: () => stream.iterator({ destroyOnReturn: false }) };
}

const operationOf = ({ routeOptions }: FastifyRequest) => routeOptions.config.operation;

const notOfType = (type: string): AppError =>
  new AppError('unsupported_media_type', `Send the body with Content-Type: ${type}.`);

/** Request bodies are never decompressed, because a small body could expand to a large one. */
function requirePlain(request: FastifyRequest): void {
  const encoding = request.headers['content-encoding']?.trim().toLowerCase();
  if (encoding !== undefined && encoding !== 'identity')
    throw new AppError(
      'unsupported_media_type',
      'Compressed bodies are not supported: send it without Content-Encoding.',
    );
}
