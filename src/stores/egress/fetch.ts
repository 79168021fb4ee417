import { pipeline } from 'node:stream/promises';
import { createBrotliDecompress, createGunzip } from 'node:zlib';
import { request, type Dispatcher } from 'undici';

/** A request without a readable response. `marker` is short and stable. */
export class EgressError extends Error {
  readonly marker: string;
  readonly wireBytes: number;

  constructor(marker: string, wireBytes: number, cause?: unknown) {
    super(`no readable response: ${marker}`, { cause });
    this.name = 'EgressError';
    this.marker = marker;
    this.wireBytes = wireBytes;
  }
}

export interface EgressRequest {
  url: string;
  method: 'GET' | 'POST';
  headers: Record<string, string>;
  body: string | null;
  dispatcher: Dispatcher;
  /** The caller's signal; its reason is thrown unchanged. */
  signal: AbortSignal;
  /** From connecting to the last byte, so that it also ends a slow drip. */
  timeoutMs: number;
  /** The limit of the decoded body, and of the bytes on the wire. */
  maxBodyBytes: number;
}

export interface EgressBytes {
  status: number;
  headers: Record<string, string | string[] | undefined>;
  bytes: Buffer;
  wireBytes: number;
}

export interface EgressReply extends Omit<EgressBytes, 'bytes'> {
  body: string;
}

/** Pages of stores shrink to a twentieth at most; a bomb is refused before it fills the memory. */
const maxRatio = 100;
const uncheckedBytes = 512 * 1024;

type Decoder = ReturnType<typeof createGunzip> | ReturnType<typeof createBrotliDecompress>;

/** `fetchBytes` for a text. */
export async function fetchBody(query: EgressRequest): Promise<EgressReply> {
  const { bytes, ...reply } = await fetchBytes(query);
  return { ...reply, body: bytes.toString('utf8') };
}

/**
 * Sends one request. Redirects are returned and never followed, so that no server can direct
 * requests into the local network.
 */
export async function fetchBytes(query: EgressRequest): Promise<EgressBytes> {
  const limit = limitTime(query.signal, query.timeoutMs);
  const { signal } = limit;
  const counter = { wireBytes: 0 };
  try {
    const { url, method, headers, body, dispatcher } = query;
    const allHeaders = { ...headers, 'accept-encoding': 'gzip, br' };
    const reply = await request(url, { method, headers: allHeaders, body, dispatcher, signal });
    const bytes = await readBody(reply, query.maxBodyBytes, counter, signal);
    const { statusCode: status, headers: replyHeaders } = reply;
    return { status, headers: replyHeaders, bytes, wireBytes: counter.wireBytes };
  } catch (error) {
    if (query.signal.aborted) throw query.signal.reason;
    throw new EgressError(signal.aborted ? 'timeout' : markerOf(error), counter.wireBytes, error);
  } finally {
    limit.end();
  }
}

/** AbortSignal.timeout would keep every finished request in memory until its deadline. */
function limitTime(
  caller: AbortSignal,
  timeoutMs: number,
): { signal: AbortSignal; end: () => void } {
  const controller = new AbortController();
  const stop = () => controller.abort();
  const timer = setTimeout(stop, timeoutMs);
  caller.addEventListener('abort', stop, { once: true });
  const end = () => {
    clearTimeout(timer);
    caller.removeEventListener('abort', stop);
  };
  return { signal: controller.signal, end };
}

async function readBody(
  reply: Dispatcher.ResponseData,
  maxBytes: number,
  counter: { wireBytes: number },
  signal: AbortSignal,
): Promise<Buffer> {
  const encoding = String(reply.headers['content-encoding'] ?? 'identity')
    .trim()
    .toLowerCase();
  const decoder = decoderFor(encoding);
  if (decoder === undefined) {
    reply.body.on('error', () => {}).destroy();
    throw new EgressError('encoding', 0);
  }
  const chunks: Buffer[] = [];
  const onWire = countBytes(maxBytes, (bytes) => (counter.wireBytes += bytes));
  let decodedBytes = 0;
  const collect = countBytes(maxBytes, (bytes, chunk) => {
    decodedBytes += bytes;
    if (decodedBytes > uncheckedBytes && decodedBytes > maxRatio * counter.wireBytes)
      throw new EgressError('oversized', 0);
    chunks.push(chunk);
  });
  const drain = async (source: AsyncIterable<Buffer>) => {
    for await (const _ of collect(source));
  };
  if (decoder === null) await pipeline(reply.body, onWire, drain, { signal });
  else await pipeline(reply.body, onWire, decoder, drain, { signal });
  return Buffer.concat(chunks);
}

/** Passes chunks on and ends the stream at `maxBytes`. undici's own limit ignores decoded bytes. */
function countBytes(maxBytes: number, onChunk: (bytes: number, chunk: Buffer) => void) {
  let total = 0;
  return async function* pass(source: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
    for await (const chunk of source) {
      total += chunk.length;
      if (total > maxBytes) throw new EgressError('oversized', 0);
      onChunk(chunk.length, chunk);
      yield chunk;
    }
  };
}

/**
 * Null for plain bytes; undefined for an encoding that was not requested, chains of encodings
 * included.
 */
function decoderFor(encoding: string): Decoder | null | undefined {
  if (encoding === 'identity' || encoding === '') return null;
  if (encoding === 'gzip' || encoding === 'x-gzip') return createGunzip();
  return encoding === 'br' ? createBrotliDecompress() : undefined;
}

function markerOf(error: unknown): string {
  if (error instanceof EgressError) return error.marker;
  const code =
    error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : '';
  if (code === 'Z_BUF_ERROR' || code.startsWith('UND_ERR_RES_CONTENT_LENGTH')) return 'truncated';
  if (
    code.startsWith('Z_') ||
    code.startsWith('ERR_BROTLI') ||
    code.startsWith('ERR__ERROR_FORMAT')
  )
    return 'corrupt';
  if (
    code === 'ECONNREFUSED' ||
    code === 'ENOTFOUND' ||
    code === 'EAI_AGAIN' ||
    code === 'EHOSTUNREACH'
  )
    return 'connect';
  if (code.includes('TIMEOUT') || code === 'ETIMEDOUT') return 'timeout';
  if (code === 'ECONNRESET' || code === 'UND_ERR_SOCKET' || code === 'EPIPE') return 'reset';
  return 'network';
}
