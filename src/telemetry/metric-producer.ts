import { ValueType } from '@opentelemetry/api';
import type { Resource } from '@opentelemetry/resources';
import {
  AggregationTemporality,
  DataPointType,
  type MetricData,
  type MetricProducer,
} from '@opentelemetry/sdk-metrics';

/** A metric of `GET /metrics`: a gauge under its name in Prometheus. */
export interface GaugeReading {
  name: string;
  help: string;
  samples: readonly { labels: Record<string, string>; value: number }[];
}

type Instant = [seconds: number, nanoseconds: number];

/**
 * Reads the instance's metrics when they are exported. Nothing is exported while there are none,
 * as in a process that is not the one to report them.
 */
export function createMetricProducer(
  scope: { name: string; version: string },
  resource: Resource,
  read: () => Promise<readonly GaugeReading[]>,
): MetricProducer {
  return {
    collect: async () => {
      const now = Date.now();
      const at: Instant = [Math.floor(now / 1_000), (now % 1_000) * 1e6];
      const metrics = (await read())
        .filter(({ samples }) => samples.length > 0)
        .map((reading) => toGauge(reading, at));
      const scopeMetrics = metrics.length === 0 ? [] : [{ scope, metrics }];
      return { resourceMetrics: { resource, scopeMetrics }, errors: [] };
    },
  };
}

function toGauge({ name, help, samples }: GaugeReading, at: Instant): MetricData {
  return {
    dataPointType: DataPointType.GAUGE,
    // Without a unit, which would become a part of the name where metrics go on to Prometheus.
    descriptor: { name, description: help, unit: '', valueType: ValueType.DOUBLE },
    aggregationTemporality: AggregationTemporality.CUMULATIVE,
    dataPoints: samples.map(({ labels, value }) => ({
      startTime: at,
      endTime: at,
      attributes: labels,
      value,
    })),
  };
}
