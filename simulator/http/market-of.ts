import { tokenOf } from '../play/continuation.ts';
import { readCalls } from '../play/rpc-calls.ts';
import { readToken } from '../play/token.ts';
import { storefrontCountry } from '../ios/hints.ts';
import { normalizePhrase } from '../world/ranking.ts';
import type { StoreRequest } from './request.ts';

export interface RequestMarket {
  kind: string;
  country: string | null;
  phrase: string | null;
}

const playKinds: Readonly<Record<string, string>> = {
  UsvDTd: 'reviews',
  oCPfdb: 'reviews',
  vyAe2: 'chart',
  IJ4APc: 'hints',
  teXCtc: 'hints',
};

/** What a request is about, for the log and the fault rules. */
export function marketOf(request: StoreRequest): RequestMarket {
  const { searchParams, pathname } = request.url;
  const named =
    searchParams.get('country') ??
    searchParams.get('gl') ??
    storefrontCountry(request.storefront) ??
    /^(?:\/api\/v2)?\/([a-z]{2})\//.exec(pathname)?.[1];
  const country = named?.toLowerCase() ?? null;
  const text = searchParams.get('term') ?? searchParams.get('q');
  const phrase = text === null ? null : normalizePhrase(text);
  if (request.kind !== 'batchexecute') return { kind: request.kind, country, phrase };
  const call = readCalls(request.body)?.[0];
  if (call?.rpc !== 'qnKhOb')
    return { kind: playKinds[call?.rpc ?? ''] ?? 'batchexecute', country, phrase };
  const continuation = readToken(tokenOf(call.argument));
  if (continuation === null) return { kind: 'continuation', country, phrase };
  return {
    kind: 'continuation',
    country: continuation.country,
    phrase: normalizePhrase(continuation.phrase),
  };
}
