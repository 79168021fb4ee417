import { apiVersion } from '#contract/index.ts';
import { collectMetrics } from '#domain/scheduling/health/collect-metrics.ts';
import type { Telemetry } from '#telemetry/start-telemetry.ts';
import { probeQueue } from './probe-queue.ts';
import type { Runtime } from './services.ts';

/**
 * Exports what `GET /metrics` has. The metrics are those of the whole instance, so of several
 * processes the elected one alone sends them. Returns a function that ends it.
 */
export function exportMetrics(
  telemetry: Telemetry,
  { services, queues, replica }: Runtime,
  isLeader: () => boolean,
): () => Promise<void> {
  const startedMs = performance.now();
  return telemetry.exportMetrics(async () => {
    if (!isLeader()) return [];
    return collectMetrics(services, {
      ...probeQueue(queues),
      ...(replica && { replica: () => replica.read() }),
      version: apiVersion,
      uptimeSeconds: (performance.now() - startedMs) / 1_000,
    });
  });
}
