import type { Ctx } from '#domain/base/context.ts';
import {
  collectMetrics,
  listOutageMetrics,
  type QueueMetrics,
} from '#domain/scheduling/health/collect-metrics.ts';

/**
 * The current metrics in Prometheus' text format. Without a caller, who cannot be verified while
 * the database is away, they say only that.
 */
export async function formatMetrics(
  ctx: Ctx | null,
  service: QueueMetrics,
): Promise<{ type: string; text: string }> {
  // Loaded with the first scrape: it brings OpenTelemetry's interfaces with it.
  const { Gauge, Registry } = await import('@prometheus-io/client');
  const registry = new Registry();
  const readings = ctx === null ? listOutageMetrics() : await collectMetrics(ctx, service);
  for (const { name, help, samples } of readings) {
    if (samples.length === 0) continue;
    const labelNames = [...new Set(samples.flatMap((sample) => Object.keys(sample.labels)))];
    const gauge = new Gauge({ name, help, labelNames, registers: [registry] });
    for (const { labels, value } of samples) gauge.set(labels, value);
  }
  return { type: registry.contentType, text: await registry.metrics() };
}
