import type { IncomingMessage } from 'node:http';
import type { StoreName } from '#stores/profiles.ts';

/** A request as a store sees it, without host prefix, proxy form or tunnel. */
export interface StoreRequest {
  method: string;
  /** The store's host, or '' for the simulator's own paths. */
  host: string;
  url: URL;
  store: StoreName | null;
  /** The egress address, by which stores throttle. */
  address: string;
  /** The request came in proxy form, so redirects must name the host. */
  proxied: boolean;
  acceptsGzip: boolean;
  cookie: string;
  /** `X-Apple-Store-Front`, or ''. */
  storefront: string;
  body: string;
}

export interface StoreHosts {
  readonly hosts: readonly string[];
  guessHost(path: string): string | null;
}

/** Hosts of the Apple Ads Platform API. */
export const appleAdsHosts = ['appleid.apple.com', 'api.ads.apple.com'];

/** Hosts of captcha and consent pages. They belong to no store; redirects lead there. */
const sideHosts = ['www.google.com', 'consent.google.com', ...appleAdsHosts];

/** Reads the host and path that a request is for. */
export function readTarget(
  message: IncomingMessage,
  stores: Readonly<Record<StoreName, StoreHosts>>,
): Pick<StoreRequest, 'host' | 'url' | 'store' | 'proxied'> {
  const names = Object.keys(stores) as StoreName[];
  const storeOf = (host: string) => names.find((name) => stores[name].hosts.includes(host)) ?? null;
  const isKnown = (host: string) => storeOf(host) !== null || sideHosts.includes(host);
  const target = message.url ?? '/';
  const parsed = new URL(target, `http://${message.headers.host ?? 'localhost'}`);
  const namedHost = isKnown(parsed.hostname) ? parsed.hostname : '';
  const first = parsed.pathname.split('/')[1] ?? '';
  const prefix = namedHost === '' && isKnown(first) ? first : '';
  const path = prefix === '' ? parsed.pathname : parsed.pathname.slice(prefix.length + 1) || '/';
  const host = namedHost || prefix || guessHost(path, Object.values(stores));
  const url = new URL(`http://${host || 'localhost'}`);
  url.pathname = path;
  url.search = parsed.search;
  return { host, url, store: storeOf(host), proxied: !target.startsWith('/') || namedHost !== '' };
}

/** Old libraries send paths without a host. */
function guessHost(path: string, stores: readonly StoreHosts[]): string {
  if (path.startsWith('/_sim/')) return '';
  for (const store of stores) {
    const host = store.guessHost(path);
    if (host !== null) return host;
  }
  return '';
}
