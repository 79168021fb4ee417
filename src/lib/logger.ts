import { pino, type Logger as PinoLogger } from 'pino';

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

/** JSON lines to stderr; what is secret by its name never leaves, and addresses lose their passwords. */
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
      formatters: { level: (label) => ({ level: label }) },
    },
    pino.destination({ dest: 2, sync: true }),
  );
}

export const silentLogger: Logger = pino({ level: 'silent' });

/** `redis://user:secret@host` becomes `redis://user:[secret]@host`. */
export function maskUrl(url: string): string {
  return url.replace(/:\/\/([^:@/\s]*):[^@/\s]*@/g, '://$1:[secret]@');
}
