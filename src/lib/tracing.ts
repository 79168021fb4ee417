/**
 * Spans of OpenTelemetry for code that does not know it. Without a tracer, which is the default,
 * work runs as it is.
 */

export type SpanKind = 'server' | 'client' | 'producer' | 'consumer' | 'internal';

/** Names and values come from closed lists: no ids, phrases, addresses or names of people. */
export type SpanAttributes = Record<string, string | number>;

/** The trace context of W3C: headers of a request, or text that travelled with queued work. */
export interface TraceHeaders {
  traceparent?: string | string[] | undefined;
  tracestate?: string | string[] | undefined;
}

export interface NewSpan {
  name: string;
  kind: SpanKind;
  attributes?: SpanAttributes;
  /** The trace that it continues, or begins if there is none. Without it: the active one. */
  continues?: TraceHeaders;
}

export interface Span {
  /** Spans that begin in this work are its children. */
  run<T>(work: () => T): T;
  set(attributes: SpanAttributes): void;
  /** `errorType` is from a closed list. */
  fail(errorType: string): void;
  end(): void;
  /** For a request, or for work that another process continues. */
  headers(): { traceparent?: string; tracestate?: string };
}

export interface Tracer {
  start(span: NewSpan): Span;
  /** Null outside of every span. */
  active(): Span | null;
  /** Runs work that several callers wait for: its spans are in the traces of all of them. */
  runFor<T>(callers: readonly Span[], work: () => T): T;
}

let tracer: Tracer | null = null;

/** Called once, before anything is traced; null in tests that end. */
export function setTracer(used: Tracer | null): void {
  tracer = used;
}

export const currentTracer = (): Tracer | null => tracer;
export const activeSpan = (): Span | null => tracer?.active() ?? null;

/** `traceparent` of the active span, for a row of work that goes on later. */
export const activeTraceparent = (): string | null => activeSpan()?.headers().traceparent ?? null;

/** Runs work in a span of its own; `span` is null without a tracer. */
export async function inSpan<T>(
  requested: NewSpan,
  work: (span: Span | null) => Promise<T> | T,
): Promise<T> {
  const span = tracer?.start(requested) ?? null;
  if (span === null) return work(null);
  try {
    return await span.run(() => work(span));
  } catch (error) {
    span.fail(errorTypeOf(error));
    throw error;
  } finally {
    span.end();
  }
}

/** The same, but only within another span: work that nobody requested starts no trace. */
export function inChildSpan<T>(
  requested: NewSpan,
  work: (span: Span | null) => Promise<T>,
): Promise<T> {
  return activeSpan() === null ? work(null) : inSpan(requested, work);
}

/** Runs work that several callers wait for, or, without callers, work that belongs to no trace. */
export function runFor<T>(callers: readonly (Span | null)[], work: () => T): T {
  if (tracer === null) return work();
  return tracer.runFor(
    callers.filter((caller) => caller !== null),
    work,
  );
}

const shortName = /^[\w.]{1,64}$/;

/** The code of PostgreSQL or Node, else the name of the class; never the message. */
export function errorTypeOf(error: unknown): string {
  const { code, name } = (error ?? {}) as { code?: unknown; name?: unknown };
  const found = [code, name].find((text) => typeof text === 'string' && shortName.test(text));
  return (found as string | undefined) ?? 'Error';
}
