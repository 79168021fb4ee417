import {
  pacingMarkers,
  StoreError,
  type Cost,
  type StoreName,
  type StoreRequestOptions,
} from '../domain/ports.ts';
import {
  exchange,
  type ExchangeContext,
  type ExchangeTrace,
  type Question,
  type RequestKind,
} from './exchange.ts';
import { withCost } from './failures.ts';
import type { Grant, Pacer } from './pace.ts';

/** One exchange with a store, as it went. */
export interface StoreRequestEvent {
  store: StoreName;
  kind: RequestKind;
  endpoint: string;
  url: string;
  attempt: number;
  /** Null when no answer came. */
  status: number | null;
  /** `ok`, or the failure's marker. */
  outcome: string;
  bytes: number;
  ms: number;
}

export interface AskContext extends ExchangeContext {
  pacer: Pacer;
  /** Set by the first consent page: from then on its cookie goes along, and no request is spent on another. */
  consent: { given: boolean };
  onRequest: (event: StoreRequestEvent) => void;
}

const maxAttempts = 3;
const firstBackoffMs = 500;

/**
 * Asks until there is an answer: every attempt takes its own grant and adds to `cost`, which the error carries too.
 * Only `unavailable` is tried again, twice; a consent page once, with a cookie; a refusal is reported and thrown.
 */
export async function ask<Answer>(
  context: AskContext,
  question: Question<Answer>,
  options: StoreRequestOptions,
  cost: Cost,
): Promise<Answer> {
  let current = context.consent.given ? withConsent(question) : question;
  for (let attempt = 1; ; attempt++) {
    try {
      return await askOnce(context, current, options, cost, attempt);
    } catch (error) {
      if (!(error instanceof StoreError)) throw error;
      if (error.marker === 'consent' && current.consentHeaders !== null) {
        context.consent.given = true;
        current = withConsent(current);
        continue;
      }
      if (!isWorthAnotherTry(error) || attempt >= maxAttempts) throw withCost(error, cost);
      await context.clock.sleep(
        firstBackoffMs * 2 ** (attempt - 1) * (0.5 + Math.random()),
        options.signal,
      );
    }
  }
}

function withConsent<Answer>(question: Question<Answer>): Question<Answer> {
  return {
    ...question,
    headers: { ...question.headers, ...question.consentHeaders },
    consentHeaders: null,
  };
}

/** What our own pacing could not wait for: to wait for another grant would only make it worse. */
function isWorthAnotherTry(error: StoreError): boolean {
  return error.failure === 'unavailable' && !pacingMarkers.includes(error.marker);
}

async function askOnce<Answer>(
  context: AskContext,
  question: Question<Answer>,
  options: StoreRequestOptions,
  cost: Cost,
  attempt: number,
): Promise<Answer> {
  const grant = await context.pacer.acquire(context.store, options);
  const startedMs = performance.now();
  const trace: ExchangeTrace = { status: null, bytes: 0 };
  const finish = (outcome: string, wasRefused: boolean) => {
    const ms = performance.now() - startedMs;
    const { store } = context;
    const { bytes, status } = trace;
    const { kind, url } = question;
    cost.requests += 1;
    cost.bytes += bytes;
    cost.ms += ms;
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
    const answer = await exchange(context, question, grant, options.signal, trace);
    context.pacer.succeeded(grant);
    finish('ok', false);
    return answer;
  } catch (error) {
    const failed = error instanceof StoreError ? error : null;
    finish(failed?.marker ?? 'aborted', failed?.failure === 'refused');
    if (failed !== null) await reportRefusal(context, question, grant, failed);
    throw error;
  }
}

/** The pacer hears of every refusal but a consent page that a cookie may still get past. */
async function reportRefusal(
  context: AskContext,
  question: Question<unknown>,
  grant: Grant,
  error: StoreError,
): Promise<void> {
  if (error.failure !== 'refused') return;
  if (error.marker === 'consent' && question.consentHeaders !== null) return;
  const { marker, retryAfterMs } = error;
  // The refusal is what the caller must hear of, even when the database cannot be told.
  await context.pacer.refused(grant, { marker, retryAfterMs }).catch(() => {});
}
