import {
  pacingMarkers,
  StoreError,
  withCost,
  type Cost,
  type StoreName,
  type StoreRequestOptions,
} from '#domain/base/ports.ts';
import { inChildSpan, type NewSpan, type Span } from '#lib/tracing.ts';
import {
  exchange,
  type ExchangeContext,
  type ExchangeTrace,
  type StoreRequest,
  type RequestKind,
} from './exchange.ts';
import type { Grant, Pacer } from './pace.ts';

/** The facts of one exchange with a store. */
export interface StoreRequestEvent {
  store: StoreName;
  kind: RequestKind;
  endpoint: string;
  url: string;
  attempt: number;
  /** Null without a response. */
  status: number | null;
  /** `ok`, or the failure's marker. */
  outcome: string;
  bytes: number;
  ms: number;
}

export interface StoreRequestContext extends ExchangeContext {
  pacer: Pacer;
  /**
   * The first consent page sets it. From then on every request carries the cookie, and none is
   * spent on another consent page.
   */
  consent: { given: boolean };
  onRequest: (event: StoreRequestEvent) => void;
}

const maxAttempts = 3;
const firstBackoffMs = 500;

/**
 * Repeats the request until there is a result. Every attempt takes its own grant and adds to
 * `cost`, which the error carries too. `unavailable` is retried twice, and a consent page once,
 * with a cookie. A refusal is reported to the pacer and thrown.
 */
export async function requestWithRetry<Result>(
  context: StoreRequestContext,
  request: StoreRequest<Result>,
  options: StoreRequestOptions,
  cost: Cost,
): Promise<Result> {
  let current = context.consent.given ? withConsent(request) : request;
  for (let attempt = 1; ; attempt++) {
    try {
      return await requestOnce(context, current, options, cost, attempt);
    } catch (error) {
      if (!(error instanceof StoreError)) throw error;
      if (error.marker === 'consent' && current.consentHeaders !== null) {
        context.consent.given = true;
        current = withConsent(current);
        continue;
      }
      if (!isRetryable(error) || attempt >= maxAttempts) throw withCost(error, cost);
      await context.clock.sleep(
        firstBackoffMs * 2 ** (attempt - 1) * (0.5 + Math.random()),
        options.signal,
      );
    }
  }
}

function withConsent<Result>(request: StoreRequest<Result>): StoreRequest<Result> {
  return {
    ...request,
    headers: { ...request.headers, ...request.consentHeaders },
    consentHeaders: null,
  };
}

/**
 * A wait that our own pacing cut short is final, because waiting for another grant would make it
 * worse.
 */
function isRetryable(error: StoreError): boolean {
  return error.failure === 'unavailable' && !pacingMarkers.includes(error.marker);
}

async function requestOnce<Result>(
  context: StoreRequestContext,
  request: StoreRequest<Result>,
  options: StoreRequestOptions,
  cost: Cost,
  attempt: number,
): Promise<Result> {
  const grant = await inChildSpan({ name: 'wait for pace', kind: 'internal' }, () =>
    context.pacer.acquire(context.store, { ...options, host: request.host }),
  );
  const requested = describeRequest(context.store, request, attempt);
  return inChildSpan(requested, (span) =>
    sendOnGrant(context, request, { options, cost, attempt, grant }, span),
  );
}

/** Neither path nor query, which have the phrase. */
function describeRequest(
  store: StoreName,
  { kind, url, method = 'GET' }: StoreRequest<unknown>,
  attempt: number,
): NewSpan {
  return {
    name: `${method} ${store} ${kind}`,
    kind: 'client',
    attributes: {
      'http.request.method': method,
      'server.address': new URL(url).hostname,
      'toprung.store': store,
      'toprung.store.request': kind,
      ...(attempt > 1 && { 'http.request.resend_count': attempt - 1 }),
    },
  };
}

interface Granted {
  options: StoreRequestOptions;
  cost: Cost;
  attempt: number;
  grant: Grant;
}

async function sendOnGrant<Result>(
  context: StoreRequestContext,
  request: StoreRequest<Result>,
  { options, cost, attempt, grant }: Granted,
  span: Span | null,
): Promise<Result> {
  const startedMs = performance.now();
  const trace: ExchangeTrace = { status: null, bytes: 0 };
  const finish = (outcome: string, wasRefused: boolean) => {
    const ms = performance.now() - startedMs;
    const { store } = context;
    const { bytes, status } = trace;
    const { kind, url } = request;
    cost.requests += 1;
    cost.bytes += bytes;
    cost.ms += ms;
    cost.endpoint = grant.endpoint;
    if (status !== null) span?.set({ 'http.response.status_code': status });
    if (outcome !== 'ok') span?.fail(outcome);
    context.pacer.counted(store, kind, { requests: 1, bytes, refused: wasRefused ? 1 : 0 });
    context.onRequest({
      store,
      kind,
      endpoint: grant.endpoint,
      url,
      attempt,
      status,
      outcome,
      bytes,
      ms,
    });
  };
  try {
    const response = await exchange(context, request, grant, options.signal, trace);
    context.pacer.succeeded(grant);
    finish('ok', false);
    return response;
  } catch (error) {
    const failed = error instanceof StoreError ? error : null;
    finish(failed?.marker ?? 'aborted', failed?.failure === 'refused');
    if (failed !== null) await reportRefusal(context, request, grant, failed);
    throw error;
  }
}

/** Reports every refusal to the pacer, except a consent page that the cookie can still pass. */
async function reportRefusal(
  context: StoreRequestContext,
  request: StoreRequest<unknown>,
  grant: Grant,
  error: StoreError,
): Promise<void> {
  if (error.failure !== 'refused') return;
  if (error.marker === 'consent' && request.consentHeaders !== null) return;
  const { marker, retryAfterMs } = error;
  // The caller must get the refusal, even when the database is down.
  await context.pacer.refused(grant, { marker, retryAfterMs }).catch(() => {});
}
