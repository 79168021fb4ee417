import { badRequest, refused, unreadable } from '../store-errors.ts';
import { isRecord } from '../value-readers.ts';

export interface Feed {
  /** None, one or many: Apple omits the member, or sends an object or an array. */
  entries: Record<string, unknown>[];
  /** The last page that the feed itself names, or null. */
  lastPage: number | null;
  /** The address that the feed itself names as its own, or null. */
  ownAddress: string | null;
}

const maxEntries = 1_000;

/**
 * The envelope of Apple's JSON feeds. A blocked address gets an empty body or HTML, with status
 * 200.
 */
export function readFeed(body: string): Feed {
  const text = body.trim();
  if (text === '') throw refused('ios', 'empty');
  if (text.startsWith('<')) throw refused('ios', 'html');
  if (text.startsWith('CustomerReviews RSS'))
    throw badRequest('ios', 'page-depth', text.slice(0, 200));
  const { feed } = parseJson(text);
  if (!isRecord(feed)) throw unreadable('ios', 'feed', 'no feed');
  const { entry, link } = feed;
  const entries = entry === undefined ? [] : Array.isArray(entry) ? entry : [entry];
  if (entries.length > maxEntries || !entries.every(isRecord))
    throw unreadable('ios', 'entry', 'entries that are none');
  // Everything of an entry has names such as `im:name`. Outside of the entries, these have moved.
  if (JSON.stringify({ ...feed, entry: null }).includes('"im:'))
    throw unreadable('ios', 'entries-moved', 'entries outside their list');
  const ownAddress = readLink(link, 'self');
  return {
    entries,
    lastPage: pageIn(readLink(link, 'last')),
    ownAddress: typeof ownAddress === 'string' ? ownAddress : null,
  };
}

function parseJson(text: string): Record<string, unknown> {
  try {
    const parsed: unknown = JSON.parse(text);
    if (isRecord(parsed)) return parsed;
  } catch {
    // Falls through to the error for anything that is not an object.
  }
  throw unreadable('ios', 'json', `not a JSON object: ${JSON.stringify(text.slice(0, 40))}`);
}

function readLink(links: unknown, rel: 'self' | 'last'): unknown {
  const found = [links].flat().find((link) => attributeOf(link, 'rel') === rel);
  return attributeOf(found, 'href');
}

/** The first `page=N` of an address. */
export function pageIn(href: unknown): number | null {
  const page = typeof href === 'string' ? /\/page=(\d{1,3})\//.exec(href)?.[1] : undefined;
  return page === undefined ? null : Number(page);
}

export function labelOf(value: unknown): unknown {
  return isRecord(value) ? value['label'] : undefined;
}

export function attributeOf(value: unknown, name: string): unknown {
  return isRecord(value) && isRecord(value['attributes']) ? value['attributes'][name] : undefined;
}
