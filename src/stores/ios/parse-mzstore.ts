import type { AppCard, SearchResult } from '#domain/base/ports.ts';
import { storefrontOf } from '#lib/apple-storefronts.ts';
import { createFieldReader } from '../field-reader.ts';
import { findRefusalMarker } from '../refusals.ts';
import { refused, unreadable } from '../store-errors.ts';
import { dedupeById, isRecord, readCount, readRating, readText } from '../value-readers.ts';
import { fillIconTemplate } from './icon.ts';
import { readId } from './lockup.ts';
import { expectRead } from './results.ts';
import { isSamePhrase } from './same-phrase.ts';

export interface MzStoreSearch {
  /** In store order, each app once; position = index + 1. Only the first ones have a card. */
  results: SearchResult[];
  /** False only for a list that ends before the store's own limit. */
  hasMore: boolean;
}

type Item = Record<string, unknown>;

/** The entity of apps for iPhone and iPad, which is also the name of their list. */
const appEntity = 'software';
/** Entities that have no position. */
const otherEntities: readonly unknown[] = ['mac-software', 'iphoneAppBundle'];
const appKind = 'iosSoftware';
/** Names of the section with details, by the form of the response. */
const detailSections = ['native-search-lockup', 'native-search-lockup-search', 'lockup'];
/** The store ends a list between 246 and 250 results, so one of this length may go on. */
const fullLength = 240;

/**
 * Reads the response of `MZStore.woa/wa/search`: ordered ids in `bubbles`, details of the first
 * ones in `storePlatformData`. Written after public clients of 2025–26, which describe one form
 * with the page in `pageData` and one with the page at the top; there is no recording. Throws
 * StoreError `refused` or `unreadable`: for the results of another search, for an entity or kind
 * that nobody has described, and for an empty list that does not repeat the term.
 */
export function parseMzStoreSearch(
  body: string,
  query: { phrase: string; country: string },
): MzStoreSearch {
  const response = parseResponse(body);
  const page = isRecord(response['pageData']) ? response['pageData'] : response;
  const repeatsTerm = requireQuery(page, query);
  const { list, total } = readList(page);
  const ids = list.map(readResult).filter((id) => id !== null);
  if (list.length > 0 && ids.length === 0)
    throw unreadable('ios', 'mz-no-software', 'no result is an app');
  if (list.length === 0 && (!repeatsTerm || total > 0))
    throw unreadable('ios', 'mz-empty', 'an empty list that nothing confirms');
  const details = readDetails(response);
  const results = ids.map((storeAppId) => ({
    storeAppId,
    card: readCard(storeAppId, details[storeAppId]),
  }));
  return {
    results: dedupeById(results),
    hasMore: list.length >= fullLength || total > list.length,
  };
}

/** A throttled address may get an empty body or HTML, with status 200. */
function parseResponse(body: string): Item {
  const text = body.trim();
  if (text === '') throw refused('ios', 'empty');
  if (/^<(?!\?xml|plist|!doctype plist)/i.test(text))
    throw refused('ios', findRefusalMarker(text) ?? 'html');
  const response = parseJson(text);
  if (!isRecord(response)) throw unreadable('ios', 'envelope', 'not an object');
  return response;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw unreadable('ios', 'json', `not JSON: ${JSON.stringify(text.slice(0, 40))}`);
  }
}

/** True if the page repeats the term. Whatever it says of its query must match. */
function requireQuery(page: Item, query: { phrase: string; country: string }): boolean {
  const { metrics, metricsBase } = page;
  const fields = isRecord(metrics) && isRecord(metrics['fields']) ? metrics['fields'] : {};
  const terms = [page['term'], fields['searchTerm']].filter((term) => term !== undefined);
  if (!terms.every((term) => typeof term === 'string' && isSamePhrase(term, query.phrase)))
    throw unreadable('ios', 'mz-term', 'the results of another term');
  const storefront = isRecord(metricsBase) ? metricsBase['storeFront'] : undefined;
  const id = storefrontOf(query.country);
  if (storefront !== undefined && storefront !== id && storefront !== String(id))
    throw unreadable('ios', 'mz-storefront', 'the results of another storefront');
  return terms.length > 0;
}

/** The one list of apps. A page without results has no lists. */
function readList({ bubbles }: Item): { list: unknown[]; total: number } {
  if (!Array.isArray(bubbles)) throw unreadable('ios', 'mz-bubbles', 'a page without its lists');
  const unknown = bubbles.find((bubble) => {
    const name: unknown = isRecord(bubble) ? bubble['name'] : undefined;
    return name !== appEntity && !otherEntities.includes(name);
  });
  if (unknown !== undefined) throw unreadable('ios', 'mz-bubble', 'a list of an unknown kind');
  if (bubbles.length === 0) return { list: [], total: 0 };
  const found = bubbles.filter(isRecord).filter(({ name }) => name === appEntity);
  const [bubble] = found;
  if (found.length !== 1 || !bubble)
    throw unreadable('ios', 'mz-bubble', `${found.length} lists of apps`);
  const { results, totalCount } = bubble;
  if (!Array.isArray(results)) throw unreadable('ios', 'mz-results', 'a list without results');
  return { list: results, total: readCount(totalCount) ?? 0 };
}

/** Null for a result without a position. The meaning of its number `type` is unknown. */
function readResult(result: unknown): string | null {
  const { id, entity } = isRecord(result) ? result : {};
  if (otherEntities.includes(entity)) return null;
  if (entity !== appEntity)
    throw unreadable('ios', 'mz-entity', `a result ${String(entity).slice(0, 40)}`);
  const storeAppId = readId(id);
  if (storeAppId === null) throw unreadable('ios', 'mz-id', 'a result without an id');
  return storeAppId;
}

function readDetails({ storePlatformData }: Item): Item {
  if (storePlatformData === undefined || storePlatformData === null) return {};
  if (!isRecord(storePlatformData))
    throw unreadable('ios', 'mz-details', 'details of another form');
  const name = detailSections.find((section) => storePlatformData[section] !== undefined);
  if (name === undefined) return {};
  const section = storePlatformData[name];
  const details = isRecord(section) ? section['results'] : null;
  if (!isRecord(details)) throw unreadable('ios', 'mz-details', 'a section without details');
  return details;
}

/** Null for an app without details, which keeps its position. */
function readCard(storeAppId: string, detail: unknown): AppCard | null {
  if (detail === undefined) return null;
  if (!isRecord(detail) || readId(detail['id']) !== storeAppId)
    throw unreadable('ios', 'mz-lockup', 'details of another app');
  const { kind, userRating } = detail;
  if (kind !== appKind)
    throw unreadable('ios', 'mz-kind', `an app of the kind ${String(kind).slice(0, 40)}`);
  const name = expectRead(readText(detail['name'], 500), 'name');
  if (name === null) throw unreadable('ios', 'mz-name', 'an app without a name');
  const fields = createFieldReader<keyof AppCard>();
  const { value, ratingCount } = readUserRating(userRating);
  const card = {
    storeAppId,
    bundleId: fields.read('bundleId', readText(detail['bundleId'], 300)),
    name,
    developer: fields.read('developer', readText(detail['artistName'], 500)),
    iconUrl: readIcon(detail),
    rating: fields.read('rating', value),
    ratingCount: fields.read('ratingCount', ratingCount),
  };
  return { ...card, unread: fields.unread };
}

function readUserRating(rating: unknown): {
  value: number | null | undefined;
  ratingCount: number | null | undefined;
} {
  if (rating === undefined || rating === null) return { value: null, ratingCount: null };
  if (!isRecord(rating)) return { value: undefined, ratingCount: undefined };
  return { value: readRating(rating['value']), ratingCount: readCount(rating['ratingCount']) };
}

/** A template, or in the older form a list of sizes. */
function readIcon({ iconArtwork, templatizedArtwork, artwork }: Item): string | null {
  const sizes: unknown[] = Array.isArray(artwork) ? artwork : [artwork];
  const largestFirst = sizes
    .filter(isRecord)
    .toSorted((one, other) => Number(other['width']) - Number(one['width']));
  const icon = [iconArtwork, templatizedArtwork, ...largestFirst].find(isRecord);
  return icon === undefined ? null : fillIconTemplate(icon['url']);
}
