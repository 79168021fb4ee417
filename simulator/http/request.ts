import type { IncomingMessage } from 'node:http';
import type { StoreName } from '../store-name.ts';

/** A request as the stores see it: the prefix, the proxy form and the tunnel are undone. */
export interface StoreRequest {
  method: string;
  /** The store's host, or '' for the simulator's own paths. */
  host: string;
  url: URL;
  store: StoreName | null;
  kind: string;
  /** Egress address: what the store would throttle. */
  address: string;
  /** True when the request came in proxy form, so that redirects must name the host. */
  proxied: boolean;
  acceptsGzip: boolean;
  cookie: string;
  /** `X-Apple-Store-Front`, or ''. */
  storefront: string;
  body: string;
}

const hosts: Readonly<Record<string, StoreName>> = {
  'itunes.apple.com': 'ios',
  'search.itunes.apple.com': 'ios',
  'apps.apple.com': 'ios',
  'rss.marketingtools.apple.com': 'ios',
  'play.google.com': 'android',
};
const sideHosts = new Set(['www.google.com', 'consent.google.com']);

/** Reads which store and which kind of answer is meant; `address` comes from the listener. */
export function readTarget(
  message: IncomingMessage,
): Pick<StoreRequest, 'host' | 'url' | 'store' | 'kind' | 'proxied'> {
  const target = message.url ?? '/';
  const proxied = !target.startsWith('/');
  const parsed = new URL(target, `http://${message.headers.host ?? 'localhost'}`);
  const namedHost = isStoreHost(parsed.hostname) ? parsed.hostname : '';
  const first = parsed.pathname.split('/')[1] ?? '';
  const prefix = namedHost === '' && isStoreHost(first) ? first : '';
  const path = prefix === '' ? parsed.pathname : parsed.pathname.slice(prefix.length + 1) || '/';
  const host = namedHost || prefix || guessHost(path);
  const url = new URL(`http://${host || 'localhost'}`);
  url.pathname = path;
  url.search = parsed.search;
  return {
    host,
    url,
    store: hosts[host] ?? null,
    kind: kindOf(host, url),
    proxied: proxied || namedHost !== '',
  };
}

function isStoreHost(name: string): boolean {
  return name in hosts || sideHosts.has(name);
}

/** Unprefixed paths of old libraries. */
function guessHost(path: string): string {
  if (path.startsWith('/_sim/')) return '';
  if (path.startsWith('/store/') || path.startsWith('/work/') || path.startsWith('/_/'))
    return 'play.google.com';
  if (path === '/search' || path === '/lookup' || path.includes('/rss/')) return 'itunes.apple.com';
  if (/^\/[a-z]{2}\/app\//.test(path)) return 'apps.apple.com';
  return path.startsWith('/WebObjects/') ? 'search.itunes.apple.com' : '';
}

const playKinds: Readonly<Record<string, string>> = {
  '/store/search': 'search',
  '/store/apps/details': 'details',
  '/store/apps/collection/cluster': 'cluster',
  '/store/apps/dev': 'developer',
  '/store/apps/developer': 'developer',
  '/store/apps/datasafety': 'datasafety',
  '/_/PlayStoreUi/data/batchexecute': 'batchexecute',
};

const hintKinds: Readonly<Record<string, string>> = {
  '/WebObjects/MZSearchHints.woa/wa/hints': 'hints',
  '/WebObjects/MZSearchHints.woa/wa/trends': 'trends',
};

function kindOf(host: string, url: URL): string {
  const path = url.pathname;
  if (host === 'play.google.com') return playKinds[path] ?? 'other';
  if (host === 'itunes.apple.com' && path === '/search') return 'search';
  if (host === 'itunes.apple.com' && path === '/lookup') return 'lookup';
  if (host === 'apps.apple.com' && path.includes('/app/')) return 'app-page';
  if (host === 'itunes.apple.com' && path.includes('/rss/customerreviews/')) return 'reviews';
  if (host === 'itunes.apple.com' && path.includes('/rss/')) return 'chart';
  if (host === 'itunes.apple.com' && path.includes('/customer-reviews/')) return 'ratings';
  if (host === 'rss.marketingtools.apple.com') return 'chart-v2';
  if (host === 'search.itunes.apple.com') return hintKinds[path] ?? 'other';
  return 'other';
}
