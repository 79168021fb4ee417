import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { OTLPMetricExporter } from '@opentelemetry/exporter-metrics-otlp-proto';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-proto';
import { setGlobalErrorHandler } from '@opentelemetry/core';
import {
  detectResources,
  resourceAttributesEnvDetector,
  resourceFromAttributes,
  serviceNameEnvDetector,
  type Resource,
} from '@opentelemetry/resources';
import { MeterProvider, PeriodicExportingMetricReader } from '@opentelemetry/sdk-metrics';
import { BatchSpanProcessor, TracerProvider } from '@opentelemetry/sdk-trace';
import type { Logger } from '#lib/logger.ts';
import { setTracer } from '#lib/tracing.ts';
import { createMetricProducer, type GaugeReading } from './metric-producer.ts';
import { reportExports } from './report-exports.ts';
import { createSampler, type SamplerName } from './sampler.ts';
import { createTracer } from './tracer.ts';

export interface TelemetryOptions {
  serviceName: string;
  version: string;
  role: string;
  sampler: SamplerName;
  /** The share of the traces that samplers with a ratio keep, from 0 to 1. */
  sampledShare: number;
  metricIntervalMs: number;
  exports: { traces: boolean; metrics: boolean };
  log: Logger;
}

export interface Telemetry {
  /**
   * From now on the metrics that this returns are exported at their interval. Returns a function
   * that exports them once more and ends it.
   */
  exportMetrics(read: () => Promise<readonly GaugeReading[]>): () => Promise<void>;
  /** Exports the spans that wait, and ends it. */
  close(): Promise<void>;
}

/** The end of a process waits that long for the receiver. */
const flushTimeoutMs = 3_000;
const scopeName = 'toprung';

/**
 * Starts OpenTelemetry. The exporters read their own settings, such as endpoint and headers, from
 * the environment. Spans wait in memory, at most 2,048 of them; further ones are dropped.
 */
export function startTelemetry(options: TelemetryOptions): Telemetry {
  const { log, version, exports } = options;
  setGlobalErrorHandler((error) =>
    log.debug({ error: (error as Error).message }, 'OpenTelemetry reported an error'),
  );
  const resource = describeProcess(options);
  const spans = exports.traces ? startTraces(options, resource) : null;
  return {
    exportMetrics: (read) => {
      if (!exports.metrics) return async () => undefined;
      const producer = createMetricProducer({ name: scopeName, version }, resource, read);
      const reader = new PeriodicExportingMetricReader({
        exporter: reportExports(new OTLPMetricExporter(), 'metrics', log),
        exportIntervalMillis: options.metricIntervalMs,
        metricProducers: [producer],
      });
      const provider = new MeterProvider({ resource, readers: [reader] });
      return () => shutDown(provider);
    },
    close: async () => {
      setTracer(null);
      if (spans) await shutDown(spans);
    },
  };
}

function startTraces(options: TelemetryOptions, resource: Resource): TracerProvider {
  const exporter = reportExports(new OTLPTraceExporter(), 'traces', options.log);
  const provider = new TracerProvider({
    resource,
    sampler: createSampler(options.sampler, options.sampledShare),
    spanProcessors: [new BatchSpanProcessor({ exporter })],
  });
  setTracer(createTracer(provider.getTracer(scopeName, options.version)));
  return provider;
}

/** Data that the receiver has not taken by then is lost. */
async function shutDown(provider: { shutdown(): Promise<void> }): Promise<void> {
  const done = provider.shutdown().catch(() => undefined);
  await Promise.race([done, sleep(flushTimeoutMs, undefined, { ref: false })]);
}

/** OTEL_RESOURCE_ATTRIBUTES adds to it. The host, the user and the command line are left out. */
function describeProcess({ serviceName, version, role }: TelemetryOptions): Resource {
  const named = detectResources({
    detectors: [resourceAttributesEnvDetector, serviceNameEnvDetector],
  });
  return resourceFromAttributes({
    'service.name': serviceName,
    'service.version': version,
    'service.instance.id': randomUUID(),
    'toprung.role': role,
  }).merge(named);
}
