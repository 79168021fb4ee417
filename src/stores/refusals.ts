import type { StoreError, StoreName } from '../domain/ports.ts';
import { refused, unavailable, unreadable } from './failures.ts';
import type { EgressReply } from './egress/fetch.ts';

/** What a store's gatekeepers write into the pages they send instead of an answer. Lower case. */
const markers: readonly (readonly [sign: string, marker: string])[] = [
  ['google.com/sorry', 'captcha'],
  ['unusual traffic', 'captcha'],
  ['captcha', 'captcha'],
  ['consent.google', 'consent'],
  ['before you continue', 'consent'],
  ['too many requests', '429'],
];
const searchedLength = 131_072;

/** Only asked about a body that is not an answer: a phrase such as "captcha" may well be in one that is. */
export function findRefusalMarker(body: string): string | null {
  const text = body.slice(0, searchedLength).toLowerCase();
  return markers.find(([sign]) => text.includes(sign))?.[1] ?? null;
}

/**
 * What a status says, the same for both stores; null for 200, 400 and 404, which the parsers judge.
 * Redirects are judged by where they lead and never followed. 403 is how iTunes throttles, with an empty body.
 */
export function failureByStatus(
  store: StoreName,
  reply: EgressReply,
  now: Date,
): StoreError | null {
  const { status, body } = reply;
  if (status === 200 || status === 400 || status === 404) return null;
  const retryAfterMs = readRetryAfterMs(reply.headers['retry-after'], now);
  if (status === 429) return refused(store, '429', retryAfterMs);
  if (status === 403) return refused(store, body.trim() === '' ? '403-empty' : '403', retryAfterMs);
  if (isRedirect(reply)) {
    const marker = redirectMarker(locationOf(reply));
    return marker === null
      ? unreadable(store, 'redirect', `status ${status}`)
      : refused(store, marker, retryAfterMs);
  }
  if (status >= 500) {
    const marker = findRefusalMarker(body);
    return marker === null
      ? unavailable(store, String(status))
      : refused(store, marker, retryAfterMs);
  }
  if (status === 407 || status === 408) return unavailable(store, String(status));
  return unreadable(store, `status-${status}`, `status ${status}`);
}

export function isRedirect({ status }: EgressReply): boolean {
  return status >= 300 && status < 400;
}

export function locationOf(reply: EgressReply): string {
  return String(reply.headers['location'] ?? '');
}

/**
 * Whose page a redirect leads to tells a consent page and a captcha apart; anything else is no answer we know. Behind
 * STORE_BASE_URL the host is the first segment of the path. Further on the same words may be an app's name.
 */
export function redirectMarker(location: string): 'consent' | 'sorry' | null {
  if (!URL.canParse(location, 'https://play.google.com')) return null;
  const { hostname, pathname } = new URL(location, 'https://play.google.com');
  const [, first = '', second = ''] = pathname.toLowerCase().split('/');
  const [host, page] = isGoogle(first) ? [first, second] : [hostname, first];
  if (host.startsWith('consent.google.')) return 'consent';
  return isGoogle(host) && page === 'sorry' ? 'sorry' : null;
}

function isGoogle(host: string): boolean {
  return /(^|\.)google\.[a-z.]{2,6}$/.test(host);
}

/** Retry-After in milliseconds: seconds or an HTTP date; null when absent or nonsense. */
export function readRetryAfterMs(header: string | string[] | undefined, now: Date): number | null {
  const text = (Array.isArray(header) ? header[0] : header)?.trim();
  if (text === undefined || text === '') return null;
  if (/^\d{1,9}$/.test(text)) return Number(text) * 1000;
  const ms = Date.parse(text) - now.getTime();
  return Number.isNaN(ms) ? null : Math.max(0, ms);
}
