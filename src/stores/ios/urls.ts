import { itunesLanguage } from '../languages.ts';
import { parseWebAddress, type HostRoot } from '../urls.ts';

const itunes = 'itunes.apple.com';
const hosts = new Set(['apps.apple.com', 'itunes.apple.com', 'geo.itunes.apple.com']);
export const maxSearchResults = 200;
export const maxLookupIds = 200;

export function searchUrl(root: HostRoot, query: { phrase: string; country: string }): string {
  const parameters = new URLSearchParams({
    term: query.phrase,
    country: query.country,
    media: 'software',
    entity: 'software',
    limit: String(maxSearchResults),
  });
  return `${root(itunes)}/search?${withLanguage(parameters, query.country).toString()}`;
}

export function lookupUrl(root: HostRoot, query: { ids: readonly string[]; country: string }): string {
  // The commas stay plain: that is the form Apple documents and caches by.
  const parameters = withLanguage(new URLSearchParams({ country: query.country }), query.country);
  return `${root(itunes)}/lookup?id=${query.ids.join(',')}&${parameters.toString()}`;
}

function withLanguage(parameters: URLSearchParams, country: string): URLSearchParams {
  const language = itunesLanguage(country);
  if (language !== null) parameters.set('lang', language);
  return parameters;
}

/** App Store ids are whole numbers without leading zeros. */
export function isTrackId(text: string): boolean {
  return /^[1-9]\d{0,14}$/.test(text);
}

export function pageUrl(storeAppId: string, country: string): string {
  return `https://apps.apple.com/${encodeURIComponent(country)}/app/id${encodeURIComponent(storeAppId)}`;
}

/** Reads `apps.apple.com/us/app/some-name/id123?mt=8` and its older forms; a missing scheme is forgiven. */
export function readUrl(text: string): { storeAppId: string; country: string | null } | null {
  const url = parseWebAddress(text);
  if (url === null || !hosts.has(url.hostname)) return null;
  const segments = url.pathname.split('/').filter((segment) => segment !== '');
  const appAt = segments.findIndex((segment) => segment === 'app');
  const idSegment = segments.slice(appAt + 1).find((segment) => /^id\d{1,15}$/.test(segment));
  if (appAt < 0 || appAt > 1 || idSegment === undefined || !isTrackId(idSegment.slice(2))) return null;
  const country = appAt === 1 && /^[a-z]{2}$/i.test(segments[0] ?? '') ? segments[0]!.toLowerCase() : null;
  return { storeAppId: idSegment.slice(2), country };
}
