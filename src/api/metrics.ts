import { Gauge, Registry } from '@prometheus-io/client';
import type { Ctx } from '../domain/context.ts';
import { readReadings, type QueueReadings } from '../domain/service/readings.ts';

/** The readings of this moment in Prometheus' text format. */
export async function printMetrics(
  ctx: Ctx,
  service: QueueReadings,
): Promise<{ type: string; text: string }> {
  const registry = new Registry();
  for (const { name, help, samples } of await readReadings(ctx, service)) {
    if (samples.length === 0) continue;
    const labelNames = [...new Set(samples.flatMap((sample) => Object.keys(sample.labels)))];
    const gauge = new Gauge({ name: `toprung_${name}`, help, labelNames, registers: [registry] });
    for (const { labels, value } of samples) gauge.set(labels, value);
  }
  return { type: registry.contentType, text: await registry.metrics() };
}
