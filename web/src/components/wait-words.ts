import { formatInstant } from '../format.ts';
import { i18next } from '../i18n.ts';

/** Longer than anybody counts along. */
const longSeconds = 120;

/** How long to wait: seconds while they can be watched, else the time of day. */
export function sayWait(left: number, key: 'error.retryIn' | 'error.waitFor'): string {
  if (left <= longSeconds) return i18next.t(key, { count: left });
  return i18next.t('error.waitUntil', {
    at: formatInstant(new Date(Date.now() + left * 1_000).toISOString()),
  });
}
