import { address, flag, integer, oneOf, share, text } from './parsers.ts';

/** OpenTelemetry. The exporters read more of its settings: docs/telemetry.md. */
export const telemetrySettings = {
  OTEL_EXPORTER_OTLP_ENDPOINT: {
    parse: address('http:', 'https:'),
    fallback: null,
    meaning:
      'Sends traces and metrics to an OpenTelemetry receiver by OTLP over HTTP, such as ' +
      'http://127.0.0.1:4318 (docs/telemetry.md). Unset: off.',
  },
  OTEL_EXPORTER_OTLP_HEADERS: {
    parse: text,
    fallback: null,
    secret: true,
    meaning: 'Headers for the receiver, such as authorization=Bearer%20token, separated by commas.',
  },
  OTEL_SERVICE_NAME: {
    parse: text,
    fallback: 'toprung',
    meaning: 'The service’s name in traces and metrics.',
  },
  OTEL_TRACES_EXPORTER: {
    parse: oneOf('otlp', 'none'),
    fallback: 'otlp',
    meaning: '`none` sends no traces.',
  },
  OTEL_METRICS_EXPORTER: {
    parse: oneOf('otlp', 'none'),
    fallback: 'otlp',
    meaning: '`none` sends no metrics.',
  },
  OTEL_TRACES_SAMPLER: {
    parse: oneOf(
      'always_on',
      'always_off',
      'traceidratio',
      'parentbased_always_on',
      'parentbased_always_off',
      'parentbased_traceidratio',
    ),
    fallback: 'parentbased_always_on',
    meaning:
      'The traces that are sent. The parentbased ones do what the traceparent of a request ' +
      'says.',
  },
  OTEL_TRACES_SAMPLER_ARG: {
    parse: share,
    fallback: '1',
    meaning: 'The share of traces that the samplers with traceidratio send, from 0 to 1.',
  },
  OTEL_METRIC_EXPORT_INTERVAL: {
    parse: integer(1_000, 3_600_000),
    fallback: '60000',
    meaning: 'The interval at which metrics are sent, in milliseconds.',
  },
  OTEL_SDK_DISABLED: {
    parse: flag,
    fallback: 'false',
    meaning: 'true switches OpenTelemetry off, whatever its other settings are.',
  },
} as const;
