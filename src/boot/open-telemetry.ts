import packageJson from '../../package.json' with { type: 'json' };
import type { Config } from '#config/env.ts';
import type { Logger } from '#lib/logger.ts';
import type { Telemetry } from '#telemetry/start-telemetry.ts';

/** Null without OTEL_EXPORTER_OTLP_ENDPOINT: then nothing of OpenTelemetry is loaded. */
export async function openTelemetry(
  config: Config,
  role: string,
  log: Logger,
): Promise<Telemetry | null> {
  if (config.OTEL_EXPORTER_OTLP_ENDPOINT === null || config.OTEL_SDK_DISABLED) return null;
  const { startTelemetry } = await import('#telemetry/start-telemetry.ts');
  return startTelemetry({
    serviceName: config.OTEL_SERVICE_NAME,
    version: packageJson.version,
    role,
    sampler: config.OTEL_TRACES_SAMPLER,
    sampledShare: config.OTEL_TRACES_SAMPLER_ARG,
    metricIntervalMs: config.OTEL_METRIC_EXPORT_INTERVAL,
    exports: {
      traces: config.OTEL_TRACES_EXPORTER === 'otlp',
      metrics: config.OTEL_METRICS_EXPORTER === 'otlp',
    },
    log,
  });
}
