import { readCalls } from '../play/batchexecute.ts';
import { readToken } from '../play/token.ts';
import { normalizePhrase } from '../world/ranking.ts';
import type { StoreRequest } from './request.ts';

/** What a request is about, for the log and the fault rules. */
export function marketOf(request: StoreRequest): { kind: string; country: string | null; phrase: string | null } {
  const { searchParams, pathname } = request.url;
  const named = searchParams.get('country') ?? searchParams.get('gl') ?? /^\/([a-z]{2})\//.exec(pathname)?.[1] ?? null;
  const country = named?.toLowerCase() ?? null;
  const text = searchParams.get('term') ?? searchParams.get('q');
  if (request.kind !== 'batchexecute') {
    return { kind: request.kind, country, phrase: text === null ? null : normalizePhrase(text) };
  }
  const call = readCalls(request.body)?.[0];
  if (call?.[0] !== 'qnKhOb') return { kind: 'batchexecute', country, phrase: null };
  const inner = Array.isArray(call[1]) ? (call[1][0] as unknown) : null;
  const continuation = readToken(Array.isArray(inner) ? inner.at(-1) : null);
  return { kind: 'continuation', country: continuation?.country ?? country, phrase: continuation ? normalizePhrase(continuation.phrase) : null };
}
