import { ExportResultCode, type ExportResult } from '@opentelemetry/core';
import type { Logger } from '#lib/logger.ts';

interface Exporter<Batch> {
  export(batch: Batch, done: (result: ExportResult) => void): void;
}

const maxErrorLength = 200;

/**
 * Logs when exports begin to fail and when they work again, instead of each failure, and reports
 * success to the SDK, which would report each of them by itself.
 */
export function reportExports<Batch, Wrapped extends Exporter<Batch>>(
  exporter: Wrapped,
  signal: 'traces' | 'metrics',
  log: Logger,
): Wrapped {
  let isFailing = false;
  const report = ({ code, error }: ExportResult) => {
    if (code === ExportResultCode.SUCCESS) {
      if (isFailing) log.info({ signal }, 'OpenTelemetry exports work again');
      isFailing = false;
      return;
    }
    if (!isFailing)
      log.warn(
        { signal, error: describe(error) },
        'OpenTelemetry exports fail and their data is lost; look at OTEL_EXPORTER_OTLP_ENDPOINT',
      );
    isFailing = true;
  };
  const send = exporter.export.bind(exporter);
  exporter.export = (batch, done) => {
    send(batch, (result) => {
      report(result);
      done({ code: ExportResultCode.SUCCESS });
    });
  };
  return exporter;
}

/** The receiver chooses the text of its status line. */
function describe(error: Error | undefined): string {
  const { message = '', code } = (error ?? {}) as { message?: string; code?: unknown };
  const status = typeof code === 'number' ? `status ${code}` : '';
  return `${status} ${message}`.trim().slice(0, maxErrorLength) || 'no response';
}
