import { badRequest } from '../failures.ts';
import type { EgressReply } from '../egress/fetch.ts';
import { playLanguage } from '../languages.ts';
import { missingRpc } from './islands.ts';

const consentCookie = 'SOCS=CAI; CONSENT=YES+';
const maxCookieLength = 4096;

/** Sent on the one more try after a consent page, which addresses in the EU are shown first. */
export const consentHeaders = { cookie: consentCookie };

export function pageHeaders(country: string): Record<string, string> {
  return {
    accept: 'text/html,application/xhtml+xml,*/*;q=0.8',
    'accept-language': playLanguage(country),
  };
}

/** Wraps a parser with what a status says: 400 is our own mistake, and only a details page may be not found. */
export function readPage<Answer>(reply: EgressReply, parse: (body: string) => Answer): Answer {
  if (reply.status === 200) return parse(reply.body);
  if (reply.status === 400) throw badRequest('android', 'status-400', 'status 400');
  throw missingRpc(reply.body, `answer, but status ${reply.status}`);
}

/** The session of the first page: the token of the next is only good with it. Names and values, nothing else. */
export function sessionCookie(reply: EgressReply): string {
  const headers = reply.headers['set-cookie'] ?? [];
  const pairs = (Array.isArray(headers) ? headers : [headers])
    .map((header) => header.slice(0, maxCookieLength).split(';', 1)[0]!.trim())
    .filter((pair) => /^[\w!#$%&'*+.^`|~-]{1,100}=[\x21-\x3a\x3c-\x7e]{0,2000}$/.test(pair));
  const cookie = [consentCookie, ...pairs.slice(0, 20)].join('; ');
  return pairs.length === 0 || cookie.length > maxCookieLength ? '' : cookie;
}
