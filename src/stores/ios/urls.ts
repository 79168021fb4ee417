import type { ChartName } from '#domain/base/ports.ts';
import { itunesLanguage } from '../languages.ts';
import { isAppIdOf } from '../profiles.ts';
import { iosProfile } from './profile.ts';
import { parseHttpUrl, type HostRoot } from '../urls.ts';

const itunes = 'itunes.apple.com';
const search = 'search.itunes.apple.com';
export const appPages = 'apps.apple.com';
/** The device whose apps are of a kind of their own. */
export const macDevice = 'mac';
const hosts = new Set(iosProfile.appAddress.hosts);
export const maxSearchResults = iosProfile.search.firstPage;
export const maxLookupIds = iosProfile.listingsPerRequest;

/** The names of the iTunes Search API for what a device runs. */
const entities: Readonly<Record<string, string>> = {
  iphone: 'software',
  ipad: 'iPadSoftware',
  mac: 'macSoftware',
};

export function searchUrl(
  root: HostRoot,
  query: { phrase: string; country: string; device: string },
): string {
  const parameters = new URLSearchParams({
    term: query.phrase,
    country: query.country,
    media: 'software',
    entity: entities[query.device]!,
    limit: String(maxSearchResults),
  });
  return `${root(itunes)}/search?${withLanguage(parameters, query.country).toString()}`;
}

export function webSearchUrl(
  root: HostRoot,
  query: { phrase: string; country: string; device: string },
): string {
  const parameters = new URLSearchParams({ term: query.phrase });
  return `${root(appPages)}/${query.country}/${query.device}/search?${parameters.toString()}`;
}

export function lookupUrl(
  root: HostRoot,
  query: { ids: readonly string[]; country: string; device?: string | undefined },
): string {
  const { ids, country, device } = query;
  const parameters = withLanguage(new URLSearchParams({ country }), country);
  // Without one, an app for phones and Macs is described as the one for phones.
  if (device === macDevice) parameters.set('entity', entities[device]!);
  // The commas stay plain, as in Apple's documentation and cache keys.
  return `${root(itunes)}/lookup?id=${ids.join(',')}&${parameters.toString()}`;
}

export type ReviewsForm = 'json' | 'xml';

export function reviewsUrl(
  root: HostRoot,
  query: { storeAppId: string; country: string; page: number; form: ReviewsForm },
): string {
  const { storeAppId, country, page, form } = query;
  return `${root(itunes)}/${country}/rss/customerreviews/page=${page}/id=${storeAppId}/sortby=mostrecent/${form}`;
}

const feeds: Record<ChartName, string> = {
  free: 'topfreeapplications',
  paid: 'toppaidapplications',
  grossing: 'topgrossingapplications',
};

/** The legacy feeds. The newer ones have no categories and end at 100. */
export function chartUrl(
  root: HostRoot,
  query: { chart: ChartName; category: string | null; country: string; limit: number },
): string {
  const genre = query.category === null ? '' : `/genre=${query.category}`;
  return `${root(itunes)}/${query.country}/rss/${feeds[query.chart]}/limit=${query.limit}${genre}/json`;
}

export function hintsUrl(root: HostRoot, prefix: string): string {
  const parameters = new URLSearchParams({ clientApplication: 'Software', term: prefix });
  const path = 'WebObjects/MZSearchHints.woa/wa/hints';
  return `${root(search)}/${path}?${parameters.toString()}`;
}

export function mzStoreUrl(root: HostRoot, phrase: string): string {
  const parameters = new URLSearchParams({ clientApplication: 'Software', term: phrase });
  return `${root(search)}/WebObjects/MZStore.woa/wa/search?${parameters.toString()}`;
}

/** `path` is the target of the store's redirect; null requests the short address. */
export function appPageUrl(
  root: HostRoot,
  query: { storeAppId: string; country: string },
  path: string | null,
): string {
  return `${root(appPages)}${path ?? `/${query.country}/app/id${query.storeAppId}`}`;
}

/** The path of a redirect to the same app's page in the same country; null for any other target. */
export function movedPagePath(
  location: string,
  query: { storeAppId: string; country: string },
): string | null {
  if (location.length > 2048 || !URL.canParse(location, `https://${appPages}`)) return null;
  const { pathname } = new URL(location, `https://${appPages}`);
  const match = /(\/[a-z]{2}\/app\/(?:[\w%.~-]{1,600}\/)?id\d{1,15})$/.exec(pathname)?.[1];
  const isSame =
    match?.startsWith(`/${query.country}/`) === true && match.endsWith(`id${query.storeAppId}`);
  return isSame ? match : null;
}

function withLanguage(parameters: URLSearchParams, country: string): URLSearchParams {
  const language = itunesLanguage(country);
  if (language !== null) parameters.set('lang', language);
  return parameters;
}

/** App Store ids are whole numbers without leading zeros. */
export function isTrackId(text: string): boolean {
  return isAppIdOf(iosProfile, text);
}

export function pageUrl(storeAppId: string, country: string): string {
  return `https://apps.apple.com/${encodeURIComponent(country)}/app/id${encodeURIComponent(storeAppId)}`;
}

/**
 * Reads `apps.apple.com/us/app/some-name/id123?mt=8` and its older forms; the scheme may be
 * missing.
 */
export function readUrl(text: string): { storeAppId: string; country: string | null } | null {
  const url = parseHttpUrl(text);
  if (url === null || !hosts.has(url.hostname)) return null;
  const segments = url.pathname.split('/').filter((segment) => segment !== '');
  const appAt = segments.findIndex((segment) => segment === 'app');
  const idSegment = segments.slice(appAt + 1).findLast((segment) => /^id\d{1,15}$/.test(segment));
  if (appAt < 0 || appAt > 1 || idSegment === undefined || !isTrackId(idSegment.slice(2)))
    return null;
  const country =
    appAt === 1 && /^[a-z]{2}$/i.test(segments[0] ?? '') ? segments[0]!.toLowerCase() : null;
  return { storeAppId: idSegment.slice(2), country };
}
