import type { Setting } from './env.ts';
import { text, timeOfDay } from './parsers.ts';

export const parquetSettings = {
  PARQUET_AT: {
    parse: timeOfDay,
    fallback: null,
    meaning:
      'UTC time at which the positions of every workspace are written to Parquet files, such as ' +
      '04:00. Unset: none are written.',
  },
  PARQUET_DIR: {
    parse: text,
    fallback: null,
    meaning:
      'The directory of the Parquet files. Unset: `exports` in DATA_DIR. With several workers ' +
      'each of them needs it.',
  },
} as const satisfies Record<string, Setting<unknown>>;
