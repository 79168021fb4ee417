import type { RequestMarket, RequestTarget, SimulatedStore } from '../simulated-store.ts';
import { normalizePhrase } from '../world/ranking.ts';
import { imageHost } from './artwork.ts';
import { tokenOf } from './continuation.ts';
import { enterprisePhraseOf } from './enterprise-search.ts';
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
  '/_/PlayEnterpriseWebStoreUi/data/batchexecute': 'enterprise',
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
  hosts: ['play.google.com', imageHost],
  guessHost: (path) => (/^\/(store|work|_)\//.test(path) ? 'play.google.com' : null),
  describeRequest,
  createRoutes: createAndroidRoutes,
  hasAddressLimits: false,
};

function describeRequest({ host, url, body }: RequestTarget): RequestMarket {
  if (host === imageHost) return { kind: 'image', country: null, phrase: null };
  const country = url.searchParams.get('gl')?.toLowerCase() ?? null;
  const text = url.searchParams.get('q');
  const phrase = text === null ? null : normalizePhrase(text);
  const kind = kinds[url.pathname] ?? 'other';
  const isCall = kind === 'batchexecute' || kind === 'enterprise';
  return isCall ? describeCall(kind, body, { country, phrase }) : { kind, country, phrase };
}

/** The first call of a batchexecute body. The market of a further page is in its token. */
function describeCall(
  kind: 'batchexecute' | 'enterprise',
  body: string,
  market: Omit<RequestMarket, 'kind'>,
): RequestMarket {
  const { rpc = '', argument } = readCalls(body)?.[0] ?? {};
  if (rpc === 'lGYRle' && kind === 'enterprise') {
    const phrase = enterprisePhraseOf(argument);
    return { ...market, kind: 'enterprise-search', phrase: phrase && normalizePhrase(phrase) };
  }
  if (rpc !== 'qnKhOb') return { ...market, kind: rpcKinds[rpc] ?? kind };
  const continuation = readToken(tokenOf(argument));
  const { country, phrase } = continuation ?? market;
  return {
    kind: kind === 'enterprise' ? 'enterprise-continuation' : 'continuation',
    country,
    phrase: phrase && normalizePhrase(phrase),
  };
}
