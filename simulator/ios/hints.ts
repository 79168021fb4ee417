import { countryOfStorefront } from '#lib/apple-storefronts.ts';
import { respond, type SimulatedResponse } from '../http/response.ts';
import type { ResponseContext } from '../http/response-context.ts';
import { hintsOf, trendsOf } from '../world/hints.ts';
import { escapeXml } from './rss.ts';

/**
 * `GET /WebObjects/MZSearchHints.woa/wa/hints?clientApplication=Software&term=`: empty without the
 * header of a storefront.
 */
export function handleHints(context: ResponseContext): SimulatedResponse {
  const country = storefrontCountry(context.request.storefront);
  const isSilent =
    country === null || context.mutation === 'soft-empty' || context.mutation === 'no-results';
  const prefix = context.url.searchParams.get('term') ?? '';
  const terms = isSilent
    ? []
    : hintsOf(context.world, { store: 'ios', country, prefix, day: context.day });
  const entries = terms.map(
    (term) => `<dict>${field('term', term)}${field('url', searchAddress(term))}</dict>`,
  );
  const list = entries.length === 0 ? '<array/>' : `<array>\n${entries.join('\n')}\n</array>`;
  const key = context.mutation === 'rpc-renamed' ? 'suggestions' : 'hints';
  const dict = `<dict>${field('title', 'Suggestions')}<key>${key}</key>${list}</dict>`;
  const head =
    '<?xml version="1.0" encoding="UTF-8" standalone="no"?>\n<!DOCTYPE plist PUBLIC ' +
    '"-//Apple Computer//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">';
  return respond(200, 'xml', `${head}\n<plist version="1.0">${dict}</plist>\n`);
}

/** `GET …/wa/trends?clientApplication=Software`: JSON, empty without the header of a storefront. */
export function handleTrends(context: ResponseContext): SimulatedResponse {
  const country = storefrontCountry(context.request.storefront);
  const terms =
    country === null ? [] : trendsOf(context.world, { store: 'ios', country, day: context.day });
  const trendingSearches = terms.map((term) => ({ label: term, url: searchAddress(term) }));
  return respond(
    200,
    'json',
    JSON.stringify({ header: { label: 'Trending Searches' }, trendingSearches }),
  );
}

/** The country of a header such as `143441-1,29`, or null. */
export function storefrontCountry(header: string): string | null {
  const storefront = /^(\d{6})\b/.exec(header)?.[1];
  return storefront === undefined ? null : countryOfStorefront(Number(storefront));
}

function field(key: string, text: string): string {
  return `<key>${key}</key><string>${escapeXml(text)}</string>`;
}

function searchAddress(term: string): string {
  const query = new URLSearchParams({
    clientApplication: 'Software',
    media: 'software',
    src: 'hint',
    submit: 'edit',
    term,
  });
  return `https://search.itunes.apple.com/WebObjects/MZStore.woa/wa/search?${query.toString()}`;
}
