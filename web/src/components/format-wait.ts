import { formatInstant } from '../format.ts';
import { i18next } from '../i18n.ts';

/** Beyond this, a countdown is replaced by the time of day. */
const longSeconds = 120;

/** How long to wait: in seconds while a countdown makes sense, otherwise as a time of day. */
export function formatWait(left: number, key: 'error.retryIn' | 'error.waitFor'): string {
  if (left <= longSeconds) return i18next.t(key, { count: left });
  return i18next.t('error.waitUntil', {
    at: formatInstant(new Date(Date.now() + left * 1_000).toISOString()),
  });
}
