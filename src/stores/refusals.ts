import type { StoreError, StoreName } from '#domain/base/ports.ts';
import { refused, unavailable, unreadable } from './store-errors.ts';
import type { EgressReply } from './egress/fetch.ts';
import { profileOf } from './profiles.ts';

/** Signs of gatekeeper pages, in lower case, with their markers. */
const markers: readonly (readonly [sign: string, marker: string])[] = [
  ['google.com/sorry', 'captcha'],
  ['unusual traffic', 'captcha'],
  ['captcha', 'captcha'],
  ['consent.google', 'consent'],
  ['before you continue', 'consent'],
  ['too many requests', '429'],
  ['just a moment', 'challenge'],
];
const searchedLength = 131_072;

/**
 * Only for a body that no parser accepts: a phrase such as "captcha" may well be in a proper
 * response.
 */
export function findRefusalMarker(body: string): string | null {
  const text = body.slice(0, searchedLength).toLowerCase();
  return markers.find(([sign]) => text.includes(sign))?.[1] ?? null;
}

/**
 * The error for a status; null for 200, 400 and 404, which the parsers evaluate. Redirects are
 * evaluated by their target and never followed. iTunes throttles with 403 and an empty body. A 5xx
 * with Retry-After asks for a pause, as a refusal does.
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
    return marker !== null || retryAfterMs !== null || isRefusalStatus(store, status)
      ? refused(store, marker ?? String(status), retryAfterMs)
      : unavailable(store, String(status));
  }
  if (status === 407 || status === 408) return unavailable(store, String(status));
  return unreadable(store, `status-${status}`, `status ${status}`);
}

const isRefusalStatus = (store: StoreName, status: number): boolean =>
  profileOf(store).pace.refusalStatuses?.includes(status) ?? false;

export function isRedirect({ status }: EgressReply): boolean {
  return status >= 300 && status < 400;
}

export function locationOf(reply: EgressReply): string {
  return String(reply.headers['location'] ?? '');
}

/**
 * The host of a redirect distinguishes a consent page from a captcha; any other target is unknown.
 * Behind STORE_BASE_URL the host is the first segment of the path. In later segments the words may
 * be an app's name.
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

/** Retry-After in milliseconds: seconds or an HTTP date; null when absent or malformed. */
function readRetryAfterMs(header: string | string[] | undefined, now: Date): number | null {
  const text = (Array.isArray(header) ? header[0] : header)?.trim();
  if (text === undefined || text === '') return null;
  if (/^\d{1,9}$/.test(text)) return Number(text) * 1000;
  const ms = Date.parse(text) - now.getTime();
  return Number.isNaN(ms) ? null : Math.max(0, ms);
}
