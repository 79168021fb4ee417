import { address, oneOf } from './parsers.ts';

export const updateSettings = {
  UPDATE_CHECK_URL: {
    parse: address('http:', 'https:'),
    fallback: null,
    meaning:
      'A JSON document that names the newest release, read once a day for a notice on the ' +
      'operator’s page and in `toprung doctor` (docs/operations.md). Unset: nothing is read.',
  },
  UPDATE_CHECK: {
    parse: oneOf('daily', 'off'),
    fallback: 'daily',
    meaning: '`off` reads nothing even where UPDATE_CHECK_URL is set, as in a packaged instance.',
  },
} as const;

/** Null when nothing is to be read. */
export const updateUrlIn = (config: {
  UPDATE_CHECK_URL: string | null;
  UPDATE_CHECK: 'daily' | 'off';
}): string | null => (config.UPDATE_CHECK === 'off' ? null : config.UPDATE_CHECK_URL);
