import type { RequestMarket, RequestTarget, SimulatedStore } from '../simulated-store.ts';
import { normalizePhrase } from '../world/ranking.ts';
import { tokenOf } from './continuation.ts';
import { createAndroidRoutes } from './routes.ts';
import { readCalls } from './rpc-calls.ts';
import { readToken } from './token.ts';
import { androidTraits } from './traits.ts';

const kinds: Readonly<Record<string, string>> = {
  '/store/search': 'search',
  '/store/apps/details': 'details',
  '/store/apps/collection/cluster': 'cluster',
  '/store/apps/dev': 'developer',
  '/store/apps/developer': 'developer',
  '/store/apps/datasafety': 'datasafety',
  '/_/PlayStoreUi/data/batchexecute': 'batchexecute',
};

const rpcKinds: Readonly<Record<string, string>> = {
  UsvDTd: 'reviews',
  oCPfdb: 'reviews',
  vyAe2: 'chart',
  IJ4APc: 'hints',
  teXCtc: 'hints',
};

export const androidStore: SimulatedStore = {
  traits: androidTraits,
  hosts: ['play.google.com'],
  guessHost: (path) => (/^\/(store|work|_)\//.test(path) ? 'play.google.com' : null),
  describeRequest,
  createRoutes: createAndroidRoutes,
  hasAddressLimits: false,
};

function describeRequest({ url, body }: RequestTarget): RequestMarket {
  const country = url.searchParams.get('gl')?.toLowerCase() ?? null;
  const text = url.searchParams.get('q');
  const phrase = text === null ? null : normalizePhrase(text);
  const kind = kinds[url.pathname] ?? 'other';
  if (kind !== 'batchexecute') return { kind, country, phrase };
  const call = readCalls(body)?.[0];
  if (call?.rpc !== 'qnKhOb') return { kind: rpcKinds[call?.rpc ?? ''] ?? kind, country, phrase };
  const continuation = readToken(tokenOf(call.argument));
  if (continuation === null) return { kind: 'continuation', country, phrase };
  return {
    kind: 'continuation',
    country: continuation.country,
    phrase: normalizePhrase(continuation.phrase),
  };
}
