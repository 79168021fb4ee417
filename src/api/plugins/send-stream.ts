import { pipeline, Readable } from 'node:stream';
import { constants, createBrotliCompress, createGzip } from 'node:zlib';
import type { Operation } from '#contract/operation.ts';
import type { RouteRequest } from '../route.ts';
import { readEncoding } from './send-json.ts';

/** A client that reads nothing for this long has disconnected or stalls on purpose. */
const idleMs = 60_000;

/**
 * Streams text with backpressure, compressed where the client accepts that. When the source fails
 * the connection is broken, so that half a file does not look complete. When `signal` is aborted
 * already, nobody waits for the text: its source is closed, and the reason is thrown.
 */
export async function sendStream(
  { request, reply }: RouteRequest<Operation>['raw'],
  signal: AbortSignal,
  content: { type: string; fileName: string; chunks: AsyncGenerator<string | Buffer> },
): Promise<void> {
  if (signal.aborted) {
    await content.chunks.return(undefined);
    throw signal.reason;
  }
  const { log } = request.server.api.services;
  const encoding = readEncoding(request.headers['accept-encoding']);
  const source = Readable.from(content.chunks, { objectMode: true, highWaterMark: 1 });
  const onEnd = (error: NodeJS.ErrnoException | null | undefined) => {
    if (error && error.code !== 'ERR_STREAM_PREMATURE_CLOSE')
      log.warn({ error: error.message }, 'export aborted');
  };
  reply.code(200).type(content.type).header('vary', 'accept-encoding');
  reply.header('content-disposition', `attachment; filename="${content.fileName}"`);
  reply.raw.setTimeout(idleMs, () => reply.raw.destroy());
  if (encoding !== null) reply.header('content-encoding', encoding);
  const packer =
    encoding === null
      ? null
      : encoding === 'br'
        ? createBrotliCompress({ params: { [constants.BROTLI_PARAM_QUALITY]: 4 } })
        : createGzip({ level: 5 });
  if (packer === null) {
    source.once('error', onEnd);
    void reply.send(source);
    return;
  }
  void reply.send(pipeline(source, packer, onEnd));
  // Brotli keeps its first bytes, and the head of the response is sent with them.
  source.once('data', () => packer.flush());
}
