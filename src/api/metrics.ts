import type { Ctx } from '#domain/base/context.ts';
import { collectMetrics, type QueueMetrics } from '#domain/scheduling/health/collect-metrics.ts';

/** The current metrics in Prometheus' text format. */
export async function formatMetrics(
  ctx: Ctx,
  service: QueueMetrics,
): Promise<{ type: string; text: string }> {
  // Loaded with the first scrape: it brings OpenTelemetry's interfaces with it.
  const { Gauge, Registry } = await import('@prometheus-io/client');
  const registry = new Registry();
  for (const { name, help, samples } of await collectMetrics(ctx, service)) {
    if (samples.length === 0) continue;
    const labelNames = [...new Set(samples.flatMap((sample) => Object.keys(sample.labels)))];
    const gauge = new Gauge({ name, help, labelNames, registers: [registry] });
    for (const { labels, value } of samples) gauge.set(labels, value);
  }
  return { type: registry.contentType, text: await registry.metrics() };
}
