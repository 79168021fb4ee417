import { promisify } from 'node:util';
import { brotliDecompress, brotliDecompressSync, gunzip, gunzipSync } from 'node:zlib';
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
/** Small bodies are decoded at once: a stream or a thread would cost more than the decoding. */
const smallBytes = 64 * 1024;

interface Decoder {
  atOnce(bytes: Buffer, limits: { maxOutputLength: number }): Buffer;
  inThread(bytes: Buffer, limits: { maxOutputLength: number }): Promise<Buffer>;
}

const gzip: Decoder = { atOnce: gunzipSync, inThread: promisify(gunzip) };
const brotli: Decoder = { atOnce: brotliDecompressSync, inThread: promisify(brotliDecompress) };

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
  query.signal.throwIfAborted();
  const limit = limitTime(query.signal, query.timeoutMs);
  const { signal } = limit;
  const counter = { wireBytes: 0 };
  try {
    const { url, method, headers, body, dispatcher } = query;
    const allHeaders = { ...headers, 'accept-encoding': 'gzip, br' };
    const sent = request(url, { method, headers: allHeaders, body, dispatcher, signal });
    // Undici reads the signal only once there is a connection, and sends nothing when it is late.
    const reply = await Promise.race([sent, limit.reached]);
    const bytes = await readBody(reply, query.maxBodyBytes, counter);
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
): { signal: AbortSignal; reached: Promise<never>; end: () => void } {
  const controller = new AbortController();
  const { promise: reached, reject } = Promise.withResolvers<never>();
  const stop = () => {
    controller.abort();
    reject(controller.signal.reason);
  };
  const timer = setTimeout(stop, timeoutMs);
  caller.addEventListener('abort', stop, { once: true });
  const end = () => {
    clearTimeout(timer);
    caller.removeEventListener('abort', stop);
  };
  return { signal: controller.signal, reached, end };
}

async function readBody(
  reply: Dispatcher.ResponseData,
  maxBytes: number,
  counter: { wireBytes: number },
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
  for await (const chunk of reply.body as AsyncIterable<Buffer>) {
    counter.wireBytes += chunk.length;
    if (counter.wireBytes > maxBytes) throw new EgressError('oversized', 0);
    chunks.push(chunk);
  }
  const bytes = Buffer.concat(chunks);
  return decoder === null || bytes.length === 0 ? bytes : decode(decoder, bytes, maxBytes);
}

/** Throws ERR_BUFFER_TOO_LARGE before the decoded body reaches the limit. */
function decode(
  { atOnce, inThread }: Decoder,
  bytes: Buffer,
  maxBytes: number,
): Buffer | Promise<Buffer> {
  const likelyBytes = Math.max(uncheckedBytes, maxRatio * bytes.length);
  const limits = { maxOutputLength: Math.min(maxBytes, likelyBytes) };
  return bytes.length <= smallBytes ? atOnce(bytes, limits) : inThread(bytes, limits);
}

/**
 * Null for plain bytes; undefined for an encoding that was not requested, chains of encodings
 * included.
 */
function decoderFor(encoding: string): Decoder | null | undefined {
  if (encoding === 'identity' || encoding === '') return null;
  if (encoding === 'gzip' || encoding === 'x-gzip') return gzip;
  return encoding === 'br' ? brotli : undefined;
}

function markerOf(error: unknown): string {
  if (error instanceof EgressError) return error.marker;
  const code =
    error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : '';
  if (code === 'ERR_BUFFER_TOO_LARGE') return 'oversized';
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
