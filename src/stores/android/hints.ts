import type { Cost, HintsAnswer, StoreRequestOptions } from '../../domain/ports.ts';
import { ask, type AskContext } from '../ask.ts';
import type { HostRoot } from '../urls.ts';
import { hintsRpc, maxHints, parsePlayHints } from './parse-hints.ts';
import { callRpc } from './rpc.ts';

/** What is offered while somebody types, in one request; the store offers up to five. */
export async function readHints(
  context: AskContext & { root: HostRoot },
  query: { prefix: string; country: string },
  options: StoreRequestOptions,
): Promise<HintsAnswer> {
  const cost: Cost = { requests: 0, bytes: 0, ms: 0 };
  const argument = [[null, [query.prefix], [maxHints], [2], 4]];
  const question = callRpc(context, {
    kind: 'hints',
    rpcId: hintsRpc,
    argument,
    country: query.country,
    parse: parsePlayHints,
  });
  return { terms: await ask(context, question, options, cost), cost };
}
