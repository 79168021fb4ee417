import type { Setting } from './env.ts';
import { integer } from './parsers.ts';

export const readerSettings = {
  READER_PORT: {
    parse: integer(1, 65_535),
    fallback: null,
    meaning:
      'The port on 127.0.0.1 at which the embedded database accepts the logins of `toprung ' +
      'reader create`, and no others. Unset: it has no port.',
  },
} as const satisfies Record<string, Setting<unknown>>;
