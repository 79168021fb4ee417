import { request, type Dispatcher } from 'undici';
import { PopularityApiError } from '#domain/base/ports.ts';
import { readErrorCode } from './read-response.ts';

const timeoutMs = 30_000;
const interactiveTimeoutMs = 8_000;
/** A page of 5,000 rows has about a megabyte. */
const maxBytes = 8 * 1024 * 1024;

export interface SentRequest {
  method: 'GET' | 'POST';
  url: string;
  headers: Record<string, string>;
  body?: string;
  lane: 'interactive' | 'background';
  signal: AbortSignal;
}

export interface ReadResponse {
  status: number;
  body: unknown;
  /** From Retry-After, in seconds or as a date; null without it. */
  retryAfterMs: number | null;
  /** How long to wait before the next request, from the rate-limit headers. */
  pauseMs: number;
}

/** Throws PopularityApiError with `unavailable` without a complete response, and abort reasons. */
export async function sendRequest(sent: SentRequest, now: () => Date): Promise<ReadResponse> {
  const { method, url, headers, body, lane, signal } = sent;
  const limitMs = lane === 'interactive' ? interactiveTimeoutMs : timeoutMs;
  const timeout = AbortSignal.timeout(limitMs);
  try {
    const response = await request(url, {
      method,
      headers: { accept: 'application/json', ...headers },
      ...(body !== undefined && { body }),
      headersTimeout: limitMs,
      bodyTimeout: limitMs,
      signal: AbortSignal.any([signal, timeout]),
    });
    const text = await readText(response);
    return {
      status: response.statusCode,
      body: parse(text, response.statusCode),
      retryAfterMs: readRetryAfter(headerOf(response, 'retry-after'), now()),
      pauseMs: readPause(response),
    };
  } catch (error) {
    signal.throwIfAborted();
    if (error instanceof PopularityApiError) throw error;
    const { code, message } = error as Error & { code?: string };
    const cause = timeout.aborted ? 'timeout' : (code ?? message);
    throw new PopularityApiError(
      'unavailable',
      `Apple did not send a complete response (${cause}).`,
      { cause: error },
    );
  }
}

async function readText({ body }: Dispatcher.ResponseData): Promise<string> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of body as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (bytes > maxBytes)
      throw new PopularityApiError(
        'unreadable',
        `Apple’s response is larger than ${maxBytes} bytes.`,
      );
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}

function parse(text: string, status: number): unknown {
  try {
    return JSON.parse(text);
  } catch {
    if (status !== 200) return null;
    throw new PopularityApiError('unavailable', 'Apple’s response is incomplete: it is no JSON.');
  }
}

const headerOf = ({ headers }: Dispatcher.ResponseData, name: string): string =>
  String(headers[name] ?? '');

function readRetryAfter(text: string, now: Date): number | null {
  if (/^\d{1,7}$/.test(text)) return Number(text) * 1_000;
  const until = Date.parse(text);
  return Number.isNaN(until) ? null : Math.max(0, until - now.getTime());
}

const fewRemaining = 5;
const longestPauseSeconds = 60;

/** Apple advises to wait for the reset when fewer than five requests remain. */
function readPause(response: Dispatcher.ResponseData): number {
  const [remaining, reset] = ['ratelimit-remaining', 'ratelimit-reset'].map((name) =>
    headerOf(response, name),
  );
  if (!/^\d{1,9}$/.test(remaining!) || !/^\d{1,9}$/.test(reset!)) return 0;
  if (Number(remaining) >= fewRemaining) return 0;
  return Math.min(longestPauseSeconds, Number(reset)) * 1_000;
}

/** The error of a response that is not 200. */
export function errorOf({ status, body, retryAfterMs }: ReadResponse): PopularityApiError {
  const code = readErrorCode(body);
  const shown = code === null ? `status ${status}` : `status ${status}, ${code}`;
  if (status === 429)
    return new PopularityApiError('limited', `Apple limits the requests (${shown}).`, {
      retryAfterMs,
    });
  if (status === 401 || status === 403)
    return new PopularityApiError('rejected', `Apple does not accept this key (${shown}).`);
  if (status >= 500)
    return new PopularityApiError('unavailable', `Apple’s server failed (${shown}).`, {
      retryAfterMs,
    });
  return new PopularityApiError('unreadable', `Apple refused the request as wrong (${shown}).`);
}
