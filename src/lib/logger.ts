import { pino, type Logger as PinoLogger } from 'pino';
import { activeSpan } from './tracing.ts';

export type Logger = Pick<PinoLogger, 'debug' | 'info' | 'warn' | 'error' | 'fatal'>;

const secretMembers = [
  'token',
  'password',
  'current',
  'next',
  'secret',
  'authorization',
  'cookie',
  'setupToken',
];

/**
 * Logs JSON lines to stderr; secrets are redacted by name, and passwords are removed from
 * addresses.
 */
export function createLogger(level: string): Logger {
  return pino(
    {
      level,
      base: null,
      timestamp: pino.stdTimeFunctions.isoTime,
      redact: {
        paths: secretMembers.flatMap((name) => [name, `*.${name}`, `*.*.${name}`]),
        censor: '[secret]',
      },
      mixin: namesOfTrace,
      formatters: { level: (label) => ({ level: label }) },
    },
    pino.destination({ dest: 2, sync: true }),
  );
}

/** The trace to which a line belongs; nothing without OpenTelemetry. */
function namesOfTrace(): object {
  const [, trace_id, span_id] = activeSpan()?.headers().traceparent?.split('-') ?? [];
  return trace_id === undefined ? {} : { trace_id, span_id };
}

export const silentLogger: Logger = pino({ level: 'silent' });
