import { StoreError, type ChoreKind, type Clock, type StoreName } from '../domain/ports.ts';
import { EgressError, fetchBody, type EgressReply } from './egress/fetch.ts';
import type { EgressPool } from './egress/pool.ts';
import { unavailable, unreadable } from './failures.ts';
import type { Grant } from './pace.ts';
import { failureByStatus, isRedirect, locationOf } from './refusals.ts';

/** What a request is counted under in `store_requests`. */
export type RequestKind = 'search' | 'listing' | ChoreKind | 'similar';

export interface Question<Answer> {
  kind: RequestKind;
  url: string;
  method?: 'GET' | 'POST';
  body?: string;
  headers: Record<string, string>;
  /** Headers for the one more try after a consent page; null where a store has none, or it was used. */
  consentHeaders: Record<string, string> | null;
  /** Reads an answer from where a redirect leads. Null: the place says nothing of the question, and the status is judged. */
  readMove?: (location: string) => Answer | null;
  /** Turns a reply of status 200, 400 or 404 into an answer, or throws StoreError. */
  read: (reply: EgressReply) => Answer;
}

/** The start of a body no parser understood, for whoever mends the parser. */
export interface UnreadableSample {
  store: StoreName;
  kind: RequestKind;
  marker: string;
  url: string;
  body: string;
}

export interface ExchangeContext {
  store: StoreName;
  egress: EgressPool;
  clock: Clock;
  timeoutMs: number;
  sampleSink: (sample: UnreadableSample) => void;
}

/** What is known of an exchange, also when it failed. */
export interface ExchangeTrace {
  status: number | null;
  bytes: number;
}

export const maxBodyBytes = 8 * 1024 * 1024;
export const maxSampleLength = 65_536;

const userAgent =
  'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/138.0.0.0 Safari/537.36';

/** Sends one request on a grant and reads the answer. Throws StoreError, or the signal's reason. */
export async function exchange<Answer>(
  context: ExchangeContext,
  question: Question<Answer>,
  { endpoint }: Grant,
  signal: AbortSignal,
  trace: ExchangeTrace,
): Promise<Answer> {
  const reply = await send(context, question, endpoint, signal, trace);
  trace.status = reply.status;
  trace.bytes = reply.wireBytes;
  try {
    const moved =
      question.readMove && isRedirect(reply) ? question.readMove(locationOf(reply)) : null;
    if (moved !== null) return moved;
    const failure = failureByStatus(context.store, reply, context.clock.now());
    if (failure !== null) throw failure;
    return question.read(reply);
  } catch (error) {
    // A parser that stumbles over a hostile shape has not understood it; nothing it saw is believed.
    const storeError =
      error instanceof StoreError ? error : unreadable(context.store, 'parser', String(error));
    if (storeError.failure === 'unreadable')
      keepSample(context, question, reply.body, storeError.marker);
    throw storeError;
  }
}

async function send(
  context: ExchangeContext,
  question: Question<unknown>,
  endpoint: string,
  signal: AbortSignal,
  trace: ExchangeTrace,
): Promise<EgressReply> {
  const { url, method = 'GET', body = null } = question;
  const headers = { 'user-agent': userAgent, ...question.headers };
  const dispatcher = context.egress.dispatcher(endpoint);
  try {
    const { timeoutMs } = context;
    const reply = await fetchBody({
      url,
      method,
      headers,
      body,
      dispatcher,
      signal,
      timeoutMs,
      maxBodyBytes,
    });
    context.egress.worked(endpoint);
    return reply;
  } catch (error) {
    if (!(error instanceof EgressError)) throw error;
    trace.bytes = error.wireBytes;
    if (error.marker === 'encoding')
      throw unreadable(context.store, 'encoding', 'an encoding we did not ask for');
    // A body that is too big or broken came through a way out that works.
    if (['connect', 'reset', 'timeout', 'network'].includes(error.marker))
      context.egress.failed(endpoint);
    throw unavailable(context.store, error.marker, error.cause);
  }
}

function keepSample(
  context: ExchangeContext,
  question: Question<unknown>,
  body: string,
  marker: string,
): void {
  const { store } = context;
  const { kind, url } = question;
  context.sampleSink({ store, kind, marker, url, body: body.slice(0, maxSampleLength) });
}
