import type { Cost, HintsResponse, StoreRequestOptions } from '#domain/base/ports.ts';
import { requestWithRetry, type StoreRequestContext } from '../request-with-retry.ts';
import type { HostRoot } from '../urls.ts';
import { hintsRpc, maxHints, parsePlayHints } from './parse-hints.ts';
import { callRpc } from './rpc.ts';

/** The suggestions for a prefix, in one request; the store shows up to five. */
export async function readHints(
  context: StoreRequestContext & { root: HostRoot },
  query: { prefix: string; country: string },
  options: StoreRequestOptions,
): Promise<HintsResponse> {
  const cost: Cost = { requests: 0, bytes: 0, ms: 0 };
  const argument = [[null, [query.prefix], [maxHints], [2], 4]];
  const request = callRpc(context, {
    kind: 'hints',
    rpcId: hintsRpc,
    argument,
    country: query.country,
    parse: parsePlayHints,
  });
  return { terms: await requestWithRetry(context, request, options, cost), cost };
}
