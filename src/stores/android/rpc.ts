import type { StoreRequest, RequestKind } from '../exchange.ts';
import type { EgressReply } from '../egress/fetch.ts';
import type { HostRoot } from '../urls.ts';
import { consentHeaders, pageHeaders, readPage } from './pages.ts';
import { continuationRpc, parsePlayContinuation } from './parse-continuation.ts';
import type { PlayPage } from './parse-search.ts';
import { batchUrl, rpcBody, type PlayFrontEnd } from './urls.ts';

interface Call<Result> {
  kind: RequestKind;
  rpcId: string;
  argument: unknown;
  country: string;
  /** The store by default. */
  frontEnd?: PlayFrontEnd;
  parse: (body: string) => Result;
}

/** One call of `batchexecute`. */
export function callRpc<Result>(
  context: { root: HostRoot },
  call: Call<Result>,
): StoreRequest<Result> {
  const { kind, rpcId, argument, country, frontEnd = 'store', parse } = call;
  return {
    kind,
    method: 'POST',
    url: batchUrl(context.root, { rpcId, country, frontEnd }),
    body: rpcBody(rpcId, argument),
    headers: {
      ...pageHeaders(country),
      'content-type': 'application/x-www-form-urlencoded;charset=UTF-8',
    },
    consentHeaders,
    read: (reply: EgressReply) => readPage(reply, parse),
  };
}

const requestedFields = [
  96, 27, 4, 8, 57, 30, 110, 79, 11, 16, 49, 1, 3, 9, 12, 104, 55, 56, 51, 10, 34, 77,
];

/**
 * Requests the page after a token, of a search or a cluster. The token requires the cookie of the
 * previous page.
 */
export function nextPage(
  context: { root: HostRoot },
  query: {
    kind: RequestKind;
    country: string;
    token: string;
    cookie: string;
    frontEnd?: PlayFrontEnd;
  },
): StoreRequest<PlayPage | null> {
  const { kind, country, token, cookie, frontEnd = 'store' } = query;
  const argument = [[null, [[10, [10, 100]], true, null, requestedFields], null, token]];
  const request = callRpc(context, {
    kind,
    rpcId: continuationRpc,
    argument,
    country,
    frontEnd,
    parse: parsePlayContinuation,
  });
  // The cookie of a session carries the consent already. Without a session, consent is requested
  // and given as on any page.
  return cookie === ''
    ? request
    : { ...request, headers: { ...request.headers, cookie }, consentHeaders: null };
}
