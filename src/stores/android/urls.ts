import { playLanguage } from '../languages.ts';
import { parseHttpUrl, type HostRoot } from '../urls.ts';
import { isPackageName } from './fields.ts';

const play = 'play.google.com';

export function searchUrl(root: HostRoot, query: { phrase: string; country: string }): string {
  const parameters = new URLSearchParams({
    q: query.phrase,
    c: 'apps',
    ...localeOf(query.country),
  });
  return `${root(play)}/store/search?${parameters.toString()}`;
}

export function detailsUrl(root: HostRoot, query: { storeAppId: string; country: string }): string {
  const parameters = new URLSearchParams({ id: query.storeAppId, ...localeOf(query.country) });
  return `${root(play)}/store/apps/details?${parameters.toString()}`;
}

/** The web front ends that answer calls of `batchexecute`: the store, and managed Google Play. */
export type PlayFrontEnd = 'store' | 'enterprise';

const frontEnds: Record<PlayFrontEnd, { name: string; sourcePath: string; fixed: string }> = {
  store: {
    name: 'PlayStoreUi',
    sourcePath: '/store/search',
    fixed: 'authuser&soc-app=121&soc-platform=1&soc-device=1',
  },
  enterprise: {
    name: 'PlayEnterpriseWebStoreUi',
    sourcePath: '/work/search',
    fixed: 'authuser=0&rt=c',
  },
};

/** Only country, language and body matter; browsers send the other parameters. */
export function batchUrl(
  root: HostRoot,
  query: { rpcId: string; country: string; frontEnd: PlayFrontEnd },
): string {
  const { name, sourcePath, fixed } = frontEnds[query.frontEnd];
  const parameters = new URLSearchParams({
    rpcids: query.rpcId,
    'source-path': sourcePath,
    ...localeOf(query.country),
  });
  return `${root(play)}/_/${name}/data/batchexecute?${parameters.toString()}&${fixed}`;
}

/** The form field f.req with one call in it. */
export function rpcBody(rpcId: string, argument: unknown): string {
  return new URLSearchParams({
    'f.req': JSON.stringify([[[rpcId, JSON.stringify(argument), null, 'generic']]]),
  }).toString();
}

/**
 * The page with all apps of a cluster. `path` comes from a page of the store, whose parser checks
 * it.
 */
export function clusterUrl(root: HostRoot, query: { path: string; country: string }): string {
  return `${root(play)}${query.path}&${new URLSearchParams(localeOf(query.country)).toString()}`;
}

function localeOf(country: string): { hl: string; gl: string } {
  return { hl: playLanguage(country), gl: country };
}

export function pageUrl(storeAppId: string, country: string): string {
  const parameters = new URLSearchParams({ id: storeAppId, gl: country });
  return `https://${play}/store/apps/details?${parameters.toString()}`;
}

/** Reads `play.google.com/store/apps/details?id=…&gl=us`; the scheme may be missing. */
export function readUrl(text: string): { storeAppId: string; country: string | null } | null {
  const url = parseHttpUrl(text);
  if (url === null || url.hostname !== play || !/^\/store\/apps\/details\/?$/.test(url.pathname))
    return null;
  const storeAppId = url.searchParams.get('id');
  const country = url.searchParams.get('gl')?.toLowerCase() ?? '';
  if (!isPackageName(storeAppId)) return null;
  return { storeAppId, country: /^[a-z]{2}$/.test(country) ? country : null };
}
