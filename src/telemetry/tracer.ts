import { AsyncLocalStorage } from 'node:async_hooks';
import {
  ROOT_CONTEXT,
  SpanKind,
  SpanStatusCode,
  defaultTextMapGetter,
  defaultTextMapSetter,
  trace,
  type Context,
  type Span as OtelSpan,
  type Tracer as OtelTracer,
} from '@opentelemetry/api';
import { W3CTraceContextPropagator } from '@opentelemetry/core';
import type { NewSpan, Span, SpanAttributes, Tracer } from '#lib/tracing.ts';

const kinds: Record<NewSpan['kind'], SpanKind> = {
  server: SpanKind.SERVER,
  client: SpanKind.CLIENT,
  producer: SpanKind.PRODUCER,
  consumer: SpanKind.CONSUMER,
  internal: SpanKind.INTERNAL,
};

const propagator = new W3CTraceContextPropagator();

/** One context for each trace: work that is done for several callers is in all of theirs. */
type Contexts = readonly Context[];

/** The tracer of `lib/tracing.ts` on OpenTelemetry's; nothing global is registered. */
export function createTracer(otel: OtelTracer): Tracer {
  const storage = new AsyncLocalStorage<Contexts>();
  const startIn = (parent: Context, { name, kind, attributes }: NewSpan): Context => {
    const options = { kind: kinds[kind], ...(attributes && { attributes }) };
    return trace.setSpan(parent, otel.startSpan(name, options, parent));
  };
  return {
    start: (requested) => {
      const parents = requested.continues
        ? [propagator.extract(ROOT_CONTEXT, requested.continues, defaultTextMapGetter)]
        : (storage.getStore() ?? []);
      const usable = parents.length > 0 ? parents : [ROOT_CONTEXT];
      return new SharedSpan(
        storage,
        usable.map((parent) => startIn(parent, requested)),
      );
    },
    active: () => {
      const contexts = storage.getStore();
      return contexts && contexts.length > 0 ? new SharedSpan(storage, contexts) : null;
    },
    runFor: (callers, work) =>
      storage.run(
        callers.flatMap((caller) => (caller as SharedSpan).contexts),
        work,
      ),
  };
}

class SharedSpan implements Span {
  readonly contexts: Contexts;
  private readonly storage: AsyncLocalStorage<Contexts>;

  constructor(storage: AsyncLocalStorage<Contexts>, contexts: Contexts) {
    this.storage = storage;
    this.contexts = contexts;
  }

  run<T>(work: () => T): T {
    return this.storage.run(this.contexts, work);
  }

  set(attributes: SpanAttributes): void {
    for (const span of this.spans()) span.setAttributes(attributes);
  }

  fail(errorType: string): void {
    for (const span of this.spans()) {
      span.setAttribute('error.type', errorType);
      span.setStatus({ code: SpanStatusCode.ERROR });
    }
  }

  end(): void {
    for (const span of this.spans()) span.end();
  }

  headers(): { traceparent?: string; tracestate?: string } {
    const carrier = {};
    propagator.inject(this.contexts[0]!, carrier, defaultTextMapSetter);
    return carrier;
  }

  private spans(): OtelSpan[] {
    return this.contexts.map((context) => trace.getSpan(context)!);
  }
}
