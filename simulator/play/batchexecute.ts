import { stringifyExact } from '../../src/lib/json.ts';
import { answer, type Answer } from '../http/answer.ts';
import type { AnswerContext } from '../http/answer-context.ts';
import { continueSearch } from './continuation.ts';

/** An rpc's payload, or null where the real store gives none. */
type Rpc = (argument: unknown, context: AnswerContext) => unknown;

/** Dispatch is by f.req alone: the query's `rpcids` says qnKhOb for everything in one library. */
const rpcs: Readonly<Record<string, Rpc>> = { qnKhOb: continueSearch };
const maxCalls = 64;

/** `POST /_/PlayStoreUi/data/batchexecute`, several rpcs per request, told apart by their tag. */
export function answerBatchexecute(context: AnswerContext): Answer {
  const calls = readCalls(context.request.body);
  if (calls === null) return answer(400, 'json', `)]}'\n\n[["er",null,null,null,null,400,null,null,null,3]]`);
  const frames: unknown[] = calls.map(([rpc, argument, tag]) => {
    const payload = context.twist === 'null-payload' ? null : (rpcs[rpc]?.(argument, context) ?? null);
    const name = context.twist === 'rpc-renamed' ? `x${rpc.slice(1)}` : rpc;
    return ['wrb.fr', name, payload === null ? null : stringifyExact(payload), null, null, payload === null ? [5] : null, tag];
  });
  frames.push(['di', 23], ['af.httprm', 22, '-1', 7]);
  const json = JSON.stringify(frames);
  const chunked = context.url.searchParams.get('rt') === 'c';
  return answer(200, 'json', chunked ? `)]}'\n\n${json.length + 2}\n${json}\n25\n[["e",4,null,null,${json.length}]]\n` : `)]}'\n\n${json}`);
}

export function readCalls(body: string): [rpc: string, argument: unknown, tag: string][] | null {
  try {
    const [calls] = JSON.parse(new URLSearchParams(body).get('f.req') ?? 'null') as [unknown[][]];
    if (calls.length === 0 || calls.length > maxCalls) return null;
    return calls.map((call) => [String(call[0]), JSON.parse(String(call[1])) as unknown, String(call[3] ?? 'generic')]);
  } catch {
    return null;
  }
}
