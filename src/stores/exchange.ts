import { StoreError, type StoreTaskKind, type Clock, type StoreName } from '#domain/base/ports.ts';
import { EgressError, fetchBody, type EgressReply } from './egress/fetch.ts';
import type { EgressPool } from './egress/pool.ts';
import { unavailable, unreadable } from './store-errors.ts';
import type { Grant } from './pace.ts';
import { failureByStatus, isRedirect, locationOf } from './refusals.ts';

/** The kind under which `store_requests` counts a request. */
export type RequestKind = 'search' | 'listing' | StoreTaskKind | 'similar';

export interface StoreRequest<Result> {
  kind: RequestKind;
  url: string;
  /** The host; it matters where the profile gives it a pace of its own. */
  host?: string;
  method?: 'GET' | 'POST';
  body?: string;
  headers: Record<string, string>;
  /**
   * Headers of the one retry after a consent page; null for a store without one, or once it was
   * used.
   */
  consentHeaders: Record<string, string> | null;
  /**
   * Reads a result from the target of a redirect. Null: the target has no result, and the status
   * decides.
   */
  parseRedirect?: (location: string) => Result | null;
  /** Turns a reply of status 200, 400 or 404 into a result, or throws StoreError. */
  read: (reply: EgressReply) => Result;
}

/** The start of a body that no parser understood, for fixing the parser. */
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

/** The known facts of an exchange, also of a failed one. */
export interface ExchangeTrace {
  status: number | null;
  bytes: number;
}

const maxBodyBytes = 8 * 1024 * 1024;
const maxSampleLength = 65_536;

const userAgent =
  'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/537.36 (KHTML, like Gecko) ' +
  'Chrome/138.0.0.0 Safari/537.36';

/** Sends one request on a grant and reads the result. Throws StoreError, or the signal's reason. */
export async function exchange<Result>(
  context: ExchangeContext,
  request: StoreRequest<Result>,
  { endpoint }: Grant,
  signal: AbortSignal,
  trace: ExchangeTrace,
): Promise<Result> {
  const reply = await send(context, request, endpoint, signal, trace);
  trace.status = reply.status;
  trace.bytes = reply.wireBytes;
  try {
    const moved =
      request.parseRedirect && isRedirect(reply) ? request.parseRedirect(locationOf(reply)) : null;
    if (moved !== null) return moved;
    const failure = failureByStatus(context.store, reply, context.clock.now());
    if (failure !== null) throw failure;
    return request.read(reply);
  } catch (error) {
    // A parser that throws on an unexpected shape has not understood it, so nothing that it read
    // counts.
    const storeError =
      error instanceof StoreError ? error : unreadable(context.store, 'parser', String(error));
    if (storeError.failure === 'unreadable')
      recordSample(context, request, reply.body, storeError.marker);
    throw storeError;
  }
}

async function send(
  context: ExchangeContext,
  request: StoreRequest<unknown>,
  endpoint: string,
  signal: AbortSignal,
  trace: ExchangeTrace,
): Promise<EgressReply> {
  const { url, method = 'GET', body = null } = request;
  const headers = { 'user-agent': userAgent, ...request.headers };
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
    // A body that is too big or broken came through a working endpoint.
    if (['connect', 'reset', 'timeout', 'network'].includes(error.marker))
      context.egress.failed(endpoint);
    throw unavailable(context.store, error.marker, error.cause);
  }
}

function recordSample(
  context: ExchangeContext,
  request: StoreRequest<unknown>,
  body: string,
  marker: string,
): void {
  const { store } = context;
  const { kind, url } = request;
  context.sampleSink({ store, kind, marker, url, body: body.slice(0, maxSampleLength) });
}
