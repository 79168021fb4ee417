import { badRequest, unreadable } from '../store-errors.ts';
import type { EgressReply } from '../egress/fetch.ts';
import { playLanguage } from '../languages.ts';
import { missingRpc } from './islands.ts';

const consentCookie = 'SOCS=CAI; CONSENT=YES+';
const maxCookieLength = 4096;

/** Sent with the one retry after a consent page, which addresses in the EU see first. */
export const consentHeaders = { cookie: consentCookie };

export function pageHeaders(country: string): Record<string, string> {
  return {
    accept: 'text/html,application/xhtml+xml,*/*;q=0.8',
    'accept-language': playLanguage(country),
  };
}

/**
 * Wraps a parser with the meaning of the status: 400 is our own mistake, and only a details page
 * may be missing.
 */
export function readPage<Result>(reply: EgressReply, parse: (body: string) => Result): Result {
  if (reply.status === 200) return parse(reply.body);
  if (reply.status === 400) throw badRequest('android', 'status-400', 'status 400');
  if (reply.body.trim() === '')
    throw unreadable('android', `status-${reply.status}`, `status ${reply.status}`);
  throw missingRpc(reply.body, `response, but status ${reply.status}`);
}

/**
 * The session cookie of the first page, which the token of the next page requires. Names and values
 * only.
 */
export function sessionCookie(reply: EgressReply): string {
  const headers = reply.headers['set-cookie'] ?? [];
  const pairs = (Array.isArray(headers) ? headers : [headers])
    .map((header) => header.slice(0, maxCookieLength).split(';', 1)[0]!.trim())
    .filter((pair) => /^[\w!#$%&'*+.^`|~-]{1,100}=[\x21-\x3a\x3c-\x7e]{0,2000}$/.test(pair));
  const cookie = [consentCookie, ...pairs.slice(0, 20)].join('; ');
  return pairs.length === 0 || cookie.length > maxCookieLength ? '' : cookie;
}
